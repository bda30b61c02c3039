import TestSupport
import Testing
import Values

@testable import Comparison

@Suite struct StatisticsTests {
    private func figures(of name: Substring, _ arguments: [Double]) throws -> [Double] {
        let counts = arguments.map { Int($0) }
        switch name {
        case "median": return [try #require(OrderStatistics.median(arguments))]
        case "mann-whitney":
            // As much in the other tail, and with the samples exchanged.
            let (there, back) = (MannWhitney(counts[0], counts[1]), MannWhitney(counts[1], counts[0]))
            #expect(abs(there.atLeast(there.pairCount - counts[2]) - there.atMost(counts[2])) < 1e-12)
            #expect(abs(back.atMost(counts[2]) - there.atMost(counts[2])) < 1e-12)
            return [there.atMost(counts[2])]
        case "incomplete-beta": return [IncompleteBeta.regularised(arguments[0], arguments[1], arguments[2])]
        case "clopper-pearson":
            let interval = BinomialInterval(events: arguments[0], trials: arguments[1], confidence: 0.9)
            return [interval.low, interval.high]
        case "fisher":
            let all = counts.map { UInt64($0) }
            return [FisherExactTest.probability(ofAtLeast: all[2], outOf: all[3], against: all[0], outOf: all[1])]
        case "normal-quantile": return [NormalDistribution.quantile(arguments[0])]
        case "normal-cumulative": return [NormalDistribution.cumulative(arguments[0])]
        case "mann-kendall": return [MannKendallTest(arguments).pValue]
        case "mann-kendall-rising":
            let rising = (0..<counts[0]).map(Double.init)
            let test = MannKendallTest(rising)
            #expect(MannKendallTest.leastProbability(count: counts[0]) == test.pValue)
            #expect(MannKendallTest(rising.map { -$0 }).pValue == test.pValue)
            return [test.pValue]
        case "student-quantile": return [StudentDistribution.quantile(arguments[0], degreesOfFreedom: arguments[1])]
        default: return []
        }
    }

    @Test func everyFunctionAgreesWithSciPy() throws {
        let lines = try PackageFolder.text("Tests/ComparisonTests/Figures/statistics.txt").split(separator: "\n")
        for line in lines where !line.hasPrefix("#") {
            let words = line.split(separator: " ")
            let parts = words.dropFirst().split { $0 == "->" || $0 == "within" }.map { $0.compactMap { Double($0) } }
            let ours = try figures(of: words[0], parts[0])
            try #require(ours.count == parts[1].count)
            for (own, theirs) in zip(ours, parts[1]) {
                #expect(abs(own - theirs) <= parts[2][0] * max(abs(theirs), 1e-300), "\(line): \(own)")
            }
        }
    }

    @Test func anEmptySampleHasNoMiddleAndNoSpread() {
        #expect(OrderStatistics.median([]) == nil)
        #expect(OrderStatistics.standardDeviation([1]) == nil)
    }

    @Test func theSpreadIsThatOfASample() {
        #expect(abs((OrderStatistics.standardDeviation([1, 2, 3, 4]) ?? 0) - 1.290_994_448_735_805_6) < 1e-9)
    }

    @Test func theDistributionIsWholeAndItsEndsAreSure() {
        for (first, second) in [(1, 1), (2, 7), (13, 5), (50, 50), (51, 60)] {
            let distribution = MannWhitney(first, second)
            #expect(distribution.atMost(-1) == 0)
            #expect(abs(distribution.atMost(first * second) - 1) < 1e-9, "\(first), \(second)")
            #expect(abs(distribution.atLeast(0) - 1) < 1e-9, "\(first), \(second)")
        }
    }

    @Test func theApproximationGoesOnWhereTheExactDistributionEnds() {
        let exact = MannWhitney(50, 50).atMost(1_010)
        let near = MannWhitney(51, 49)
        #expect(abs(near.atMost(1_010) - exact) < 0.003)
    }

    @Test func theSameSeedGivesTheSameNumbers() {
        // The published test vector of SplitMix64 for seed 1234567.
        var generator = SplitMix64(seed: 1_234_567)
        #expect(generator.next() == 6_457_827_717_110_365_317)
        #expect(generator.next() == 3_203_168_211_198_807_973)
    }
}
