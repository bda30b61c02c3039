import Results
import TestSupport
import Testing

extension DenseHistogram {
    fileprivate init(_ durations: some Sequence<Int64>, digits: HistogramLayout = .two) {
        self.init(digits: digits)
        for duration in durations { record(duration) }
    }
}

@Suite struct DenseHistogramTests {
    private static func durations(seed: UInt64) -> [Int64] {
        var generator = SeededGenerator(seed: seed)
        return generator.durations()
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>, [HistogramLayout.two, .three])
    func extremesAreExactAndPercentilesWithinTheirPrecision(seed: UInt64, digits: HistogramLayout) throws {
        let durations = Self.durations(seed: seed)
        let (sorted, histogram) = (durations.sorted(), DenseHistogram(durations, digits: digits))
        #expect(histogram.count == UInt64(durations.count), "seed \(seed)")
        #expect(histogram.minimumMicroseconds == sorted.first, "seed \(seed)")
        #expect(histogram.maximumMicroseconds == sorted.last, "seed \(seed)")
        #expect(histogram.sumMicroseconds == durations.reduce(0, +), "seed \(seed)")
        for percentile in [0.0, 1, 25, 50, 75, 90, 99, 99.9, 100] {
            let exact = sorted[max(1, Int(percentile * Double(durations.count) / 100 + 0.5)) - 1]
            let told = try #require(histogram.microseconds(atPercentile: percentile))
            let precision: Int64 = digits == .two ? 100 : 1_000
            #expect(told >= exact && told <= exact + exact / precision, "p\(percentile), seed \(seed)")
        }
    }

    @Test(arguments: [0, 1, 2_047, 2_048, 2_049, 4_095, 4_096, 1_000_000, 3_599_999_999, 3_600_000_000] as [Int64])
    func aSingleValueIsItsOwnExtremes(value: Int64) {
        for histogram in [DenseHistogram([value]), DenseHistogram([value], digits: .three)] {
            #expect(histogram.minimumMicroseconds == value && histogram.maximumMicroseconds == value)
            #expect(histogram.outOfRange == 0)
        }
    }

    @Test(
        arguments: [(-1, 1, 0), (Int64.min, 1, 0), (3_600_000_001, 0, 1), (4_200_000_000, 0, 1), (Int64.max, 0, 1)]
            as [(Int64, UInt64, UInt64)]
    ) func aValueOutsideTheRangeIsCountedApart(value: Int64, below: UInt64, above: UInt64) {
        let histogram = DenseHistogram([7, value])
        #expect(histogram.count == 1 && histogram.maximumMicroseconds == 7)
        #expect(histogram.belowZero == below && histogram.aboveRange == above)
    }

    @Test func nothingRecordedHasNoFigures() {
        let empty = DenseHistogram(digits: .three)
        #expect(empty.count == 0 && empty.microseconds(atPercentile: 99) == nil && empty.meanMicroseconds == nil)
        #expect(LatencyResult(empty) == nil)
    }
}
