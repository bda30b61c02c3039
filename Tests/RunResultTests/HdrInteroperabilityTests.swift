import Foundation
import Results
import TestSupport
import Testing

/// What the HdrHistogram of Python reads of what is written.
@Suite struct HdrInteroperabilityTests {
    private struct Figures: Codable, Equatable {
        var count: UInt64
        var minimum: Int64
        var maximum: Int64
        var percentiles: [Int64]

        init(_ result: LatencyResult) {
            count = result.count
            minimum = result.histogram.minimumMicroseconds
            maximum = result.histogram.maximumMicroseconds
            percentiles = [
                result.p50Microseconds, result.p90Microseconds, result.p95Microseconds, result.p99Microseconds,
                result.p999Microseconds,
            ]
        }
    }

    private static func read(_ results: [LatencyResult]) throws -> [Figures] {
        let script = try PackageFolder.text("\(HdrDecodingTests.readers)/figures.py")
        let input = try JSONEncoder().encode(results.map(\.histogram.data))
        return try JSONDecoder().decode([Figures].self, from: InstalledProgram.python(script, input))
    }

    @Test func pythonReadsTheSameCountExtremesAndPercentilesOfBothPrecisions() throws {
        let results = try (1...60).flatMap { try HdrDecodingTests.results(seed: $0).map(\.0) }
        let figures = try Self.read(results)
        try #require(figures.count == results.count)
        for (index, (ours, theirs)) in zip(results, figures).enumerated() {
            #expect(theirs == Figures(ours), "seed \(index / 2 + 1)")
        }
    }

    @Test func pythonReadsCountsThatNeedEveryLengthOfNumber() throws {
        var histogram = DenseHistogram(digits: .three)
        for _ in 0..<70_000 { histogram.record(5) }
        histogram.record(3_600_000_000)
        let result = try #require(LatencyResult(histogram))
        let figures = try #require(Self.read([result]).first)
        #expect(figures.count == 70_001 && figures.minimum == 5 && figures.percentiles == [5, 5, 5, 5, 5])
    }
}
