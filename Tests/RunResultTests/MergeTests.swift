import ExampleRuns
import Foundation
import JSON
import Recording
import Rulebook
import RunResult
import TestSupport
import Testing

@Suite struct MergeTests {
    /// A loop that shares breaks, findings and identifiers with the others.
    private func loop(_ index: Int, using generator: inout SeededGenerator) -> LoopTotals {
        let recorder = LoopRecorder()
        for _ in 0..<Int.random(in: 0...40, using: &generator) {
            let kind = RequestKind(rawValue: UInt8.random(in: 0..<9, using: &generator)) ?? .playlist
            var sample = ExampleRun.sample(kind, at: ExampleRun.second, using: &generator)
            if Bool.random(using: &generator) { sample.outcome = .failure(.reset) }
            if Bool.random(using: &generator) { sample.carrier = .exchange }
            recorder.record(sample)
            recorder.countRepeated(kind, by: UInt64.random(in: 0...2, using: &generator))
        }
        for _ in 0..<Int.random(in: 0...30, using: &generator) {
            let key = ["a", "b", "c"][Int.random(in: 0..<3, using: &generator)]
            let slot = recorder.breakSlot(for: key, start: Int64(key.utf8.first ?? 0), durationMilliseconds: 5)
            let viewer = index * 10 + Int.random(in: 0..<10, using: &generator)
            let wall = Int64.random(in: 0..<1_000_000, using: &generator)
            let identifier = "pod/\(Int.random(in: 0..<4, using: &generator))"
            recorder.viewerDue(slot)
            recorder.viewerLate(slot, lateness: wall)
            var manifest = ExampleRun.sample(.podManifest, at: ExampleRun.second, using: &generator)
            manifest.breakSlot = slot
            recorder.record(manifest)
            recorder.podRequested(slot, identifier: identifier, viewer: viewer, wallMicroseconds: wall)
            recorder.podObserved(
                slot,
                .pod(identifier),
                fingerprint: UInt64.random(in: 0..<3, using: &generator),
                viewer: viewer,
                wallMicroseconds: 0,
                evidence: Evidence(url: "\(viewer) \(wall)", expected: "", observed: "")
            )
            recorder.finding(
                .podUnderfilled,
                viewer: viewer,
                breakSlot: slot,
                wallMicroseconds: wall / 1_000,
                evidence: Evidence(url: "\(wall)", expected: "", observed: "")
            )
        }
        recorder.count(.joined, by: 10)
        return recorder.finish()
    }

    private func json(_ loops: [LoopTotals]) throws -> String {
        let document = ResultDocument(
            run: ExampleRun.description(),
            totals: RunTotals(merging: loops),
            health: HealthLog(loopCores: 2, descriptorLimit: 10),
            series: TimeSeries(),
            rules: []
        )
        return String(decoding: try document.json(), as: UTF8.self)
    }

    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func theOrderOfLoopsDoesNotMatter(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let loops = (0..<5).map { loop($0, using: &generator) }
        let expected = try json(loops)
        #expect(try json(loops.reversed()) == expected, "seed \(seed)")
        #expect(try json(loops.shuffled(using: &generator)) == expected, "seed \(seed)")
    }

    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func nothingIsLostByMerging(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let loops = (0..<4).map { loop($0, using: &generator) }
        let merged = RunTotals(merging: loops)
        let single = loops.map { RunTotals(merging: [$0]) }
        for kind in RequestKind.allCases {
            #expect(merged.requestCount(of: kind) == single.reduce(0) { $0 + $1.requestCount(of: kind) })
            #expect(merged.repeated(of: kind) == single.reduce(0) { $0 + $1.repeated(of: kind) }, "seed \(seed)")
            for carrier in Carrier.allCases {
                let parts = single.reduce(0) { $0 + $1.carried(of: kind, by: carrier) }
                #expect(merged.carried(of: kind, by: carrier) == parts, "seed \(seed)")
            }
            for metric in LatencyMetric.allCases {
                let parts = single.map { $0.latency(kind, metric) }
                let whole = merged.latency(kind, metric)
                let used = parts.filter { $0.count > 0 }
                #expect(whole.count == parts.reduce(0) { $0 + $1.count }, "seed \(seed)")
                #expect(whole.sumMicroseconds == parts.reduce(0) { $0 + $1.sumMicroseconds }, "seed \(seed)")
                #expect(whole.maximumMicroseconds == used.map(\.maximumMicroseconds).max() ?? 0, "seed \(seed)")
                #expect(whole.minimumMicroseconds == used.map(\.minimumMicroseconds).min() ?? 0, "seed \(seed)")
            }
        }
        let due = single.flatMap(\.breaks).reduce(0) { $0 + $1.due }
        #expect(merged.breaks.reduce(0) { $0 + $1.due } == due, "seed \(seed)")
        let sends = single.flatMap(\.breaks).map(\.sendLateness)
        #expect(merged.breaks.reduce(0) { $0 + $1.sendLateness.count } == sends.reduce(0) { $0 + $1.count })
        #expect(merged.breaks.map(\.sendLateness.maximumMicroseconds).max() == sends.map(\.maximumMicroseconds).max())
        let sum = merged.breaks.reduce(0) { $0 + $1.sendLateness.sumMicroseconds }
        #expect(sum == sends.reduce(0) { $0 + $1.sumMicroseconds }, "seed \(seed)")
        #expect(merged.count(of: .joined) == 40)
    }

    @Test func nothingMergedIsAnEmptyRun() {
        let totals = RunTotals(merging: [])
        #expect(totals.breaks.isEmpty && totals.findings.isEmpty)
        #expect(RequestKind.allCases.allSatisfy { totals.requestCount(of: $0) == 0 })
    }
}
