import ExampleRuns
import Rules
import Testing
import Values

@testable import Results

@Suite struct AnswererResultTests {
    /// So many edges, each with one request more than the one before it, and two requests without a connection.
    static func document(edges: Int, loops: Int = 1) -> ResultDocument {
        let recorders = (0..<loops).map { _ in LoopRecorder() }
        for number in 0..<edges {
            let recorder = recorders[number % loops]
            let edge = Edge(address: "192.0.2.\(number):443", pop: number % 2 == 0 ? "FRA" : "")
            let sample = RequestSample.ended(after: 8_000, edgeSlot: recorder.edgeSlot(of: edge))
            let served = ServedBy(head: "Age: 1", address: edge.address, traceID: "0af7651916cd43dd8448eb211c80319c")
            for _ in 0...number {
                recorder.recordSlow(sample, viewer: number, at: ExampleRun.start + 5_000_000, url: "/p", served: served)
            }
        }
        var refused = RequestSample.ended(.failure(.connectRefused))
        refused.sentAt = 0
        for _ in 0..<2 { recorders[0].record(refused) }
        return ResultDocument(of: RunTotals(merging: recorders.map { $0.whole() }))
    }

    @Test func edgesAreListedByRequestsAndAddUp() throws {
        let edges = try #require(Self.document(edges: 3).edges)
        #expect(edges.each.map(\.name) == ["192.0.2.2:443 FRA", "192.0.2.1:443", "192.0.2.0:443 FRA"])
        #expect(edges.each.map(\.count) == [3, 2, 1])
        #expect(edges.each.allSatisfy { $0.requests["playlist"]?.maximumMicroseconds == 8_000 && $0.errors == 0 })
        #expect(edges.others == nil && edges.withoutConnection == 2)
    }

    @Test(arguments: [1, 3]) func pastTheLimitTheRestIsOneRow(loops: Int) throws {
        let document = Self.document(edges: 150, loops: loops)
        let edges = try #require(document.edges)
        #expect(edges.each.count == EdgeResults.limit)
        let listed = edges.each.reduce(0) { $0 + $1.count }
        let others = try #require(edges.others?["playlist"]?.count)
        #expect(listed + others + edges.withoutConnection == document.requests["playlist"]?.count)
    }

    @Test func failedConnectsAreCountedByAddress() throws {
        let recorders = [LoopRecorder(), LoopRecorder()]
        for recorder in recorders {
            let slot = recorder.edgeSlot(of: Edge(address: "192.0.2.1:443"))
            recorder.record(RequestSample.ended(after: 8_000, edgeSlot: slot))
            for _ in 0..<3 { recorder.connectFailed(at: "192.0.2.2:443") }
        }
        recorders[1].connectFailed(at: "[2001:db8::2]:443")
        let document = ResultDocument(of: RunTotals(merging: recorders.map { $0.whole() }))
        #expect(document.edges?.failedConnects == ["192.0.2.2:443": 6, "[2001:db8::2]:443": 1])
        #expect(try ResultDocument(json: document.json()) == document)
    }

    @Test func aRunOfWhichNobodyKnowsWhoAnsweredSaysNothing() {
        #expect(Self.document(edges: 0).edges == nil)
        #expect(Self.document(edges: 0).slowestAnswers == nil)
    }

    @Test func slowAnswersAreTimedFromTheStartOfTheRun() throws {
        let document = Self.document(edges: 2)
        let slow = try #require(document.slowestAnswers?.first)
        #expect(slow.kind == "playlist" && slow.breakKey == nil && slow.responseMicroseconds == 8_000)
        #expect(slow.offsetMilliseconds == (slow.wallMicroseconds - document.run.startedAtMicroseconds) / 1_000)
        #expect(slow.served == "Age: 1" && slow.traceID == "0af7651916cd43dd8448eb211c80319c")
        #expect(try ResultDocument(json: document.json()) == document)
    }
}
