import TestSupport
import Testing

@testable import Comparison

@Suite struct EnergyDivisionTests {
    /// The first split and both change points are those of apache-otava 0.7 with `--orig-edivisive`.
    @Test func findsARiseThatIsTakenBack() {
        let values: [Double] = [10, 12, 11, 13, 10, 11, 12, 17, 18, 16, 19, 17, 18, 16, 11, 12, 10, 13, 11, 12]
        #expect(EnergyDivision().changePoints(of: values).map(\.index) == [7, 14])
    }

    @Test(arguments: 0..<20 as Range<UInt64>) func findsASteppedSeriesWhereItSteps(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let values = (0..<40).map { ($0 < 25 ? 0 : 1) + 0.15 * generator.normal() }
        let found = EnergyDivision().changePoints(of: values)
        #expect(found.count == 1, "seed \(seed)")
        #expect((24...26).contains(try #require(found.first).index), "seed \(seed)")
        #expect(try #require(found.first).pValue == 1.0 / 500)
    }

    @Test func isQuietWhereNothingChanges() {
        var alarms: [UInt64] = []
        for seed in 0..<30 as Range<UInt64> {
            var generator = SeededGenerator(seed: seed)
            let values = (0..<30).map { _ in generator.normal() }
            if !EnergyDivision().changePoints(of: values).isEmpty { alarms.append(seed) }
        }
        #expect(alarms.count <= 1, "seeds \(alarms)")
    }

    @Test func singleOutliersAreNoChange() {
        var values = (0..<30).map { Double($0 % 3) }
        values[17] = 100
        #expect(EnergyDivision().changePoints(of: values).isEmpty)
    }

    @Test(arguments: [0, 1, 2, 5]) func shortSeriesHaveNone(count: Int) {
        #expect(EnergyDivision().changePoints(of: (0..<count).map { Double($0 / 2) * 100 }).isEmpty)
        #expect(EnergyDivision().changePoints(of: [Double](repeating: 3, count: 40)).isEmpty)
    }
}

@Suite struct PredictionIntervalTests {
    /// By hand: the third smallest of ten distances is 3, times 2.2219 and the correction for five values.
    @Test func scaleIsQn() throws {
        #expect(abs(try #require(RobustScale.qn([1, 2, 4, 8, 16])) - 2.2219 * 0.844 * 3) < 1e-12)
        #expect(RobustScale.qn([7, 7, 7, 7, 100, 200]) == 0)
        #expect(RobustScale.qn([1]) == nil)
    }

    @Test func scaleEstimatesTheStandardDeviation() throws {
        var generator = SeededGenerator(seed: 3)
        var values = (0..<800).map { _ in 5 * generator.normal() }
        #expect(abs(try #require(RobustScale.qn(values)) - 5) < 0.25)
        for index in 0..<160 { values[index] = 1e6 * generator.normal() }
        #expect(try #require(RobustScale.qn(values)) < 9)
    }

    @Test(arguments: [5, 6, 7, 8, 10, 20, 30]) func containsTheNextValueInNinetyNineOfAHundred(count: Int) throws {
        var generator = SeededGenerator(seed: UInt64(count))
        var outside = 0
        for _ in 0..<2_000 {
            let interval = try #require(PredictionInterval(of: (0..<count).map { _ in generator.normal() }))
            let next = generator.normal()
            outside += next < interval.low || next > interval.high ? 1 : 0
        }
        #expect((8...34).contains(outside), "\(outside) of 2000")
    }

    @Test func fourRunsAreTooFew() {
        #expect(PredictionInterval(of: [1, 2, 3, 4]) == nil)
        #expect(PredictionInterval(of: [1, 2, 3, 4, 5])?.runs == 5)
    }
}
