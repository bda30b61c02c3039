/// Single values that are not what their field takes.
extension BadProfile {
    static let valuesMistakes: [BadProfile] = [
        BadProfile(
            "a duration without a unit",
            .minimal(duration: "60"),
            expected: [
                """
                1:11: duration: "60" has no unit; allowed: a duration such as 500ms, 10s, 2m or 1m30s, \
                from 1s to 720h
                """
            ]
        ),
        BadProfile(
            "a negative duration",
            .minimal(duration: "-5s"),
            expected: [
                """
                1:11: duration: "-5s" is not a duration; allowed: a duration such as 500ms, 10s, 2m or \
                1m30s, from 1s to 720h
                """
            ]
        ),
        BadProfile(
            "a word as a duration",
            .minimal(duration: "long"),
            expected: [
                """
                1:11: duration: "long" is not a duration; allowed: a duration such as 500ms, 10s, 2m or \
                1m30s, from 1s to 720h
                """
            ]
        ),
        BadProfile(
            "units in the wrong order",
            .minimal(duration: "30s1m"),
            expected: [
                """
                1:11: duration: "30s1m" is not a duration; allowed: a duration such as 500ms, 10s, 2m or \
                1m30s, from 1s to 720h
                """
            ]
        ),
        BadProfile(
            "a duration beyond 64 bits",
            .minimal(duration: "99999999999999999999h"),
            expected: [
                """
                1:11: duration: "99999999999999999999h" is not a duration; allowed: a duration such as \
                500ms, 10s, 2m or 1m30s, from 1s to 720h
                """
            ]
        ),
        BadProfile(
            "a duration out of range",
            .minimal(duration: "0s"),
            expected: [
                """
                1:11: duration: "0s" is not in range; allowed: a duration such as 500ms, 10s, 2m or 1m30s, \
                from 1s to 720h
                """
            ]
        ),
        BadProfile(
            "a duration of a year",
            .minimal(duration: "8760h"),
            expected: [
                """
                1:11: duration: "8760h" is not in range; allowed: a duration such as 500ms, 10s, 2m or \
                1m30s, from 1s to 720h
                """
            ]
        ),
        BadProfile(
            "a fraction of a viewer",
            .minimal(audience: "{viewers: 1.5}"),
            expected: [
                #"3:21: audience.viewers: "1.5" is not a whole number; allowed: a whole number from 1 to 1000000"#
            ]
        ),
        BadProfile(
            "no viewers",
            .minimal(audience: "{viewers: 0}"),
            expected: [
                #"3:21: audience.viewers: "0" is not in range; allowed: a whole number from 1 to 1000000"#
            ]
        ),
        BadProfile(
            "too many viewers",
            .minimal(audience: "{viewers: 1000001}"),
            expected: [
                #"3:21: audience.viewers: "1000001" is not in range; allowed: a whole number from 1 to 1000000"#
            ]
        ),
        BadProfile(
            "viewers beyond 64 bits",
            .minimal(audience: "{viewers: 99999999999999999999999}"),
            expected: [
                """
                3:21: audience.viewers: "99999999999999999999999" is not in range; allowed: a whole number \
                from 1 to 1000000
                """
            ]
        ),
        BadProfile(
            "a grouped number",
            .minimal(audience: "{viewers: 5 000}"),
            expected: [
                #"3:21: audience.viewers: "5 000" is not a whole number; allowed: a whole number from 1 to 1000000"#
            ]
        ),
        BadProfile(
            "a negative seed",
            .minimal(and: "seed: -1"),
            expected: [
                #"5:7: seed: "-1" is not in range; allowed: a whole number from 0 to 18446744073709551615"#
            ]
        ),
        BadProfile(
            "a seed beyond 64 bits",
            .minimal(and: "seed: 18446744073709551616"),
            expected: [
                """
                5:7: seed: "18446744073709551616" is not in range; allowed: a whole number from 0 to \
                18446744073709551615
                """
            ]
        ),
        BadProfile(
            "a share above one",
            .minimal(audience: "{viewers: 10, churnPerMinute: 2}"),
            expected: [
                """
                3:41: audience.churnPerMinute: "2" is not in range; allowed: a percentage from 0% to 100% \
                or a number from 0 to 1
                """
            ]
        ),
        BadProfile(
            "a percentage above a hundred",
            .minimal(audience: "{viewers: 10, churnPerMinute: 101%}"),
            expected: [
                """
                3:41: audience.churnPerMinute: "101%" is not in range; allowed: a percentage from 0% to \
                100% or a number from 0 to 1
                """
            ]
        ),
        BadProfile(
            "a word as a share",
            .minimal(and: "pods: {repeatShare: some}"),
            expected: [
                """
                5:21: pods.repeatShare: "some" is not a share; allowed: a percentage from 0% to 100% or a \
                number from 0 to 1
                """
            ]
        ),
        BadProfile(
            "a boolean of YAML 1.1",
            .minimal(and: "connection: {insecure: yes}"),
            expected: [
                #"5:24: connection.insecure: "yes" is neither true nor false; allowed: true or false"#
            ]
        ),
        BadProfile(
            "a number as a boolean",
            .minimal(and: "playback: {metadata: 1}"),
            expected: [
                #"5:22: playback.metadata: "1" is neither true nor false; allowed: true or false"#
            ]
        ),
        BadProfile(
            "a size without a unit",
            .minimal(and: "connection: {maximumBody: 1048576}"),
            expected: [
                """
                5:27: connection.maximumBody: "1048576" has no unit; allowed: a size with a unit, such as \
                64MiB, from 1KiB to 1GiB
                """
            ]
        ),
        BadProfile(
            "a size that is none",
            .minimal(and: "connection: {maximumBody: big}"),
            expected: [
                """
                5:27: connection.maximumBody: "big" is not a size; allowed: a size with a unit, such as \
                64MiB, from 1KiB to 1GiB
                """
            ]
        ),
        BadProfile(
            "a size beyond 64 bits",
            .minimal(and: "generator: {maximumMemory: 99999999999GiB}"),
            expected: [
                """
                5:28: generator.maximumMemory: "99999999999GiB" is not a size; allowed: a size with a \
                unit, such as 64MiB, from 64MiB to 1024GiB
                """
            ]
        ),
        BadProfile(
            "too small a budget of memory",
            .minimal(and: "generator: {maximumMemory: 1MiB}"),
            expected: [
                """
                5:28: generator.maximumMemory: "1MiB" is not in range; allowed: a size with a unit, such \
                as 64MiB, from 64MiB to 1024GiB
                """
            ]
        ),
        BadProfile(
            "no loops",
            .minimal(and: "generator: {loops: 0}"),
            expected: [
                #"5:20: generator.loops: "0" is not in range; allowed: a whole number from 1 to 256"#
            ]
        ),
        BadProfile(
            "spinning that would take a core",
            .minimal(and: "generator: {spin: 1001us}"),
            expected: [
                """
                5:19: generator.spin: "1001us" is not in range; allowed: a duration such as 500ms, 10s, 2m \
                or 1m30s, from 0s to 1ms
                """
            ]
        ),
        BadProfile(
            "an American spelling",
            .minimal(breaks: "{source: {every: 20s}, podIdentifier: synchronized}"),
            expected: [
                """
                4:47: breaks.podIdentifier: "synchronized" is not known; allowed: synchronised, sequence, \
                guide-sample; did you mean synchronised?
                """
            ]
        ),
        BadProfile(
            "an unknown choice",
            .minimal(and: "playback: {variant: best}"),
            expected: [
                #"5:21: playback.variant: "best" is not known; allowed: first, highest, lowest, random"#
            ]
        ),
        BadProfile(
            "another protocol",
            .minimal(and: "connection: {protocol: http3}"),
            expected: [
                #"5:24: connection.protocol: "http3" is not known; allowed: http1, http2; did you mean http1?"#
            ]
        ),
        BadProfile(
            "a choice in capitals",
            .minimal(and: "playback: {segments: ADS}"),
            expected: [
                #"5:22: playback.segments: "ADS" is not known; allowed: none, ads, content, all; did you mean ads?"#
            ]
        ),
        BadProfile(
            "a text too long",
            .minimal(and: "name: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"),
            expected: [
                """
                5:7: name: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…" cannot name a \
                folder of results; allowed: letters, digits, '.', '_' and '-', at most 64, beginning with \
                a letter or digit
                """
            ]
        ),
    ]
}
