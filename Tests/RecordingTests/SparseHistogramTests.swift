import TestSupport
import Testing

@testable import Results

@Suite struct SparseHistogramTests {
    private func recorded(_ durations: [Int64]) -> DenseHistogram {
        durations.reduce(into: DenseHistogram(digits: .three)) { $0.record($1) }
    }

    @Test(arguments: 1...10 as ClosedRange<UInt64>) func theSumOfIntervalsIsTheWholeInAnyOrder(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let parts = (0..<Int.random(in: 1...8, using: &generator)).map { _ in generator.durations(0...300) }
        let whole = SparseHistogram(recorded(parts.flatMap(\.self)))
        for order in [Array(parts.indices), parts.indices.reversed(), parts.indices.shuffled(using: &generator)] {
            var byInterval = SparseHistogram(digits: .three)
            var byLoop = SparseHistogram(digits: .three)
            for part in order {
                byInterval.add(SparseHistogram(recorded(parts[part])))
                byLoop.add(recorded(parts[part]))
            }
            #expect(byInterval == whole, "seed \(seed)")
            #expect(byLoop == whole, "seed \(seed)")
        }
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>) func theNewsOfSeveralBreaksAddsUpInAnyOrder(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let windows = (0..<4).map { _ in
            generator.durations(0...300).reduce(into: DiscoveryWindow()) { $0.count(at: 1_800_000_000_000_000 + $1) }
        }
        let forth = windows.reduce(into: SparseHistogram(digits: .three)) { $0.add($1) }
        let back = windows.reversed().reduce(into: SparseHistogram(digits: .three)) { $0.add($1) }
        #expect(forth == back, "seed \(seed)")
        #expect(forth.count &+ forth.aboveRange == windows.reduce(0) { $0 + $1.viewers }, "seed \(seed)")
        #expect(forth.maximumMicroseconds <= windows.compactMap(\.spreadMicroseconds).max() ?? 0, "seed \(seed)")
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>) func aCoarserSumIsThatOfTheCoarserWhole(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let parts = (0..<4).map { _ in generator.durations(0...300) }
        let sum = parts.reduce(into: SparseHistogram(digits: .two)) { $0.add(SparseHistogram(recorded($1))) }
        let whole = parts.joined().reduce(into: SparseHistogram(digits: .two)) { $0.record($1) }
        #expect(sum == whole, "seed \(seed)")
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>) func roomTakenBeforehandChangesNoFigure(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let parts = (0..<4).map { _ in SparseHistogram(recorded(generator.durations(0...300))) }
        var roomy = SparseHistogram(digits: .three)
        roomy.takeRoom(like: SparseHistogram(recorded(generator.durations())))
        #expect(roomy.isEmpty && roomy == SparseHistogram(digits: .three), "seed \(seed)")
        var plain = SparseHistogram(digits: .three)
        for part in parts {
            roomy.add(part)
            plain.add(part)
            plain.takeRoom(like: roomy)
            #expect(roomy == plain, "seed \(seed)")
        }
    }

    @Test func aSumBeyondAllTimeIsCountedApart() throws {
        let hour = HistogramLayout.highestMicroseconds
        let index = Int32(HistogramLayout.three.index(of: UInt64(hour)))
        let count = UInt64(1) << 30
        let damaged = try SparseHistogram(
            decoded: HdrDecoding.Buckets(digits: .three, indices: [index], counts: [count], sumBounds: 0...(.max)),
            DurationFigures(minimum: hour, maximum: hour, sum: hour << 30)
        )
        var sum = damaged
        sum.add(damaged)
        #expect(sum.count == 2 * count)
        sum.add(damaged)
        #expect((sum.count, sum.aboveRange) == (2 * count, count))
        #expect(sum.microseconds(atPercentile: 99) != nil)
    }

    @Test func whatLiesOutsideIsAddedUpApart() {
        var sum = SparseHistogram(recorded([-1, 7]))
        sum.add(SparseHistogram(recorded([.max])))
        sum.add(recorded([.min, 3_600_000_001]))
        #expect((sum.count, sum.belowZero, sum.aboveRange) == (1, 2, 2))
    }
}
