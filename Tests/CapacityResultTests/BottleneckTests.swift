import Comparison
import TestSupport
import Testing

@testable import Results

@Suite struct BottleneckTests {
    private static func judged(
        _ planned: Int,
        _ outcome: JudgedBreak.Outcome,
        watching: Int? = nil,
        _ requests: [JudgedBreak.Requests] = [],
        edges: [JudgedBreak.Edge] = []
    ) -> JudgedBreak {
        var judged = JudgedBreak.lost(startMicroseconds: 0, planned: planned, reason: "")
        judged.watching = watching ?? planned
        (judged.outcome, judged.requests, judged.edges) = (outcome, requests, edges)
        return judged
    }

    private static func pods(
        _ count: UInt64,
        _ errors: [String: UInt64] = [:],
        p99: Int64 = 100_000,
        kind: String = "pod_manifest"
    ) -> JudgedBreak.Requests { JudgedBreak.Requests(kind: kind, count: count, errors: errors, p99Microseconds: p99) }

    private static func edge(_ address: String, _ errors: UInt64, p99: Int64, pop: String = "") -> JudgedBreak.Edge {
        JudgedBreak.Edge(address: address, pop: pop, count: 100, errors: errors, p99Microseconds: p99)
    }

    private static let several = [
        edge("192.0.2.1:443", 1, p99: 9_000), edge("192.0.2.2:443", 20, p99: 5_000, pop: "FRA"),
    ]

    static let searches: [(name: String, breaks: [JudgedBreak])] = [
        ("no break", []),
        ("nothing was missed", [judged(100, .held), judged(1_000, .censored, [pods(9, ["http_503": 9])])]),
        (
            "errors of one kind, two codes",
            [
                judged(500, .held, [pods(500)]),
                judged(
                    800,
                    .missed,
                    [pods(800, ["http_503": 80, "reset": 40]), pods(1_000, ["timeout": 5], kind: "playlist")]
                ),
            ]
        ),
        ("errors of fewer than one in a hundred", [judged(1_000, .missed, [pods(1_000, ["http_503": 9])])]),
        (
            "late answers beside those of the largest break that held",
            [
                judged(400, .held, [pods(400, p99: 50_000)]), judged(700, .held, [pods(700, p99: 200_000)]),
                judged(1_200, .missed, [pods(1_200, p99: 4_000_000)]),
                judged(900, .missed, [pods(900, p99: 1_500_000)]),
            ]
        ),
        (
            "more time, and more times as much",
            [
                judged(99, .held, [pods(99, p99: 1_980_000), pods(90, p99: 1_010, kind: "pod_playlist")]),
                judged(102, .missed, [pods(102, p99: 2_000_000), pods(90, p99: 1_180, kind: "pod_playlist")]),
            ]
        ),
        ("viewers lost before", [judged(1_000, .missed, watching: 700, [pods(700)])]),
        ("few viewers lost before", [judged(1_000, .missed, watching: 950, [pods(950)])]),
        (
            "the smallest audiences that were missed",
            (1...3).map { judged(2_000 + $0, .missed, [pods(100, ["http_500": 100])]) }
                + (1...3).map { judged(1_000 + $0, .missed, [pods(100, p99: 3_000_000)]) }
        ),
        ("an edge with most errors", [judged(100, .missed, [pods(100)], edges: several)]),
        (
            "an edge that is slower",
            [judged(100, .missed, edges: [edge("192.0.2.1:443", 0, p99: 9_000), edge("192.0.2.2:443", 0, p99: 5_000)])]
        ),
        ("one edge", [judged(100, .missed, edges: [several[1]])]),
        // They had no answer.
        (
            "an edge and requests without a connection",
            [judged(100, .missed, edges: [edge("", 50, p99: 1), several[0]])]
        ),
    ]

    @Test func whatGaveFirstIsPinned() throws {
        let lines = Self.searches.map { search in
            guard let gave = Bottleneck(search.breaks) else { return "\(search.name): nothing\n" }
            let share = gave.sharePercent.map { ", \($0)%" } ?? ""
            let times = [gave.p99Microseconds, gave.heldP99Microseconds].map { $0.map { "\($0) us" } ?? "none" }
            return
                "\(search.name): \(gave.form.rawValue) of \(gave.kind ?? "none")\(share), code \(gave.code ?? "none"),"
                + " p99 \(times[0]) and \(times[1]) held, edge \(gave.edge ?? "none")\n  \(gave.text)\n"
        }
        try GoldenFile.expect(lines.joined(), at: "Tests/CapacityResultTests/Goldens/bottlenecks.txt")
    }

    @Test func whatBeginsABreakIsPodsOrAssetListsWhicheverAreMore() {
        let (lists, playlists) = (Self.pods(20, kind: "asset_list"), Self.pods(900, kind: "playlist"))
        #expect(Self.judged(1, .held, [Self.pods(10), lists, playlists]).beginning?.kind == "asset_list")
        #expect(Self.judged(1, .held, [playlists]).beginning?.kind == "playlist")
        #expect(Self.judged(1, .held).beginning == nil)
    }
}
