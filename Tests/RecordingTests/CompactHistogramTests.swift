import Recording
import RunResult
import TestSupport
import Testing

@Suite struct CompactHistogramTests {
    private func histogram(_ durations: [Int64]) -> CompactHistogram {
        var histogram = CompactHistogram()
        for duration in durations { histogram.record(duration) }
        return histogram
    }

    private func durations(seed: UInt64) -> [Int64] {
        var generator = SeededGenerator(seed: seed)
        return generator.durations()
    }

    @Test func nothingRecordedHasNoFigures() {
        let empty = CompactHistogram()
        #expect(empty.count == 0)
        #expect(empty.microseconds(atPercentile: 50) == nil)
        #expect(LatencyResult(empty) == nil)
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func extremesAreExactAndPercentilesWithinOnePercent(seed: UInt64) throws {
        let durations = durations(seed: seed).sorted()
        let histogram = histogram(durations.reversed())
        #expect(histogram.count == UInt64(durations.count), "seed \(seed)")
        #expect(histogram.minimumMicroseconds == durations.first, "seed \(seed)")
        #expect(histogram.maximumMicroseconds == durations.last, "seed \(seed)")
        #expect(histogram.sumMicroseconds == durations.reduce(0, +), "seed \(seed)")
        for percentile in [1.0, 50, 90, 99, 99.9, 100] {
            let rank = max(1, Int(percentile * Double(durations.count) / 100 + 0.5))
            let exact = durations[rank - 1]
            let told = try #require(histogram.microseconds(atPercentile: percentile))
            #expect(told >= exact && told <= exact + exact / 100, "p\(percentile), seed \(seed)")
        }
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func theSumOfPartsIsTheWhole(seed: UInt64) {
        let durations = durations(seed: seed)
        let middle = durations.count / 3
        let (one, two) = (histogram(Array(durations[..<middle])), histogram(Array(durations[middle...])))
        var forth = one
        forth.add(two)
        var back = two
        back.add(one)
        #expect(forth == back, "seed \(seed)")
        #expect(forth == histogram(durations), "seed \(seed)")
    }

    @Test func whatLiesOutsideIsCountedApart() {
        let histogram = histogram([-1, 3_600_000_000, 3_600_000_001, .min, .max])
        #expect(histogram.count == 1)
        #expect(histogram.outOfRange == 4)
        #expect(histogram.maximumMicroseconds == 3_600_000_000)
    }
}
