import Results
import Testing

@testable import Comparison

@Suite struct CurveTests {
    private func distribution(_ values: ClosedRange<Int64>) throws -> LatencyResult {
        var histogram = DenseHistogram(digits: .three)
        for value in values { histogram.record(value) }
        return try #require(LatencyResult(histogram))
    }

    private func run(_ number: Int, _ values: ClosedRange<Int64>) throws -> RunFigures {
        var run = RunFixture.run(number)
        run.distributions["pod_manifest.response"] = try distribution(values)
        return run
    }

    @Test func curvesOfASideAreThoseOfAllItsRunsTogether() throws {
        var builder = CurveBuilder(
            base: [try run(0, 1...1_000), try run(2, 1_001...2_000)],
            candidate: [try run(1, 1...10)]
        )
        let curves = builder.curves(of: ["pod_manifest.response", "playlist.response"])
        try #require(curves.map(\.distribution) == ["pod_manifest.response"])
        let base = curves[0].base
        #expect((base.count, base.runs.count) == (2_000, 2))
        #expect(base.merged.first { $0.percentile == 50 }?.microseconds == 1_000)
        #expect(base.runs.map { $0.first { $0.percentile == 50 }?.microseconds } == [500, 1_500])
        #expect(base.merged.last == .init(percentile: 100, microseconds: 2_000))
        let percentiles = base.merged.map(\.percentile)
        #expect(percentiles == percentiles.sorted())
        #expect(percentiles.contains(99.609_375), "100 less an eighth of an eighth of a quarter of a hundred")
        #expect(curves[0].candidate.merged.count < base.merged.count, "ten samples know no p99")
        #expect(builder.notes.isEmpty)
    }

    @Test func aDamagedDistributionIsLeftOutByName() throws {
        var damaged = try run(0, 1...100)
        damaged.distributions["pod_manifest.response"]?.histogram.data = "AAAA"
        var builder = CurveBuilder(base: [damaged], candidate: [try run(1, 1...100)])
        let curves = builder.curves(of: ["pod_manifest.response"])
        #expect((curves.first?.base.runs, curves.first?.base.merged) == ([[]], []))
        #expect(builder.notes.count == 1)
        #expect(builder.notes.first?.hasPrefix(damaged.path) == true)
    }

    @Test func theDocumentCarriesTheCurvesOfItsGates() throws {
        let document = ReleaseComparison().compare(
            .init(inputs: [], runs: [try run(0, 1...100), try run(2, 1...100)]),
            against: .init(inputs: [], runs: [try run(1, 1...100), try run(3, 1...100)])
        )
        #expect(document.curves.map(\.distribution) == ["pod_manifest.response"], "two gates, one distribution")
    }
}
