import Chance
import Comparison
import Statistics
import Testing

/// Pinned to SciPy 1.16.3: `scipy.special`, `scipy.stats` and `scipy.stats._mannwhitneyu._MWU`.
@Suite struct StatisticsTests {
    private func expectNear(_ ours: Double, _ theirs: Double, within relative: Double = 1e-9, _ what: String) {
        #expect(abs(ours - theirs) <= relative * max(abs(theirs), 1e-300), "\(what): \(ours), not \(theirs)")
    }

    @Test(arguments: [([3], 3), ([4, 1], 2.5), ([5, 1, 3], 3), ([1, 2, 3, 10], 2.5)] as [([Double], Double)])
    func theMedianIsTheMiddle(values: [Double], expected: Double) {
        #expect(OrderStatistics.median(values) == expected)
    }

    @Test func anEmptySampleHasNoMiddleAndNoSpread() {
        #expect(OrderStatistics.median([]) == nil)
        #expect(OrderStatistics.quantile(0.5, of: []) == nil)
        #expect(OrderStatistics.mean([]) == nil)
        #expect(OrderStatistics.standardDeviation([1]) == nil)
    }

    @Test func quantilesAreInterpolatedAndTheSpreadIsThatOfASample() {
        #expect(OrderStatistics.quantile(0.25, of: [4, 1, 3, 2]) == 1.75)
        #expect(OrderStatistics.quantile(1, of: [4, 1, 3, 2]) == 4)
        expectNear(OrderStatistics.standardDeviation([1, 2, 3, 4]) ?? 0, 1.290_994_448_735_805_6, "deviation")
    }

    @Test(arguments: [
        (3, 3, 0, 0.05), (4, 4, 0, 0.014_285_714_285_714_285), (5, 5, 0, 0.003_968_253_968_253_968),
        (5, 5, 2, 0.015_873_015_873_015_872), (5, 5, 4, 0.047_619_047_619_047_616),
        (10, 10, 27, 0.044_604_776_028_924_64), (8, 12, 30, 0.090_672_382_313_249_19),
        (20, 20, 138, 0.048_249_776_218_050_135), (50, 50, 1_010, 0.049_433_048_988_433_3),
        (50, 50, 1_250, 0.501_368_895_500_759_5),
    ])
    func mannAndWhitneysDistributionIsExact(first: Int, second: Int, statistic: Int, expected: Double) {
        let distribution = MannWhitney(first, second)
        expectNear(distribution.atMost(statistic), expected, "\(first), \(second), \(statistic)")
        expectNear(distribution.atLeast(distribution.pairCount - statistic), expected, "the other tail")
        expectNear(MannWhitney(second, first).atMost(statistic), expected, "the samples exchanged")
    }

    @Test func theDistributionIsWholeAndItsEndsAreSure() {
        for (first, second) in [(1, 1), (2, 7), (13, 5), (50, 50), (51, 60)] {
            let distribution = MannWhitney(first, second)
            #expect(distribution.atMost(-1) == 0)
            expectNear(distribution.atMost(first * second), 1, "\(first), \(second)")
            expectNear(distribution.atLeast(0), 1, "\(first), \(second)")
        }
    }

    @Test func theApproximationGoesOnWhereTheExactDistributionEnds() {
        let exact = MannWhitney(50, 50).atMost(1_010)
        let near = MannWhitney(51, 49)
        #expect(abs(near.atMost(1_010) - exact) < 0.003)
    }

    @Test(arguments: [
        (0.5, 2.0, 3.0, 0.6875), (0.1, 0.5, 0.5, 0.204_832_764_699_133_45), (0.99, 100, 2, 0.732_064_682_546_458_8),
        (1e-4, 3, 40_000, 0.761_940_651_124_850_1), (0.3, 500, 1_200, 0.704_531_272_414_797_2),
        (0.2, 1_000_000, 4_000_100, 0.509_008_994_517_642_9), (0, 1, 1, 0), (1, 1, 1, 1),
    ])
    func theIncompleteBetaFunctionAgrees(point: Double, alpha: Double, beta: Double, expected: Double) {
        expectNear(
            IncompleteBeta.regularised(point, alpha, beta),
            expected,
            within: 1e-7,
            "\(point), \(alpha), \(beta)"
        )
    }

    @Test(arguments: [
        (0.0, 20.0, 0.0, 0.139_108_340_668_265_16), (1, 20, 0.002_561_378_776_530_280_6, 0.216_106_164_206_846_73),
        (20, 20, 0.860_891_659_331_734_8, 1), (7, 1_000, 0.003_289_787_400_653_805, 0.013_107_715_416_593_313),
        (999, 1_000, 0.995_265_006_424_500_2, 0.999_948_708_021_091),
        (14_613, 19_578, 0.741_232_106_914_471_9, 0.751_511_804_022_631_2),
        (12, 5_000_000, 1.384_843_067_149_910_6e-6, 3.888_510_972_034_575_6e-6),
    ])
    func clopperAndPearsonsIntervalAgrees(events: Double, trials: Double, low: Double, high: Double) {
        let interval = BinomialInterval(events: events, trials: trials, confidence: 0.9)
        expectNear(interval.low, low, within: 1e-7, "low")
        expectNear(interval.high, high, within: 1e-7, "high")
    }

    @Test(
        arguments: [
            (0, 10, 3, 10, 0.105_263_157_894_736_84), (3, 1_000, 9, 1_000, 0.072_393_044_592_301_56),
            (10, 100_000, 30, 100_000, 0.001_109_618_625_478_644_5), (500, 2_000, 450, 2_000, 0.970_964_886_338_065_2),
            (14_613, 19_578, 14_500, 19_570, 0.894_492_781_109_460_3),
            (0, 5_000_000, 12, 5_000_000, 0.000_244_139_013_813_098_14), (30, 100, 5, 100, 0.999_999_797_665_612_2),
            (0, 0, 0, 5, 1), (5, 5, 5, 5, 1),
        ] as [(UInt64, UInt64, UInt64, UInt64, Double)]
    )
    func fishersTestAgrees(_ first: UInt64, _ of: UInt64, _ second: UInt64, _ outOf: UInt64, expected: Double) {
        let ours = FisherExactTest.probability(ofAtLeast: second, outOf: outOf, against: first, outOf: of)
        expectNear(ours, expected, within: 1e-6, "\(first)/\(of), \(second)/\(outOf)")
    }

    @Test func normalAndStudentQuantilesAgree() {
        for (probability, expected) in [
            (0.95, 1.644_853_626_951_472_2), (0.8, 0.841_621_233_572_914_3), (1e-10, -6.361_340_902_404_056),
        ] {
            expectNear(NormalDistribution.quantile(probability), expected, "normal \(probability)")
        }
        for (value, expected) in [(-8.0, 6.220_960_574_271_74e-16), (-1, 0.158_655_253_931_457_07)] {
            expectNear(NormalDistribution.cumulative(value), expected, "normal at \(value)")
        }
        for (probability, freedom, expected) in [
            (0.95, 1.0, 6.313_751_514_800_932), (0.975, 8, 2.306_004_135_204_166), (0.99, 4, 3.746_947_387_981_136_6),
            (0.05, 29, -1.699_127_026_533_497_7), (0.999, 2.5, 13.822_193_110_834_316),
        ] {
            let ours = StudentDistribution.quantile(probability, degreesOfFreedom: freedom)
            expectNear(ours, expected, within: 1e-8, "t \(probability), \(freedom)")
        }
    }

    @Test func theSameSeedGivesTheSameNumbers() {
        // The published test vector of SplitMix64 for seed 1234567.
        var generator = SplitMix64(seed: 1_234_567)
        #expect(generator.next() == 6_457_827_717_110_365_317)
        #expect(generator.next() == 3_203_168_211_198_807_973)
    }
}
