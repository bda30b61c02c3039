import Testing

@testable import CapacityResult

@Suite struct BottleneckTests {
    private func judged(
        _ planned: Int,
        _ outcome: JudgedBreak.Outcome,
        watching: Int? = nil,
        requests: [JudgedBreak.Requests] = [],
        edges: [JudgedBreak.Edge] = []
    ) -> JudgedBreak {
        var judged = JudgedBreak.lost(startMicroseconds: 0, planned: planned, reason: "")
        judged.watching = watching ?? planned
        (judged.outcome, judged.requests, judged.edges) = (outcome, requests, edges)
        return judged
    }

    private func pods(_ count: UInt64, _ errors: [String: UInt64] = [:], p99: Int64 = 100_000) -> JudgedBreak.Requests {
        JudgedBreak.Requests(kind: "pod_manifest", count: count, errors: errors, p99Microseconds: p99)
    }

    @Test func whereNothingWasMissedNothingGave() {
        #expect(Bottleneck([]) == nil)
        #expect(
            Bottleneck([judged(100, .held), judged(1_000, .censored, requests: [pods(9, ["http_503": 9])])]) == nil
        )
    }

    @Test func errorsOfOneKindAreToldWithTheMostCommonCode() throws {
        let playlists = JudgedBreak.Requests(kind: "playlist", count: 1_000, errors: ["timeout": 5])
        let gave = try #require(
            Bottleneck([
                judged(500, .held, requests: [pods(500)]),
                judged(800, .missed, requests: [pods(800, ["http_503": 80, "reset": 40]), playlists]),
            ])
        )
        #expect(gave.form == .errors)
        #expect(gave.kind == "pod_manifest")
        #expect(gave.code == "http_503")
        #expect(gave.sharePercent == 10)
        #expect(gave.text == "pod_manifest failed first: http_503 for 10% of its requests.")
    }

    @Test func errorsOfFewerThanOneInAHundredAreNotWhatGave() throws {
        let gave = try #require(Bottleneck([judged(1_000, .missed, requests: [pods(1_000, ["http_503": 9])])]))
        #expect(gave.form == .latency)
        #expect(gave.code == nil)
    }

    @Test func lateAnswersAreHeldAgainstThoseOfTheLargestBreakThatHeld() throws {
        let gave = try #require(
            Bottleneck([
                judged(400, .held, requests: [pods(400, p99: 50_000)]),
                judged(700, .held, requests: [pods(700, p99: 200_000)]),
                judged(1_200, .missed, requests: [pods(1_200, p99: 4_000_000)]),
                judged(900, .missed, requests: [pods(900, p99: 1_500_000)]),
            ])
        )
        #expect(gave.form == .latency)
        #expect(gave.kind == "pod_manifest")
        #expect(gave.p99Microseconds == 1_500_000)
        #expect(gave.heldP99Microseconds == 200_000)
        #expect(gave.text.contains("1.50 s"))
        #expect(gave.text.contains("200 ms"))
    }

    @Test func whatTookMostTimeMoreGaveAndNotWhatGrewByMostTimes() throws {
        func playlists(_ p99: Int64) -> JudgedBreak.Requests {
            JudgedBreak.Requests(kind: "pod_playlist", count: 90, errors: [:], p99Microseconds: p99)
        }
        let gave = try #require(
            Bottleneck([
                judged(99, .held, requests: [pods(99, p99: 1_980_000), playlists(1_010)]),
                judged(102, .missed, requests: [pods(102, p99: 2_000_000), playlists(1_180)]),
            ])
        )
        #expect(gave.kind == "pod_manifest")
    }

    @Test func whatBeginsABreakIsPodsOrAssetListsWhicheverAreMore() {
        let lists = JudgedBreak.Requests(kind: "asset_list", count: 20)
        let playlists = JudgedBreak.Requests(kind: "playlist", count: 900)
        #expect(judged(1, .held, requests: [pods(10), lists, playlists]).beginning?.kind == "asset_list")
        #expect(judged(1, .held, requests: [playlists]).beginning?.kind == "playlist")
        #expect(judged(1, .held).beginning == nil)
    }

    @Test func viewersThatWereNotThereWereLostBefore() throws {
        let gave = try #require(Bottleneck([judged(1_000, .missed, watching: 700, requests: [pods(700)])]))
        #expect(gave.form == .joining)
        #expect(gave.text == "Viewers were lost before the break: 700 of 1000 were there.")
        #expect(Bottleneck([judged(1_000, .missed, watching: 950, requests: [pods(950)])])?.form == .latency)
    }

    @Test func onlyTheSmallestAudiencesThatWereMissedAreLookedAt() throws {
        let broken = (1...3).map { judged(2_000 + $0, .missed, requests: [pods(100, ["http_500": 100])]) }
        let late = (1...3).map { judged(1_000 + $0, .missed, requests: [pods(100, p99: 3_000_000)]) }
        #expect(Bottleneck(broken + late)?.form == .latency)
    }

    @Test func ofSeveralEdgesTheOneWithMostErrorsIsNamed() throws {
        func edge(_ address: String, _ errors: UInt64, p99: Int64, pop: String = "") -> JudgedBreak.Edge {
            JudgedBreak.Edge(address: address, pop: pop, count: 100, errors: errors, p99Microseconds: p99)
        }
        let several = [edge("192.0.2.1:443", 1, p99: 9_000), edge("192.0.2.2:443", 20, p99: 5_000, pop: "FRA")]
        let gave = try #require(Bottleneck([judged(100, .missed, requests: [pods(100)], edges: several)]))
        #expect(gave.edge == "192.0.2.2:443 (FRA)")
        #expect(gave.text.hasSuffix("192.0.2.2:443 (FRA) answered worst."))
        // Where errors do not tell them apart, time does.
        let slow = [edge("192.0.2.1:443", 0, p99: 9_000), edge("192.0.2.2:443", 0, p99: 5_000)]
        #expect(Bottleneck([judged(100, .missed, edges: slow)])?.edge == "192.0.2.1:443")
        #expect(Bottleneck([judged(100, .missed, edges: [several[1]])])?.edge == nil)
        // Requests without a connection were answered by nobody.
        #expect(Bottleneck([judged(100, .missed, edges: [edge("", 50, p99: 1), several[0]])])?.edge == nil)
    }
}
