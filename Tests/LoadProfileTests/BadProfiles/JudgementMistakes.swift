/// Audiences and judgements that contradict themselves.
extension BadProfile {
    static let judgementMistakes: [BadProfile] = [
        BadProfile(
            "a ramp longer than the run",
            .minimal(audience: "{viewers: 10, ramp: 61s}"),
            expected: [
                "3:31: audience.ramp: 1m1s is longer than the run of 1m"
            ]
        ),
        BadProfile(
            "a stay without an end",
            .minimal(audience: "{viewers: 10, pictureInPicture: {share: 5%, every: 10s, stay: 10s}}"),
            expected: [
                """
                3:73: audience.pictureInPicture.stay: a stay of 10s every 10s leaves no standard playback; \
                allowed: less than every
                """
            ]
        ),
        BadProfile(
            "picture in picture without a share",
            .minimal(audience: "{viewers: 10, pictureInPicture: {rule: lose}}"),
            expected: [
                "3:50: audience.pictureInPicture.rule: has no effect without audience.pictureInPicture.share"
            ]
        ),
        BadProfile(
            "a threshold that is none",
            .minimal(and: "thresholds: [findings.* == 0, bogus.p99 < 3s]"),
            expected: [
                """
                5:31: thresholds[1]: "bogus.p99 < 3s": no metric is named 'bogus.p99'; did you mean \
                'all.tls.p99'?
                """
            ]
        ),
        BadProfile(
            "a share without a unit",
            .minimal(and: "thresholds: [breaks.on_time >= 0.99, breaks.on_time >= 110%]"),
            expected: [
                """
                5:14: thresholds[0]: "breaks.on_time >= 0.99": '0.99' has no unit; write 99% for the share or a whole \
                number of viewers for the count
                """,
                """
                5:38: thresholds[1]: "breaks.on_time >= 110%": '110%' is out of range; breaks.on_time is from 0% to 100%
                """,
            ]
        ),
        BadProfile(
            "thresholds on what does not occur",
            .minimal(
                and: "thresholds: [segment.requests == 0, segment.errors < 1%, 'breaks.late{persona=x} <= 1%']"
            ),
            expected: [
                """
                5:37: thresholds[1]: "segment.errors < 1%": viewers load no segments (playback.segments is none); \
                allowed: a metric that this run has
                """,
                """
                5:58: thresholds[2]: "breaks.late{persona=x} <= 1%": no persona of the profile has this name; \
                allowed: a metric that this run has
                """,
            ]
        ),
        BadProfile(
            "thresholds on requests that no viewer makes",
            .minimal(
                and: """
                    thresholds:
                      - part.requests == 0
                      - blocking_playlist.errors < 1%
                      - session_update.errors < 1%
                      - beacon.errors < 1%
                      - break_discovery.p99 < 1s
                      - viewers.seeks >= 1
                      - viewers.reopened == 0
                    """
            ),
            expected: [
                """
                7:5: thresholds[1]: "blocking_playlist.errors < 1%": no player of the audience plays low latency \
                (audience.personas); allowed: a metric that this run has
                """,
                """
                8:5: thresholds[2]: "session_update.errors < 1%": viewers update no session (sessionUpdates is \
                missing); allowed: a metric that this run has
                """,
                """
                9:5: thresholds[3]: "beacon.errors < 1%": viewers play no interstitials (breaks.interstitials is \
                false); allowed: a metric that this run has
                """,
                """
                10:5: thresholds[4]: "break_discovery.p99 < 1s": viewers follow no breaks that the channel announces \
                (breaks.source.dateRange, breaks.interstitials); allowed: a metric that this run has
                """,
                """
                11:5: thresholds[5]: "viewers.seeks >= 1": no viewer seeks (audience.seeks is missing); allowed: a \
                metric that this run has
                """,
            ]
        ),
        BadProfile(
            "thresholds on requests that a target without sessions does not get",
            .minimal(
                target: "{urlTemplates: {content: 'http://127.0.0.1/a.m3u8', pod: 'http://127.0.0.1/{break}'}}",
                and: """
                    playback: {segments: ads}
                    thresholds:
                      - registration.errors < 0.1%
                      - segment.errors < 1%
                      - pod_segment.errors < 1%
                      - metadata.errors < 1%
                      - verification.errors < 1%
                    """
            ),
            expected: [
                """
                7:5: thresholds[0]: "registration.errors < 0.1%": viewers of this target register no session; \
                allowed: a metric that this run has
                """,
                """
                8:5: thresholds[1]: "segment.errors < 1%": viewers load no segments of the channel \
                (playback.segments is ads); allowed: a metric that this run has
                """,
                """
                9:5: thresholds[2]: "pod_segment.errors < 1%": viewers load no segments of ads (the profile does not \
                say impressions: allowed); allowed: a metric that this run has
                """,
                """
                10:5: thresholds[3]: "metadata.errors < 1%": sessions of this target name no metadata and no address \
                for pings; allowed: a metric that this run has
                """,
                """
                11:5: thresholds[4]: "verification.errors < 1%": sessions of this target name no metadata and no \
                address for pings; allowed: a metric that this run has
                """,
            ]
        ),
        BadProfile(
            "a threshold twice",
            .minimal(and: "thresholds: [findings.* == 0, findings.* == 0]"),
            expected: [
                #"5:31: thresholds[1]: "findings.* == 0" stands twice"#
            ]
        ),
        BadProfile(
            "an abort without a condition",
            .minimal(and: "abort: {after: 10s}"),
            expected: [
                """
                5:8: abort.when: is missing and has no default; allowed: a list of conditions that end the \
                run, such as "playlist.errors > 20%"
                """
            ]
        ),
        BadProfile(
            "an abort after the end",
            .minimal(and: "abort: {after: 60s, when: [playlist.errors > 5%]}"),
            expected: [
                "5:16: abort.after: 1m is not before the end of the run at 1m"
            ]
        ),
        BadProfile(
            "a bogus abort",
            .minimal(and: "abort: {when: [bogus]}"),
            expected: [
                """
                5:16: abort.when[0]: "bogus": 'bogus' is not a threshold; write <metric> <comparison> <limit>, as in \
                breaks.on_time >= 99.9% (comparisons: >= <= == != < >)
                """
            ]
        ),
        BadProfile(
            "a misspelt finding",
            .minimal(and: "allowFindings: [empty_pods]"),
            expected: [
                """
                5:17: allowFindings[0]: "empty_pods" is not a finding code; allowed: a code that podswarm explain lists, \
                or "*" for every other one above advice; did you mean empty_pod?
                """
            ]
        ),
        BadProfile(
            "a finding nobody knows",
            .minimal(and: "allowFindings: [too_many_cooks]"),
            expected: [
                """
                5:17: allowFindings[0]: "too_many_cooks" is not a finding code; allowed: a code that podswarm explain \
                lists, or "*" for every other one above advice
                """
            ]
        ),
        BadProfile(
            "allowances that are none",
            .minimal(
                and: "allowFindings: {empty_pod: true, pod_mismatch: 120%, foreign_stream_id: -1, empty_pods: many}"
            ),
            expected: [
                """
                5:28: allowFindings.empty_pod: "true" is not an allowance; allowed: any, a number of sightings such \
                as 3, or a share of viewers such as 2%
                """,
                """
                5:48: allowFindings.pod_mismatch: "120%" is not in range; allowed: any, a number of sightings such \
                as 3, or a share of viewers such as 2%
                """,
                """
                5:73: allowFindings.foreign_stream_id: "-1" is not an allowance; allowed: any, a number of sightings \
                such as 3, or a share of viewers such as 2%
                """,
                """
                5:77: allowFindings.empty_pods: "empty_pods" is not a finding code; allowed: a code that podswarm \
                explain lists, or "*" for every other one above advice; did you mean empty_pod?
                """,
                """
                5:89: allowFindings.empty_pods: "many" is not an allowance; allowed: any, a number of sightings such \
                as 3, or a share of viewers such as 2%
                """,
            ]
        ),
    ]
}
