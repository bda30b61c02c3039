import Results
import TestSupport
import Testing

/// A distribution that durations are recorded into one by one.
protocol RecordedDistribution {
    /// How much larger than the exact value a percentile may be told.
    static var precision: Int64 { get }

    init()
    var count: UInt64 { get }
    var outOfRange: UInt64 { get }
    var minimumMicroseconds: Int64 { get }
    var maximumMicroseconds: Int64 { get }
    var sumMicroseconds: Int64 { get }
    mutating func record(_ microseconds: Int64)
    func microseconds(atPercentile percentile: Double) -> Int64?
}

extension LatencyHistogram: RecordedDistribution {
    static var precision: Int64 { 1_000 }
}

extension CompactHistogram: RecordedDistribution {
    static var precision: Int64 { 100 }
}

extension RecordedDistribution {
    fileprivate init(_ durations: some Sequence<Int64>) {
        self.init()
        for duration in durations { record(duration) }
    }
}

@Suite struct LatencyHistogramTests {
    private static func durations(seed: UInt64) -> [Int64] {
        var generator = SeededGenerator(seed: seed)
        return generator.durations()
    }

    private func expectExact<Distribution: RecordedDistribution>(_: Distribution.Type, seed: UInt64) throws {
        let durations = Self.durations(seed: seed)
        let (sorted, histogram) = (durations.sorted(), Distribution(durations))
        #expect(histogram.count == UInt64(durations.count), "seed \(seed)")
        #expect(histogram.minimumMicroseconds == sorted.first, "seed \(seed)")
        #expect(histogram.maximumMicroseconds == sorted.last, "seed \(seed)")
        #expect(histogram.sumMicroseconds == durations.reduce(0, +), "seed \(seed)")
        for percentile in [0.0, 1, 25, 50, 75, 90, 99, 99.9, 100] {
            let exact = sorted[max(1, Int(percentile * Double(durations.count) / 100 + 0.5)) - 1]
            let told = try #require(histogram.microseconds(atPercentile: percentile))
            #expect(told >= exact && told <= exact + exact / Distribution.precision, "p\(percentile), seed \(seed)")
        }
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func extremesAreExactAndPercentilesWithinTheirPrecision(seed: UInt64) throws {
        try expectExact(LatencyHistogram.self, seed: seed)
        try expectExact(CompactHistogram.self, seed: seed)
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>) func theSumOfPartsIsTheWhole(seed: UInt64) {
        let durations = Self.durations(seed: seed)
        let middle = durations.count / 3
        let (one, two) = (CompactHistogram(durations[..<middle]), CompactHistogram(durations[middle...]))
        var forth = one
        forth.add(two)
        var back = two
        back.add(one)
        #expect(forth == back, "seed \(seed)")
        #expect(forth == CompactHistogram(durations), "seed \(seed)")
    }

    @Test(arguments: [0, 1, 2_047, 2_048, 2_049, 4_095, 4_096, 1_000_000, 3_599_999_999, 3_600_000_000] as [Int64])
    func aSingleValueIsItsOwnExtremes(value: Int64) {
        for histogram in [LatencyHistogram([value]), CompactHistogram([value])] as [any RecordedDistribution] {
            #expect(histogram.minimumMicroseconds == value && histogram.maximumMicroseconds == value)
            #expect(histogram.outOfRange == 0)
        }
    }

    @Test(
        arguments: [(-1, 1, 0), (Int64.min, 1, 0), (3_600_000_001, 0, 1), (4_200_000_000, 0, 1), (Int64.max, 0, 1)]
            as [(Int64, UInt64, UInt64)]
    ) func aValueOutsideTheRangeIsCountedApart(value: Int64, below: UInt64, above: UInt64) {
        let (fine, compact) = (LatencyHistogram([7, value]), CompactHistogram([7, value]))
        #expect(fine.count == 1 && fine.maximumMicroseconds == 7)
        #expect(fine.belowZero == below && fine.aboveRange == above)
        #expect(compact.count == 1 && compact.maximumMicroseconds == 7 && compact.outOfRange == 1)
    }

    @Test func nothingRecordedHasNoFigures() {
        let (fine, compact) = (LatencyHistogram(), CompactHistogram())
        #expect(fine.count == 0 && fine.microseconds(atPercentile: 99) == nil && fine.meanMicroseconds == nil)
        #expect(compact.count == 0 && compact.microseconds(atPercentile: 50) == nil)
        #expect(LatencyResult(fine) == nil && LatencyResult(compact) == nil)
    }
}
