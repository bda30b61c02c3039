import TestSupport
import Testing

@testable import Comparison

/// Figures of SciPy 1.16 (`kendalltau(method="exact")`, `theilslopes`) unless a source is named.
@Suite("Trend statistics") struct TrendStatisticsTests {
    @Test("ties take from the variance") func ties() {
        // By hand: n = 12, ties of 3, 2 and 2; (12*11*29 - 3*2*11 - 2 * 2*1*9) / 18.
        let test = MannKendallTest([1, 2, 1, 1, 3, 4, 3, 5, 6, 7, 8, 6])
        #expect(abs(test.variance - 3_726.0 / 18) < 1e-9)
        #expect(MannKendallTest([Double](repeating: 7, count: 30)).pValue == 1)
        #expect(MannKendallTest([Double](repeating: 7, count: 8)).pValue == 1)
        #expect(MannKendallTest([]).pValue == 1)
        #expect(MannKendallTest([1]).pValue == 1)
    }

    @Test("a disturbance that outlasts a window widens the variance, and nothing narrows it") func autocorrelation() {
        var generator = SeededGenerator(seed: 7)
        let independent = (0..<60).map { _ in generator.normal() }
        var level = 0.0
        let lasting = (0..<60).map { _ in
            level = 0.8 * level + generator.normal()
            return level
        }
        let plain = 60.0 * 59 * 125 / 18
        #expect(MannKendallTest(independent).variance == plain)
        #expect(MannKendallTest(lasting).variance > 2 * plain)
        #expect(MannKendallTest((0..<60).map { $0.isMultiple(of: 2) ? 1.0 : 2.0 + Double($0) / 1e6 }).variance <= plain)
    }

    @Test("Theil and Sen's slope is the median of all slopes, with Sen's interval") func slope() throws {
        let values = [5.0, 3, 4, 6, 8, 7, 9, 2, 10, 12]
        let times = (0..<10).map(Double.init)
        let slope = try #require(
            TheilSenSlope(times: times, values: values, variance: MannKendallTest(values).variance)
        )
        #expect(slope.slope == 1)
        // The 11th and the 35th of 45 slopes: (45 - 1.96 * 11.18) / 2 rounded outwards. SciPy rounds to the nearest.
        #expect(abs(slope.low - 0.3333333333333333) < 1e-12)
        #expect(abs(slope.high - 1.25) < 1e-12)
        #expect(TheilSenSlope(times: [1], values: [1], variance: 1) == nil)
        #expect(TheilSenSlope(times: [1, 1], values: [1, 2], variance: 1) == nil)
    }

    @Test("a third of wild points does not move the slope") func robustness() throws {
        let times = (0..<31).map(Double.init)
        let values = times.map { Int($0).isMultiple(of: 4) ? 1_000 - 3 * $0 : 10 + 2 * $0 }
        let slope = try #require(TheilSenSlope(times: times, values: values, variance: 0))
        #expect(abs(slope.slope - 2) < 0.01)
    }

    @Test("Holm's correction steps down") func holm() {
        // R 4.5: p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm").
        let adjusted = HolmCorrection.adjusted([0.01, 0.04, 0.03, 0.005])
        for (found, expected) in zip(adjusted, [0.03, 0.06, 0.06, 0.02]) {
            #expect(abs((found ?? 0) - expected) < 1e-12)
        }
        #expect(HolmCorrection.adjusted([]).isEmpty)
        #expect(HolmCorrection.adjusted([0.9, 0.8]) == [1, 1])
    }
}
