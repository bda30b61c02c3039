import ExampleRuns
import Foundation
import JSON
import Rulebook
import TestSupport
import Testing

@testable import Recording
@testable import RunResult

/// Who answered and who was slow, as a result says it.
@Suite struct AnswererResultTests {
    /// So many edges, each with one request more than the one before it, and two requests without a connection.
    private static func totals(edges: Int, loops: Int = 1) -> RunTotals {
        let recorders = (0..<loops).map { _ in LoopRecorder() }
        for number in 0..<edges {
            let recorder = recorders[number % loops]
            let edge = Edge(address: "192.0.2.\(number):443", pop: number % 2 == 0 ? "FRA" : "")
            let slot = recorder.edgeSlot(of: edge)
            for _ in 0...number {
                var sample = RequestSample(
                    kind: .playlist,
                    outcome: .status(200),
                    plannedAt: 1,
                    sentAt: 1,
                    doneAt: 8_000_001
                )
                sample.edgeSlot = slot
                guard recorder.record(sample) else { continue }
                recorder.keepSlow(.playlist, breakSlot: -1, wallMicroseconds: ExampleRun.start + 5_000_000) {
                    SlowAnswerDraft(
                        responseMicroseconds: 8_000,
                        wallMicroseconds: ExampleRun.start + 5_000_000,
                        viewer: number,
                        outcome: .status(200)
                    ) {
                        (
                            "/p",
                            ServedBy(head: "Age: 1", address: edge.address, traceID: "0af7651916cd43dd8448eb211c80319c")
                        )
                    }
                }
            }
        }
        for _ in 0..<2 {
            recorders[0].record(
                RequestSample(kind: .playlist, outcome: .failure(.connectRefused), plannedAt: 1, sentAt: 0, doneAt: 2)
            )
        }
        return RunTotals(merging: recorders.map { $0.finish() })
    }

    static func document(edges: Int, loops: Int = 1) -> ResultDocument {
        ResultDocument(
            run: ExampleRun.description(),
            totals: totals(edges: edges, loops: loops),
            health: HealthLog(loopCores: 2, descriptorLimit: 10),
            series: TimeSeries(),
            rules: []
        )
    }

    @Test func edgesAreListedByRequestsAndAddUp() throws {
        let edges = try #require(Self.document(edges: 3).edges)
        #expect(edges.each.map(\.name) == ["192.0.2.2:443 FRA", "192.0.2.1:443", "192.0.2.0:443 FRA"])
        #expect(edges.each.map(\.count) == [3, 2, 1])
        #expect(edges.each.allSatisfy { $0.requests["playlist"]?.maximumMicroseconds == 8_000 && $0.errors == 0 })
        #expect(edges.others == nil && edges.withoutConnection == 2)
    }

    @Test(arguments: [1, 3])
    func pastTheLimitTheRestIsOneRow(loops: Int) throws {
        let document = Self.document(edges: 150, loops: loops)
        let edges = try #require(document.edges)
        #expect(edges.each.count == EdgeResults.limit)
        let listed = edges.each.reduce(0) { $0 + $1.count }
        let others = try #require(edges.others?["playlist"]?.count)
        #expect(listed + others + edges.withoutConnection == document.requests["playlist"]?.count)
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
