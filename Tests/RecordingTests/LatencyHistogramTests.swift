import Recording
import RunResult
import TestSupport
import Testing

@Suite struct LatencyHistogramTests {
    private func random(seed: UInt64) -> [Int64] {
        var generator = SeededGenerator(seed: seed)
        return generator.durations()
    }

    private func loop(_ values: [Int64]) -> LatencyHistogram {
        values.reduce(into: LatencyHistogram()) { $0.record($1) }
    }

    @Test(arguments: 1...40 as ClosedRange<UInt64>)
    func percentilesStayWithinATenthOfAPercentOfTheSortedValues(seed: UInt64) {
        let values = random(seed: seed)
        let sorted = values.sorted()
        let histogram = loop(values)
        for percentile in [0.0, 1, 25, 50, 75, 90, 99, 99.9, 100] {
            let rank = max(1, Int(percentile * Double(values.count) / 100 + 0.5))
            let exact = sorted[rank - 1]
            let observed = histogram.microseconds(atPercentile: percentile) ?? -1
            #expect(observed >= exact, "seed \(seed), p\(percentile)")
            #expect(Double(observed - exact) <= Double(exact) / 1_000, "seed \(seed), p\(percentile)")
        }
    }

    @Test(arguments: 1...40 as ClosedRange<UInt64>)
    func countExtremesAndSumAreExact(seed: UInt64) {
        let values = random(seed: seed)
        let histogram = loop(values)
        #expect(histogram.count == UInt64(values.count), "seed \(seed)")
        #expect(histogram.minimumMicroseconds == values.min(), "seed \(seed)")
        #expect(histogram.maximumMicroseconds == values.max(), "seed \(seed)")
        #expect(histogram.sumMicroseconds == values.reduce(0, +), "seed \(seed)")
    }

    @Test(arguments: [0, 1, 2_047, 2_048, 2_049, 4_095, 4_096, 1_000_000, 3_599_999_999, 3_600_000_000] as [Int64])
    func aSingleValueIsItsOwnExtremes(value: Int64) {
        let histogram = loop([value])
        #expect(histogram.minimumMicroseconds == value)
        #expect(histogram.maximumMicroseconds == value)
        #expect(histogram.outOfRange == 0)
    }

    @Test(
        arguments: [
            (-1, 1, 0), (Int64.min, 1, 0), (3_600_000_001, 0, 1), (4_200_000_000, 0, 1), (Int64.max, 0, 1),
        ] as [(Int64, UInt64, UInt64)]
    )
    func aValueOutsideTheRangeIsCountedApart(value: Int64, below: UInt64, above: UInt64) {
        let histogram = loop([7, value])
        #expect(histogram.count == 1)
        #expect(histogram.maximumMicroseconds == 7)
        #expect(histogram.belowZero == below)
        #expect(histogram.aboveRange == above)
    }

    @Test func nothingRecordedHasNoPercentile() {
        let histogram = LatencyHistogram()
        #expect(histogram.microseconds(atPercentile: 99) == nil)
        #expect(histogram.meanMicroseconds == nil)
        #expect(LatencyResult(histogram) == nil)
    }
}
