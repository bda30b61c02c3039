import Rules
import Testing

@testable import Profile
@testable import Results
@testable import Swarm
@testable import Viewer

/// Faults of successive versions that show only to a client that knows how each was asked for.
@Suite struct PlaylistVersionFindingTests {
    /// Four segments of four seconds up to `end`, and parts of a second of the one after them.
    private static func playlist(end: Int, parts: Int? = 2, more: String = "", offers: String = "YES") -> String {
        let listed = (0..<(parts ?? 0)).map { "#EXT-X-PART:DURATION=1,URI=\"\(end).\($0).m4s\"\n" }.joined()
        let header =
            "#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=\(offers),PART-HOLD-BACK=3\n"
            + (parts == nil ? "" : "#EXT-X-PART-INF:PART-TARGET=1\n") + more
        return AnswerBody.media(end - 4, 4, seconds: 4, target: 4, header: header) + listed
    }

    private static let dateRange = """
        #EXT-X-PROGRAM-DATE-TIME:2026-11-21T20:00:00Z
        #EXT-X-DATERANGE:ID="a",START-DATE="2026-11-21T20:00:00Z"

        """

    private static func found(_ viewer: ScriptedCrowd) -> [Evidence] {
        viewer.findings(.blockingReloadIgnored).compactMap(\.first?.evidence)
    }

    /// A viewer that waits for what comes after `first`.
    private static func waiting(after first: String) -> ScriptedCrowd {
        let facts = LowLatencyFacts(blocking: .always, skip: .never)
        let viewer = ScriptedCrowd.joined(.watching(.forTests { $0.lowLatency = facts }))
        viewer.answer(.playlist, first)
        return viewer
    }

    @Test(arguments: [
        (playlist(end: 10), "part 2 of segment 10"), (playlist(end: 9, parts: 3), "part 3 of segment 9"),
        (playlist(end: 10, more: dateRange), "part 2 of segment 10"), (playlist(end: 10, parts: 3), nil),
        (playlist(end: 11, parts: 0), nil), (playlist(end: 12, parts: 1), nil),
        (playlist(end: 10) + "#EXT-X-ENDLIST\n", nil), (playlist(end: 10, offers: "NO"), nil),
        (playlist(end: 10, parts: nil), nil),
    ])
    func blockingReloadIgnored(body: String, end: String?) {
        let viewer = Self.waiting(after: Self.playlist(end: 10))
        viewer.answer(.blockingPlaylist, body)
        let found = Self.found(viewer)
        #expect(found.count == (end == nil ? 0 : 1))
        guard let end, let evidence = found.first else { return }
        #expect(evidence.expected == "held until part 2 of segment 10 is there, or an error")
        #expect(evidence.observed == "after 0 ms a playlist that ends before \(end)")
        #expect(evidence.url.hasSuffix("?_HLS_msn=10&_HLS_part=2"))
    }

    @Test func playlistUnavailable() {
        let viewer = Self.waiting(after: Self.playlist(end: 10))
        viewer.answer(.blockingPlaylist, status: 404)
        #expect(viewer.findings(.playlistUnavailable).count == 1)
    }

    @Test func whereThereAreNoPartsAWholeSegmentIsWaitedFor() {
        let viewer = Self.waiting(after: Self.playlist(end: 10, parts: nil))
        viewer.answer(.blockingPlaylist, Self.playlist(end: 11, parts: nil))
        viewer.answer(.blockingPlaylist, status: 503)
        #expect(Self.found(viewer).isEmpty)
        // Some players ask again at once.
        viewer.fire(.reload)
        viewer.answer(.playlist, Self.playlist(end: 11, parts: nil))
        #expect(Self.found(viewer).isEmpty, "a plain poll may bring nothing new")
        viewer.answer(.blockingPlaylist, Self.playlist(end: 11, parts: nil))
        #expect(Self.found(viewer).map(\.observed) == ["after 0 ms a playlist that ends before segment 11"])
    }
}
