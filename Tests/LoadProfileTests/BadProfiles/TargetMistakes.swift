/// Targets that cannot or must not be asked.
extension BadProfile {
    static let targetMistakes: [BadProfile] = [
        BadProfile(
            "an unknown target",
            .minimal(target: "embeded"),
            expected: [
                """
                2:9: target: "embeded" is not known; allowed: embedded, a mapping with podServing, a mapping with \
                mediaTailor, a mapping with eyevinnProxy, a mapping with urlTemplates; did you mean embedded?
                """
            ]
        ),
        BadProfile(
            "a target that needs fields",
            .minimal(target: "podServing"),
            expected: [
                """
                2:9: target: "podServing" needs fields of its own; allowed: embedded, a mapping with podServing, \
                a mapping with mediaTailor, a mapping with eyevinnProxy, a mapping with urlTemplates
                """
            ]
        ),
        BadProfile(
            "two targets",
            .minimal(
                target:
                    "{embedded: {}, podServing: {contentURL: 'http://127.0.0.1/a', networkCode: 1, customAssetKey: a}}"
            ),
            expected: [
                """
                2:36: target: needs exactly one kind, has embedded and podServing; allowed: one of \
                embedded, podServing, mediaTailor, eyevinnProxy, urlTemplates
                """
            ]
        ),
        BadProfile(
            "metadata and pings of a target without",
            .minimal(
                target: "{urlTemplates: {content: 'http://127.0.0.1/a.m3u8', pod: 'http://127.0.0.1/{break}'}}",
                and: "playback: {metadata: true, verificationPings: true}"
            ),
            expected: ["metadata", "verificationPings"].map { field in
                """
                5:\(field == "metadata" ? 22 : 47): playback.\(field): has no effect: sessions of this target name no metadata and no \
                address for pings; allowed: false, or a target of the shape pod serving
                """
            }
        ),
        BadProfile(
            "viewers that navigate and nothing to navigate around",
            .minimal(audience: "{viewers: 10, skips: {share: 5%}, seeks: {share: 2%}}"),
            expected: [(32, "skips"), (52, "seeks")].map { column, field in
                """
                3:\(column): audience.\(field): has no effect without breaks.interstitials: viewers navigate around \
                interstitials only
                """
            }
        ),
        BadProfile(
            "no target",
            .minimal(target: "{}"),
            expected: [
                """
                2:9: target: needs exactly one kind, has none; allowed: one of embedded, podServing, mediaTailor, \
                eyevinnProxy, urlTemplates
                """
            ]
        ),
        BadProfile(
            "fields missing",
            .minimal(target: "{podServing: {}}"),
            expected: [
                """
                2:22: target.podServing.contentURL: is missing and has no default; allowed: an http or \
                https URL with a host, such as https://live.example.com/channel/master.m3u8, with any of \
                {viewer}, {primary_id} or none
                """,
                """
                2:22: target.podServing.networkCode: is missing and has no default; allowed: digits, such \
                as 21775744923
                """,
                """
                2:22: target.podServing.customAssetKey: is missing and has no default; allowed: letters, \
                digits, '-', '_' and '.'
                """,
                """
                2:22: target.podServing.adServer: the host dai.google.com may not be asked; allowed: \
                loopback and what target.podServing.authorisedHosts names
                """,
            ]
        ),
        BadProfile(
            "a window too short",
            .minimal(target: "{embedded: {windowSegments: 2}}"),
            expected: [
                """
                2:37: target.embedded.windowSegments: "2" is a window of less than 3 target durations (RFC \
                8216 section 6.2.2); allowed: a whole number from 3 to 1000
                """
            ]
        ),
        BadProfile(
            "a segment length the origin lacks",
            .minimal(target: "{embedded: {segmentDuration: 3s}}"),
            expected: [
                """
                2:38: target.embedded.segmentDuration: "3s" is not a length the embedded origin has; \
                allowed: 1s, 2s, 4s, 8s
                """
            ]
        ),
        BadProfile(
            "sessions too short",
            .minimal(target: "{embedded: {sessionValidity: 5s}}"),
            expected: [
                """
                2:38: target.embedded.sessionValidity: "5s" is not in range; allowed: a duration such as \
                500ms, 10s, 2m or 1m30s, from 10s to 168h
                """
            ]
        ),
        BadProfile(
            "sessions shorter than polling",
            .minimal(target: "{embedded: {sessionValidity: 20s, metadataPolling: 30s}}"),
            expected: [
                """
                2:38: target.embedded.sessionValidity: sessions of 20s end before their metadata is \
                polled, every 30s
                """
            ]
        ),
        BadProfile(
            "pods aimed by what nobody says",
            .minimal(target: "{embedded: {aimBy: cohort, adTagParameters: {tier: free}}}"),
            expected: [
                """
                2:28: target.embedded.aimBy: "cohort" is no parameter that viewers register with; allowed: a name of \
                target.embedded.adTagParameters
                """
            ]
        ),
        BadProfile(
            "who reports what is not MediaTailor's",
            .minimal(target: "{embedded: {reporting: client}}"),
            expected: [
                """
                2:32: target.embedded.reporting: has no effect in this shape; allowed: media-tailor-implicit and \
                media-tailor-explicit
                """
            ]
        ),
        BadProfile(
            "playlists of sessions in a shape that has none",
            .minimal(target: "{embedded: {sessionPlaylists: true, shape: eyevinn-proxy}}"),
            expected: [
                """
                2:39: target.embedded.sessionPlaylists: has no effect in this shape; allowed: pod-serving and url-templates
                """,
                """
                4:18: breaks.source: this target has no pods to ask for: its channel schedules the breaks; allowed: \
                breaks.interstitials or breaks.stitched without breaks.source
                """,
            ]
        ),
        BadProfile(
            "breaks to close that are not announced",
            .minimal(target: "{embedded: {announceBreaks: false, closeBreaks: true}}"),
            expected: [
                """
                2:57: target.embedded.closeBreaks: there are no announced breaks to close
                """
            ]
        ),
        BadProfile(
            "a fault plan that is not there",
            .minimal(target: "{embedded: {faults: faults.yaml}}"),
            expected: [
                """
                2:29: target.embedded.faults: no readable file at "faults.yaml", counted from the \
                profile's folder
                """
            ]
        ),
        BadProfile(
            "a URL of another scheme",
            .podServing(contentURL: "ftp://live.example.com/a"),
            expected: [
                """
                4:17: target.podServing.contentURL: "ftp://live.example.com/a" is not an http or https \
                URL; allowed: an http or https URL with a host, such as \
                https://live.example.com/channel/master.m3u8, with any of \
                {viewer}, {primary_id} or none
                """
            ]
        ),
        BadProfile(
            "a URL without a host",
            .podServing(contentURL: "https:///a"),
            expected: [
                """
                4:17: target.podServing.contentURL: "https:///a" has no valid host; allowed: an http or \
                https URL with a host, such as https://live.example.com/channel/master.m3u8, with any of \
                {viewer}, {primary_id} or none
                """
            ]
        ),
        BadProfile(
            "a URL with a password",
            .podServing(contentURL: "https://me:hunter2@live.example.com/a"),
            expected: [
                """
                4:17: target.podServing.contentURL: "https://…@live.example.com/a" has a user name or \
                password in it; allowed: an http or https URL with a host, such as \
                https://live.example.com/channel/master.m3u8, with any of \
                {viewer}, {primary_id} or none
                """
            ]
        ),
        BadProfile(
            "a URL with a space",
            .podServing(contentURL: "'https://live.example.com/a b'"),
            expected: [
                """
                4:17: target.podServing.contentURL: "https://live.example.com/a b" holds a space or a \
                non-ASCII character; allowed: an http or https URL with a host, such as \
                https://live.example.com/channel/master.m3u8, with any of \
                {viewer}, {primary_id} or none
                """
            ]
        ),
        BadProfile(
            "a URL with a bad port",
            .podServing(contentURL: "https://live.example.com:99999/a"),
            expected: [
                """
                4:17: target.podServing.contentURL: "https://live.example.com:99999/a" has no valid host; \
                allowed: an http or https URL with a host, such as \
                https://live.example.com/channel/master.m3u8, with any of \
                {viewer}, {primary_id} or none
                """
            ]
        ),
        BadProfile(
            "an unauthorised host, its query hidden",
            .podServing(contentURL: "https://other.example.com/a?token=hunter2"),
            expected: [
                """
                4:17: target.podServing.contentURL: the host other.example.com may not be asked; allowed: \
                loopback and what target.podServing.authorisedHosts names
                """
            ]
        ),
        BadProfile(
            "an ad server with a path",
            .podServing(and: "backupAdServer: https://ads.example.com/x"),
            expected: [
                """
                9:21: target.podServing.backupAdServer: "https://ads.example.com/x" has a path; allowed: \
                http or https, host and perhaps port, such as https://dai.google.com
                """
            ]
        ),
        BadProfile(
            "a backup that is the ad server",
            .podServing(and: "backupAdServer: https://ADS.example.com/"),
            expected: [
                "9:21: target.podServing.backupAdServer: is the ad server itself"
            ]
        ),
        BadProfile(
            "a host pattern that is a URL",
            .podServing(hosts: "[live.example.com, 'https://x.example.com', ads.example.com]"),
            expected: [
                """
                6:41: target.podServing.authorisedHosts[1]: "https://x.example.com" is a URL; write its \
                host alone; allowed: a host, host:port or *.suffix, such as dai.google.com or \
                *.example.com
                """
            ]
        ),
        BadProfile(
            "a host pattern of stars",
            .podServing(hosts: "[live.example.com, '*', ads.example.com]"),
            expected: [
                """
                6:41: target.podServing.authorisedHosts[1]: "*" is not a host; allowed: a host, host:port \
                or *.suffix, such as dai.google.com or *.example.com
                """
            ]
        ),
        BadProfile(
            "a network code of letters",
            .podServing(networkCode: "abc"),
            expected: [
                """
                7:18: target.podServing.networkCode: "abc" holds a character that is not allowed; allowed: \
                digits, such as 21775744923
                """
            ]
        ),
        BadProfile(
            "an asset key with a slash",
            .podServing(assetKey: "a/b"),
            expected: [
                """
                8:21: target.podServing.customAssetKey: "a/b" holds a character that is not allowed; \
                allowed: letters, digits, '-', '_' and '.'
                """
            ]
        ),
        BadProfile(
            "a missing environment variable",
            .podServing(and: "authTokenKey: ${NOT_SET}"),
            expected: [
                """
                9:19: target.podServing.authTokenKey: the environment variable NOT_SET is not set; \
                allowed: a key, or ${NAME} for the environment variable that holds it
                """
            ]
        ),
        BadProfile(
            "an empty environment variable",
            .podServing(and: "authTokenKey: ${EMPTY}"),
            expected: [
                """
                9:19: target.podServing.authTokenKey: the environment variable EMPTY is empty; allowed: a \
                key, or ${NAME} for the environment variable that holds it
                """
            ]
        ),
        BadProfile(
            "a bad key in the environment",
            .podServing(and: "authTokenKey: ${BROKEN}"),
            expected: [
                """
                9:19: target.podServing.authTokenKey: the value holds a control character; allowed: a key, \
                or ${NAME} for the environment variable that holds it
                """
            ]
        ),
        BadProfile(
            "an unclosed reference",
            .podServing(and: #"authTokenKey: "${PODSWARM_KEY""#),
            expected: [
                """
                9:19: target.podServing.authTokenKey: an environment reference is not closed by }; \
                allowed: a key, or ${NAME} for the environment variable that holds it
                """
            ]
        ),
        BadProfile(
            "a reference to no name",
            .podServing(and: #"authTokenKey: "${9 lives}""#),
            expected: [
                """
                9:19: target.podServing.authTokenKey: an environment reference does not hold a variable's \
                name; allowed: a key, or ${NAME} for the environment variable that holds it
                """
            ]
        ),
        BadProfile(
            "a validity without a key",
            .podServing(and: "authTokenValidity: 1h"),
            expected: [
                "9:24: target.podServing.authTokenValidity: has no effect without target.podServing.authTokenKey"
            ]
        ),
        BadProfile(
            "a token among the parameters",
            .podServing(and: "adTagParameters: {auth-token: hunter2}"),
            expected: [
                """
                9:23: target.podServing.adTagParameters.auth-token: podswarm makes this parameter itself; \
                give its key as authTokenKey
                """
            ]
        ),
        BadProfile(
            "a parameter of no name",
            .podServing(and: "adTagParameters: {'a b': c}"),
            expected: [
                """
                9:23: target.podServing.adTagParameters.a b: "a b" cannot name a parameter; allowed: \
                letters, digits, '-', '_' and '.'
                """
            ]
        ),
        BadProfile(
            "a splice that is none",
            .podServing(and: "scte35: 'not base64!'"),
            expected: [
                """
                9:13: target.podServing.scte35: "not base64!" holds a character that is not allowed; \
                allowed: a splice_info_section in base64 or hexadecimal
                """
            ]
        ),
    ]
}
