import Rules
import Testing

@testable import Results
@testable import Swarm

/// Which exchanges a run keeps, and what of them.
@Suite struct ExchangeTests {
    /// Viewer 3 of five gets another pod than the rest.
    private static func kept(_ ask: (inout ExchangesAsked) -> Void = { _ in }) throws -> [Exchange] {
        let bench = try ScriptedCrowd.comparing("pods: {match: all}", viewers: 5)
        ask(&bench.crowd.recorder.exchanges.asked)
        let headers = ["date": "now", "x-token": "hush-hush-hush"]
        bench.give({ AnswerBody.pod(folder: $0 == 3 ? "other" : "ads") }, headers: headers)
        let totals = bench.totals
        let findings = FindingResult.all(totals.findings, joined: 5, allowed: FindingAllowances())
        return try #require(totals.exchanges.listed(findings)).filter { $0.kind == "pod_manifest" }
    }

    @Test func ofAFindingTheHeadIsKept() throws {
        let kept = try Self.kept()
        let one = try #require(kept.first { $0.findings.contains("pod_mismatch") })
        #expect(kept.allSatisfy { $0.body == nil } && one.viewer == 3 && one.status == 200 && one.bodyBytes > 0)
        #expect(one.fields.contains(.init(name: "date", value: "now")))
        #expect(one.fields.contains(.init(name: "x-token", value: "…")))
    }

    @Test func ofAFindingThatIsAskedForEachPodIsKeptWhole() throws {
        let kept = try Self.kept { $0.codes = ["pod_mismatch"] }.filter { $0.findings.contains("pod_mismatch") }
        #expect(kept.map(\.viewer) == [0, 3] && kept.allSatisfy { $0.body?.hasPrefix("#EXTM3U") == true })
    }

    @Test func ofAViewerThatIsAskedForEachExchangeIsKeptWhole() throws {
        let kept = try Self.kept { $0.viewers = [1...1] }.filter { $0.viewer == 1 }
        #expect(kept.count == 1 && kept[0].body?.hasPrefix("#EXTM3U") == true)
        #expect(!kept[0].findings.contains("pod_mismatch"))
    }

    private static func exchange(_ number: Int, findings: Int = 0) -> Exchange {
        var exchange = Exchange(viewer: number % 7, kind: "playlist", wallMicroseconds: Int64(number))
        exchange.viewerFindings = findings
        return exchange
    }

    /// Limits hold for a loop and for the sum of loops, whose order does not matter.
    @Test func theFirstAreKeptAndTheOthersCounted() throws {
        let parts = [0, 1].map { part in
            var desk = ExchangeDesk()
            for number in 0..<600 * (part + 1) { desk.keep { Self.exchange(2 * number + part) } }
            return desk.take()
        }
        #expect(parts[1].asked.count == ExchangeLedger.most && parts[1].notKept == 200)
        let sum = parts[0].adding(parts[1])
        #expect(sum == parts[1].adding(parts[0]))
        #expect(sum.asked.map(\.wallMicroseconds) == (0..<1_000).map { Int64($0) } && sum.notKept == 800)
    }

    @Test func theWorstViewerIsTheOneWithMostFindings() {
        var desk = ExchangeDesk()
        for (number, findings) in [(1, 1), (2, 1), (3, 4), (4, 5), (5, 9), (6, 2)] {
            desk.begin()
            desk.found(.podMismatch)
            desk.keepFound(viewerFindings: findings) { Self.exchange(number) }
        }
        let kept = desk.take().ofFindings["pod_mismatch"]
        #expect(kept?.first.wallMicroseconds == 1 && kept?.worst.wallMicroseconds == 5)
    }
}
