import Foundation
import Results
import TestSupport
import Testing

@Suite struct HdrDecodingTests {
    static let readers = "Tests/RunResultTests/Readers"

    static func results(seed: UInt64) throws -> [(LatencyResult, SparseHistogram)] {
        var generator = SeededGenerator(seed: seed)
        var fine = DenseHistogram(digits: .three)
        var coarse = DenseHistogram(digits: .two)
        let ceiling = [1, 300, 90_000, 5_000_000, 3_600_000_000][Int(seed % 5)] as Int64
        for _ in 0..<Int.random(in: 1...400, using: &generator) {
            let value = Int64.random(in: 0...ceiling, using: &generator)
            fine.record(value)
            coarse.record(value)
        }
        return [
            (try #require(LatencyResult(fine)), SparseHistogram(fine)),
            (try #require(LatencyResult(coarse)), SparseHistogram(coarse)),
        ]
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>) func whatWasWrittenIsReadBack(seed: UInt64) throws {
        for (result, expected) in try Self.results(seed: seed) {
            let decoded = try result.decoded()
            #expect(decoded == expected, "seed \(seed)")
            #expect(decoded.microseconds(atPercentile: 99) == result.p99Microseconds, "seed \(seed)")
            #expect(LatencyResult(decoded) == result, "seed \(seed)")
        }
    }

    /// Hardly any bytes, and far more than usual come of them.
    @Test func aDistributionOfEqualBucketsIsReadBack() throws {
        var even = DenseHistogram(digits: .three)
        for value in 0..<60_000 as Range<Int64> { even.record(value) }
        let result = try #require(LatencyResult(even))
        #expect(try result.decoded() == SparseHistogram(even))
    }

    @Test(arguments: 1...2 as ClosedRange<UInt64>)
    func everyDamageIsAnErrorOrLeavesAWholeDistribution(seed: UInt64) throws {
        for (result, _) in try Self.results(seed: seed) {
            let bytes = try #require(Data(base64Encoded: result.histogram.data))
            for index in bytes.indices {
                var damaged = result
                damaged.histogram.data = bytes.prefix(index).base64EncodedString()
                #expect(throws: FormError.self, "seed \(seed), cut at \(index)") { try damaged.decoded() }
                for bit in 0..<8 {
                    var flipped = bytes
                    flipped[index] ^= 1 << UInt8(bit)
                    damaged.histogram.data = flipped.base64EncodedString()
                    // zlib's checksum finds nearly all; what it lets pass must at least agree with its figures.
                    if let decoded = try? damaged.decoded() { #expect(decoded.count == result.count) }
                }
            }
        }
    }

    @Test func figuresThatContradictTheBucketsAreRefused() throws {
        let result = try #require(try Self.results(seed: 2).first?.0)
        let changes: [(inout LatencyResult) -> Void] = [
            { $0.count += 1 }, { $0.minimumMicroseconds = -1 }, { $0.maximumMicroseconds *= 2 },
            { $0.maximumMicroseconds = .max }, { $0.sumMicroseconds = .max }, { $0.sumMicroseconds = -1 },
            { $0.histogram.encoding = "raw" }, { $0.histogram.data = "" }, { $0.histogram.data = "?" },
            { $0.histogram.data = String(repeating: "A", count: 10_000_000) },
        ]
        for (index, change) in changes.enumerated() {
            var changed = result
            change(&changed)
            #expect(throws: FormError.self, "change \(index)") { try changed.decoded() }
        }
    }

    /// Payloads that are whole and mean nothing good; Python packs them.
    @Test func hostilePayloadsAreRefused() throws {
        let script = try PackageFolder.text("\(Self.readers)/hostile-payloads.py")
        let output = try InstalledProgram.python(script, Data())
        let payloads = try JSONDecoder().decode([String].self, from: output)
        var zeros = DenseHistogram(digits: .two)
        zeros.record(0)
        var result = try #require(LatencyResult(zeros))
        for (index, payload) in payloads.enumerated() {
            result.histogram.data = payload
            if index == 0 {
                #expect(try result.decoded().count == 1)
            } else {
                #expect(throws: FormError.self, "payload \(index)") { try result.decoded() }
            }
        }
    }

    @Test func whatPythonWritesIsRead() throws {
        let written = try (1...20 as ClosedRange<UInt64>).flatMap { try Self.results(seed: $0) }
        let input = try JSONEncoder().encode(written.map(\.0.histogram.data))
        let script = try PackageFolder.text("\(Self.readers)/rewrite.py")
        let again = try JSONDecoder().decode([String].self, from: InstalledProgram.python(script, input))
        for (place, text) in again.enumerated() {
            var result = written[place].0
            result.histogram.data = text
            #expect(try result.decoded() == written[place].1, "seed \(place / 2 + 1)")
        }
    }
}
