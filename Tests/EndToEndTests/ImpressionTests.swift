import RunResult
import TestSupport
import Testing

/// What somebody is billed for leaves for a target that is not podswarm's own only where the profile says so.
@Suite(.fewAtOnce) struct ImpressionTests {
    private static func rehearse(_ impressions: String) async throws -> (outcome: Rehearsal.Outcome, pinged: Int) {
        let settings = ["--segment-seconds", "1", "--metadata-seconds", "1", "--ad-milliseconds", "1000"]
        let breaks = ["--break-interval-milliseconds", "5000", "--break-milliseconds", "2000"]
        return try await RunningOrigin.serving(settings + breaks) { origin in
            let content = origin.url + "/live/main/multivariant.m3u8"
            var profile = FastProfile.podServing(content: content, adServer: origin.url)
            profile.target = profile.target.replacing("impressions: allowed\n", with: impressions)
            let outcome = try await Rehearsal(profile.yaml).run(["--set", "playback.segments=ads"])
            let kinds = try await origin.truth()["requests"] as? [String: [String: Any]] ?? [:]
            return (outcome, kinds["verification"]?["received"] as? Int ?? 0)
        }
    }

    @Test func nothingThatIsBilledLeavesUnasked() async throws {
        let (outcome, pinged) = try await Self.rehearse("")
        let counts = outcome.document.viewers
        #expect(outcome.end.errors.contains("Impressions are withheld"), "\(outcome.end.errors)")
        #expect(pinged == 0)
        #expect(counts["pings_sent"] == 0)
        #expect((counts["pings_withheld"] ?? 0) > 0)
        #expect((counts["ad_segments_withheld"] ?? 0) > 0)
        #expect(outcome.document.requests["pod_segment"]?.count ?? 0 == 0)
        #expect(outcome.end.output.contains("Impressions withheld"), "\(outcome.end.output)")
    }

    @Test func aSinkTakesThePingsOfTheTarget() async throws {
        try await ForeignScript.serving("counting", []) { port, sink in
            let (outcome, pinged) = try await Self.rehearse("impressionSink: http://127.0.0.1:\(port)\n")
            let asked = sink.errors.split(separator: "\n").count { $0.hasPrefix("asked for /") }
            #expect(pinged == 0)
            #expect(asked > 0)
            #expect(outcome.document.viewers["pings_sent"].map(Int.init) == asked)
            #expect(outcome.findings == [])
        }
    }
}
