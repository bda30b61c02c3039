import Foundation
import RunResult
import TestSupport
import Testing

/// The embedded origin as a service that stitches ads for each session, at addresses of its own and without a marker.
@Suite struct SessionPlaylistTests {
    /// Longer than from one break to the next: everybody sees ads of a break that began after all had joined.
    private static func profile(_ shape: String) -> String {
        """
        name: sessions
        duration: 28s
        seed: 7
        target:
          embedded:
            shape: \(shape)
            segmentDuration: 1s
            sessionPlaylists: true
            channel: channel.yaml
            faults: faults.yaml
        audience: {viewers: 20, ramp: 1s}
        playback: {variant: random}
        breaks: {stitched: true}
        thresholds: [viewers.joined > 0, breaks.on_time >= 0%]

        """
    }

    private static let channel =
        "stitched: {every: 20s, duration: 4s, adDuration: 2s, dialect: none, varies: session}\n"
    private static let sameForAll = "stitched: {every: 20s, duration: 4s, adDuration: 2s, dialect: none}\n"

    private static func rehearse(
        _ shape: String,
        channel: String = channel,
        faults: String,
        _ more: [String] = []
    ) async throws -> (Rehearsal.Outcome, truth: [String: Any]) {
        let rehearsal = try Rehearsal(profile(shape), faults: faults)
        try rehearsal.folder.write(channel, to: "channel.yaml")
        return try await rehearsal.inVirtualTimeWithTruth(more)
    }

    @Test(arguments: ["pod-serving", "url-templates"])
    func adsOfEachSessionsOwnAreNoFinding(shape: String) async throws {
        // Ads without a marker are no breaks that podswarm could judge.
        let settings = ["playback.segments=all", "breaks=none", "thresholds=[viewers.joined > 0]"]
        let (outcome, _) = try await Self.rehearse(shape, faults: "[]", settings.flatMap { ["--set", $0] })
        #expect(outcome.end.status == 0, "\(outcome.end.output)\(outcome.end.errors)")
        #expect(outcome.findings == [])
        #expect(outcome.document.requests["segment"].map { $0.count > 400 && $0.errors == 0 } == true)
        #expect(outcome.document.requests["playlist"]?.errors == 0)
        #expect(outcome.document.reconciliation?.agrees == true)
    }

    @Test(arguments: ["pod-serving", "url-templates"])
    func anothersSessionInThePathOfAnAdIsFoundForExactlyWhomItTouched(shape: String) async throws {
        let (outcome, truth) = try await Self.rehearse(
            shape,
            faults: "[{fault: foreign_stream_id, piece: path, share: 40%, kinds: [playlist]}]"
        )
        #expect(outcome.end.status == 1, "\(outcome.end.output)\(outcome.end.errors)")
        #expect(outcome.findings == ["foreign_stream_id"])
        let affected = (truth["affected"] as? [String: [String: Any]])?["foreign_stream_id"]
        let touched = try #require(affected?["viewers"] as? Int)
        #expect((1..<20).contains(touched), "\(touched)")
        #expect(outcome.finding("foreign_stream_id")?.viewers == touched)
        #expect(outcome.document.reconciliation?.agrees == true)
        let shown = String(decoding: try Data(contentsOf: outcome.resultFile), as: UTF8.self)
        #expect(!shown.contains(#/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/#))
    }

    private static let told = ["--set", "breaks={stitched: true, stitchedAds: [/stitched]}"]

    /// Each break that began after all had joined, as the addresses of its segments tell.
    @Test(arguments: [("all", sameForAll), ("session", channel)])
    func adsThatTheirAddressesTellAreDue(match: String, channel: String) async throws {
        let more = Self.told + ["--set", "pods={match: \(match)}"]
        let (outcome, _) = try await Self.rehearse("url-templates", channel: channel, faults: "[]", more)
        #expect(outcome.findings == [], "\(outcome.end.output)")
        let counts = try #require(outcome.document.viewers["stitched_breaks"])
        #expect(counts >= 20)
        #expect(outcome.document.breaks.each.contains { $0.compared == (match == "all" ? 20 : nil) && $0.due == 20 })
    }

    /// Whom the plan touches changes from break to break, and of two breaks one may be seen in part: whose they were is
    /// proved where one viewer alone is given others, by a server that shares no line with this one.
    @Test func otherAdsThatNothingMarksAreFound() async throws {
        let (outcome, _) = try await Self.rehearse(
            "url-templates",
            channel: Self.sameForAll,
            faults: "[{fault: stitched_mismatch, share: 50%}]",
            Self.told + ["--set", "playback.variant=lowest"]
        )
        #expect(outcome.findings == ["stitched_mismatch"], "\(outcome.end.output)")
        #expect((1..<20).contains(outcome.finding("stitched_mismatch")?.viewers ?? 0))
    }
}
