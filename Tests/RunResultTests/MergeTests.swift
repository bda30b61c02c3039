import ExampleRuns
import Foundation
import Results
import Rules
import TestSupport
import Testing
import Values

@Suite struct MergeTests {
    /// Loops that share breaks, findings and identifiers.
    private func loops(_ count: Int, using generator: inout SeededGenerator) -> [LoopInterval] {
        (0..<count).map { loop in
            let recorder = LoopRecorder()
            for _ in 0..<Int.random(in: 0...90, using: &generator) {
                LoopScript.act(on: [recorder], loop: loop, using: &generator)
            }
            return recorder.whole()
        }
    }

    private func json(_ loops: [LoopInterval]) throws -> String {
        String(decoding: try ResultDocument(of: RunTotals(merging: loops)).json(), as: UTF8.self)
    }

    @Test(arguments: 1...6 as ClosedRange<UInt64>) func theOrderOfLoopsDoesNotMatter(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let loops = loops(5, using: &generator)
        let expected = try json(loops)
        #expect(try json(loops.reversed()) == expected, "seed \(seed)")
        #expect(try json(loops.shuffled(using: &generator)) == expected, "seed \(seed)")
    }

    @Test(arguments: 1...6 as ClosedRange<UInt64>) func nothingIsLostByMerging(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let loops = loops(4, using: &generator)
        let merged = RunTotals(merging: loops)
        let single = loops.map { RunTotals(merging: [$0]) }
        func expectSum(_ figure: (RunTotals) -> UInt64) {
            #expect(figure(merged) == single.reduce(0) { $0 + figure($1) }, "seed \(seed)")
        }
        for kind in RequestKind.allCases {
            expectSum { $0.requestCount(of: kind) }
            expectSum { $0.requests.count(kind, .repeated) }
            for carrier in Carrier.allCases { expectSum { $0.requests.carried(kind, by: carrier) } }
            for metric in LatencyMetric.allCases {
                expectSum { $0.latency(kind, metric).count }
                expectSum { UInt64($0.latency(kind, metric).sumMicroseconds) }
                let used = single.map { $0.latency(kind, metric) }.filter { $0.count > 0 }
                let whole = merged.latency(kind, metric)
                #expect(whole.maximumMicroseconds == used.map(\.maximumMicroseconds).max() ?? 0, "seed \(seed)")
                #expect(whole.minimumMicroseconds == used.map(\.minimumMicroseconds).min() ?? 0, "seed \(seed)")
            }
        }
        for counter in ViewerCounter.allCases { expectSum { $0.count(of: counter) } }
        expectSum { $0.breaks.reduce(0) { $0 + $1.due } }
        expectSum { $0.breaks.reduce(0) { $0 + $1.sendLateness.count } }
        expectSum { $0.breaks.reduce(0) { $0 + UInt64($1.sendLateness.sumMicroseconds) } }
        let sends = single.flatMap(\.breaks).map(\.sendLateness.maximumMicroseconds)
        #expect(merged.breaks.map(\.sendLateness.maximumMicroseconds).max() == sends.max())
    }

    @Test func nothingMergedIsAnEmptyRun() {
        let totals = RunTotals(merging: [])
        #expect(totals.breaks.isEmpty && totals.findings.isEmpty)
        #expect(RequestKind.allCases.allSatisfy { totals.requestCount(of: $0) == 0 })
    }
}
