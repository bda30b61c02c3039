import Testing

/// A profile, or overrides of one, that must be refused in exactly these words.
struct BadProfile: Sendable, CustomTestStringConvertible {
    let name: String
    let text: Text
    let overrides: [String]
    /// One line per problem, without the profile's path in front.
    let expected: [String]

    var testDescription: String { name }

    init(_ name: String, _ text: Text, set overrides: [String] = [], expected: [String]) {
        self.name = name
        self.text = text
        self.overrides = overrides
        self.expected = expected
    }

    /// A text made from a good one, of which the interesting part is spelled out.
    struct Text: Sendable {
        let yaml: String

        static let minimal = minimal()

        static func yaml(_ yaml: String) -> Text {
            Text(yaml: yaml)
        }

        /// Lines 1 to 4 of a profile, then `rest`.
        static func minimal(
            duration: String = "60s",
            target: String = "embedded",
            audience: String = "{viewers: 10}",
            breaks: String = "{source: {every: 20s}}",
            and rest: String = ""
        ) -> Text {
            Text(
                yaml: """
                    duration: \(duration)
                    target: \(target)
                    audience: \(audience)
                    breaks: \(breaks)
                    \(rest)

                    """
            )
        }

        /// Lines 4 to 8 are a pod-serving target, line 9 is `rest`.
        static func podServing(
            contentURL: String = "https://live.example.com/a.m3u8",
            hosts: String = "[live.example.com, ads.example.com]",
            networkCode: String = "123",
            assetKey: String = "key",
            and rest: String = ""
        ) -> Text {
            Text(
                yaml: """
                    duration: 60s
                    target:
                      podServing:
                        contentURL: \(contentURL)
                        adServer: https://ads.example.com
                        authorisedHosts: \(hosts)
                        networkCode: \(networkCode)
                        customAssetKey: \(assetKey)
                        \(rest)
                    audience: {viewers: 10}
                    breaks: {source: {every: 20s}}

                    """
            )
        }
    }

    static let all =
        syntaxMistakes + fieldsMistakes + valuesMistakes + breaksMistakes + targetMistakes + connectionMistakes
        + judgementMistakes + overrideMistakes
}

@Suite struct BadProfileTests {
    @Test(arguments: BadProfile.all)
    func isRefusedInTheseWords(_ bad: BadProfile) {
        let expected = bad.expected.map { $0.hasPrefix("--") ? $0 : "Profiles/bad.yaml:\($0)" }
        #expect(Samples.problems(bad.text.yaml, overrides: bad.overrides) == expected)
    }

    @Test(arguments: BadProfile.all)
    func neverRepeatsASecret(_ bad: BadProfile) {
        let said = Samples.problems(bad.text.yaml, overrides: bad.overrides).joined()
        #expect(!said.contains("hunter2"), "\(said)")
    }

    @Test func theProfilesTheTableIsMadeFromAreGood() {
        #expect(Samples.problems(BadProfile.Text.minimal.yaml) == [])
        #expect(Samples.problems(BadProfile.Text.podServing().yaml) == [])
    }

    @Test func thresholdsOnRequestsThatViewersMayMakeAreGood() {
        let always = "thresholds: [registration.errors < 1%, multivariant.errors < 1%, steering.errors < 1%]"
        #expect(Samples.problems(BadProfile.Text.minimal(and: always).yaml) == [])
        let lowLatency = BadProfile.Text.minimal(
            audience: "{viewers: 10, personas: [hlsjs]}",
            breaks: "{interstitials: true}",
            and: """
                playback: {segments: all}
                thresholds:
                  - blocking_playlist.errors < 1%
                  - part.errors < 1%
                  - pod_segment.errors < 1%
                  - beacon.errors < 1%
                  - break_discovery.p99 < 1s
                """
        )
        #expect(Samples.problems(lowLatency.yaml) == [])
    }

    @Test func reportsMistakesOfAllSectionsAtOnceInReadingOrder() {
        let text = """
            duration: 60
            sead: 4
            target: {embedded: {windowSegments: 2}}
            audience: {viewers: many, ramp: 10}
            breaks: {source: {every: 20s}, podDuration: 30s, podIdentifer: sequence}
            connection: {clientKey: client.key}
            """
        let places = Samples.problems(text, overrides: ["seed=x"]).map { problem in
            problem.split(separator: ": ").prefix(2).joined(separator: " ")
        }
        #expect(
            places == [
                "Profiles/bad.yaml:1:11 duration",
                "Profiles/bad.yaml:2:1 sead",
                "Profiles/bad.yaml:3:37 target.embedded.windowSegments",
                "Profiles/bad.yaml:4:21 audience.viewers",
                "Profiles/bad.yaml:4:33 audience.ramp",
                "Profiles/bad.yaml:5:45 breaks.podDuration",
                "Profiles/bad.yaml:5:50 breaks.podIdentifer",
                "Profiles/bad.yaml:6:25 connection.clientKey",
                #"--set seed "x" is not a whole number; allowed"#,
            ]
        )
    }
}
