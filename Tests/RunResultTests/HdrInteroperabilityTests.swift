import Foundation
import Recording
import RunResult
import TestSupport
import Testing

@Suite struct HdrInteroperabilityTests {
    private struct Decoded: Codable {
        var count: UInt64
        var minimum: Int64
        var maximum: Int64
        var percentiles: [Int64]
    }

    private static let script = """
        import json, sys
        from hdrh.histogram import HdrHistogram
        with open(sys.argv[1]) as file: data = json.load(file)
        out = []
        for text in data:
            h = HdrHistogram.decode(text)
            out.append({"count": h.get_total_count(), "minimum": h.get_min_value(), "maximum": h.get_max_value(),
                        "percentiles": [h.get_value_at_percentile(p) for p in (50, 90, 95, 99, 99.9)]})
        print(json.dumps(out))
        """

    private static func histograms() -> [LatencyHistogram] {
        (1...60 as ClosedRange<UInt64>).map { seed in
            var generator = SeededGenerator(seed: seed)
            var histogram = LatencyHistogram()
            let ceiling = [10, 3_000, 90_000, 5_000_000, 3_600_000_000][Int(seed % 5)] as Int64
            for _ in 0..<Int.random(in: 1...700, using: &generator) {
                histogram.record(Int64.random(in: 0...ceiling, using: &generator))
            }
            return histogram
        }
    }

    @Test func pythonReadsTheSameCountExtremesAndPercentiles() throws {
        let results = try Self.histograms().map { try #require(LatencyResult($0)) }
        let input = try JSONEncoder().encode(results.map(\.histogram.data))
        let output = try InstalledProgram.python(Self.script, input)
        let decoded = try JSONDecoder().decode([Decoded].self, from: output)
        try #require(decoded.count == results.count)
        for (index, (ours, theirs)) in zip(results, decoded).enumerated() {
            let percentiles = [
                ours.p50Microseconds, ours.p90Microseconds, ours.p95Microseconds, ours.p99Microseconds,
                ours.p999Microseconds,
            ]
            #expect(theirs.count == ours.count, "seed \(index + 1)")
            #expect(theirs.minimum == ours.histogram.minimumMicroseconds, "seed \(index + 1)")
            #expect(theirs.maximum == ours.histogram.maximumMicroseconds, "seed \(index + 1)")
            #expect(theirs.percentiles == percentiles, "seed \(index + 1)")
        }
    }

    @Test func pythonReadsTheCompactOneAlike() throws {
        let results = try (1...60 as ClosedRange<UInt64>).map { seed in
            var generator = SeededGenerator(seed: seed)
            var histogram = CompactHistogram()
            let ceiling = [10, 300, 90_000, 5_000_000, 3_600_000_000][Int(seed % 5)] as Int64
            for _ in 0..<Int.random(in: 1...700, using: &generator) {
                histogram.record(Int64.random(in: 0...ceiling, using: &generator))
            }
            return try #require(LatencyResult(histogram))
        }
        let input = try JSONEncoder().encode(results.map(\.histogram.data))
        let output = try InstalledProgram.python(Self.script, input)
        let decoded = try JSONDecoder().decode([Decoded].self, from: output)
        try #require(decoded.count == results.count)
        for (index, (ours, theirs)) in zip(results, decoded).enumerated() {
            let percentiles = [
                ours.p50Microseconds, ours.p90Microseconds, ours.p95Microseconds, ours.p99Microseconds,
                ours.p999Microseconds,
            ]
            #expect(theirs.count == ours.count, "seed \(index + 1)")
            #expect(theirs.minimum == ours.histogram.minimumMicroseconds, "seed \(index + 1)")
            #expect(theirs.maximum == ours.histogram.maximumMicroseconds, "seed \(index + 1)")
            #expect(theirs.percentiles == percentiles, "seed \(index + 1)")
        }
    }

    @Test func pythonReadsCountsThatNeedEveryLengthOfNumber() throws {
        var histogram = LatencyHistogram()
        for _ in 0..<70_000 { histogram.record(5) }
        histogram.record(3_600_000_000)
        let result = try #require(LatencyResult(histogram))
        let output = try InstalledProgram.python(Self.script, JSONEncoder().encode([result.histogram.data]))
        let decoded = try #require(try JSONDecoder().decode([Decoded].self, from: output).first)
        #expect(decoded.count == 70_001)
        #expect(decoded.minimum == 5)
        #expect(decoded.percentiles == [5, 5, 5, 5, 5])
    }
}
