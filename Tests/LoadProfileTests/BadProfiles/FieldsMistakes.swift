/// Fields that are unknown, missing or of the wrong kind.
extension BadProfile {
    static let fieldsMistakes: [BadProfile] = [
        BadProfile(
            "a misspelt field",
            .minimal(and: "sead: 3"),
            expected: [
                "5:1: sead: unknown field; did you mean seed?"
            ]
        ),
        BadProfile(
            "a misspelt field inside",
            .minimal(breaks: "{source: {every: 20s}, podIdentifer: sequence}"),
            expected: [
                "4:32: breaks.podIdentifer: unknown field; did you mean podIdentifier?"
            ]
        ),
        BadProfile(
            "snake case",
            .minimal(breaks: "{source: {every: 20s}, pod_duration: 5s}"),
            expected: [
                "4:32: breaks.pod_duration: unknown field; did you mean podDuration?"
            ]
        ),
        BadProfile(
            "a field nothing resembles",
            .minimal(and: "zzz: 3"),
            expected: [
                """
                5:1: zzz: unknown field; allowed: name, description, seed, duration, audience, target, \
                impressions, impressionSink, playback, breaks, channel, pods, connection, generator, windows, thresholds, abort, \
                allowFindings
                """
            ]
        ),
        BadProfile(
            "a field nothing resembles inside",
            .minimal(and: "pods: {qqqqqq: 1}"),
            expected: [
                """
                5:8: pods.qqqqqq: unknown field; allowed: match, cohort, matchStitched, matchLadder, matchVarying, \
                ignore, keep, slate, repeatShare, durationTolerance, adTolerance
                """
            ]
        ),
        BadProfile(
            "a share that reads ads nobody loads",
            .minimal(and: "playback: {timedMetadataShare: 50%}"),
            expected: [
                """
                5:32: playback.timedMetadataShare: has no effect without segments: ads or all, whose bodies the metadata \
                is in
                """
            ]
        ),
        BadProfile(
            "a merge key",
            .minimal(and: "<<: {seed: 1}"),
            expected: [
                """
                5:1: <<: unknown field; allowed: name, description, seed, duration, audience, target, \
                impressions, impressionSink, playback, breaks, channel, pods, connection, generator, windows, thresholds, abort, \
                allowFindings
                """
            ]
        ),
        BadProfile(
            "everything missing",
            .yaml("name: x\n"),
            expected: [
                """
                1:1: duration: is missing and has no default; allowed: a duration such as 500ms, 10s, 2m \
                or 1m30s, from 1s to 720h
                """,
                "1:1: audience: is missing and has no default; allowed: a mapping with viewers",
                """
                1:1: target: is missing and has no default; allowed: one of embedded, podServing, mediaTailor, \
                eyevinnProxy, urlTemplates
                """,
                "1:1: breaks: is missing and has no default; allowed: none, or a mapping with source, interstitials or stitched",
            ]
        ),
        BadProfile(
            "viewers missing",
            .minimal(audience: "{ramp: 1s}"),
            expected: [
                "3:11: audience.viewers: is missing and has no default; allowed: a whole number from 1 to 1000000"
            ]
        ),
        BadProfile(
            "source missing",
            .minimal(breaks: "{podDuration: 5s}"),
            expected: [
                """
                4:9: breaks.source: is missing and has no default; allowed: one of every, guideMinute, \
                list, dateRange, trigger
                """
            ]
        ),
        BadProfile(
            "null where a value is needed",
            .minimal(and: "seed:"),
            expected: [
                "5:6: seed: has no value; leave the field out to keep its default"
            ]
        ),
        BadProfile(
            "null where a mapping is needed",
            .minimal(and: "pods:"),
            expected: [
                "5:6: pods: has no value; leave the field out to keep its default"
            ]
        ),
        BadProfile(
            "null in a list",
            .minimal(and: "thresholds: [~]"),
            expected: [
                """
                5:14: thresholds[0]: nothing where a single value is needed; allowed: a threshold such as \
                "breaks.on_time >= 99.9%"
                """
            ]
        ),
        BadProfile(
            "a list where a mapping is needed",
            .minimal(and: "connection: [insecure]"),
            expected: [
                "5:13: connection: a list where a mapping is needed"
            ]
        ),
        BadProfile(
            "a value where a mapping is needed",
            .minimal(and: "connection: http2"),
            expected: [
                "5:13: connection: a single value where a mapping is needed"
            ]
        ),
        BadProfile(
            "a value where a list is needed",
            .minimal(and: "thresholds: findings.* == 0"),
            expected: [
                "5:13: thresholds: a single value where a list is needed"
            ]
        ),
        BadProfile(
            "a value where a list or a mapping is needed",
            .minimal(and: "allowFindings: empty_pod"),
            expected: [
                "5:16: allowFindings: a single value where a list or a mapping is needed"
            ]
        ),
        BadProfile(
            "a mapping where a value is needed",
            .minimal(duration: "{minutes: 1}"),
            expected: [
                """
                1:11: duration: a mapping where a single value is needed; allowed: a duration such as \
                500ms, 10s, 2m or 1m30s, from 1s to 720h
                """
            ]
        ),
        BadProfile(
            "a list where a value is needed",
            .minimal(and: "seed: [1, 2]"),
            expected: [
                """
                5:7: seed: a list where a single value is needed; allowed: a whole number from 0 to \
                18446744073709551615
                """
            ]
        ),
        BadProfile(
            "a secret under a misspelt name",
            .podServing(and: "authTokenKy: hunter2"),
            expected: [
                "9:5: target.podServing.authTokenKy: unknown field; did you mean authTokenKey?"
            ]
        ),
        BadProfile(
            "a name that is no folder",
            .minimal(and: "name: ../etc"),
            expected: [
                """
                5:7: name: "../etc" cannot name a folder of results; allowed: letters, digits, '.', '_' \
                and '-', at most 64, beginning with a letter or digit
                """
            ]
        ),
        BadProfile(
            "an empty name",
            .minimal(and: #"name: """#),
            expected: [
                """
                5:7: name: "" is empty; allowed: letters, digits, '.', '_' and '-', at most 64, beginning \
                with a letter or digit
                """
            ]
        ),
    ]
}
