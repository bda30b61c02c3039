package import Results

/// Decides for each series of windows whether it drifted over a run.
///
/// A series creeps under three conditions: the Mann-Kendall test finds a trend, at a level of 1 % for all series of the run
/// together (Holm); the Theil-Sen slope is to the worse; the change over the run exceeds the least relevant change. A test
/// alone would report any trend of a long run, however small; a change alone would report noise.
package enum DriftJudge {
    /// Probability of a false trend in a run without any.
    static let level = 0.01
    static let fewestWindows = 6
    /// Ten minutes: a shorter run has phases and no drift.
    static let leastMilliseconds: Int64 = 600_000

    /// One verdict for each series with figures, in a fixed order; empty for a run that is too short.
    ///
    /// Uses complete windows after the warm-up; a series omits windows with too few samples. `loops` is the number of event
    /// loops, each of which keeps memory for the result. Without `decidesVerdict`, a run is judged if it goes on for ten
    /// minutes after its warm-up.
    package static func verdicts(_ windows: [WindowResult], loops: Int, decidesVerdict: Bool) -> [DriftResult] {
        guard decidesVerdict || isLongEnough(windows) else { return [] }
        let series = DriftSeries.all(
            of: windows.filter(\.isJudged),
            expectedMemoryRise: KeptFigures.growth(over: windows, loops: loops)
        )
        let tests = decidable(series).map { ($0, MannKendallTest(series[$0].values)) }
        let adjusted = HolmCorrection.adjusted(tests.map(\.1.pValue))
        var trends: [Int: Trend] = [:]
        for ((index, test), pValue) in zip(tests, adjusted) {
            guard let slope = slope(of: series[index], variance: test.variance) else { continue }
            trends[index] = Trend(slope: slope, pValue: test.pValue, isSignificant: pValue <= level)
        }
        return series.indices.map { result(of: series[$0], trend: trends[$0]) }
    }

    /// Measured to the end of the run: a run of ten minutes ends shortly after its last whole window.
    private static func isLongEnough(_ windows: [WindowResult]) -> Bool {
        guard let first = windows.first(where: \.isJudged), let last = windows.last else { return false }
        let length = last.endMilliseconds.subtractingReportingOverflow(first.startMilliseconds)
        return !length.overflow && length.partialValue >= leastMilliseconds
    }

    /// Trend of a series; its significance is corrected for all series of the run.
    private struct Trend {
        var slope: TheilSenSlope
        var pValue: Double
        var isSignificant: Bool
    }

    /// Series long enough for a significant trend, given the number of series tested together.
    private static func decidable(_ series: [DriftSeries]) -> [Int] {
        series.indices.filter { index in
            let count = series[index].values.count
            return count >= fewestWindows
                && MannKendallTest.leastProbability(count: count) * Double(series.count) <= level
        }
    }

    private static func slope(of series: DriftSeries, variance: Double) -> TheilSenSlope? {
        TheilSenSlope(times: series.hours, values: series.values, variance: variance)
    }

    private static func result(of series: DriftSeries, trend: Trend?) -> DriftResult {
        let median = series.median ?? 0
        let expected = trend.map { $0.slope.slope < 0 } == true ? 0 : series.expectedRise
        let least = series.quantity.leastEffect(median: median) + expected
        let span = length(of: series)
        var verdict = DriftResult.Verdict.tooFewWindows
        if let trend {
            let matters = trend.isSignificant && (trend.slope.slope * span).magnitude > least
            let rises = trend.slope.slope > 0
            verdict = !matters ? .steady : (rises == series.quantity.higherIsWorse ? .creeping : .improving)
        }
        return DriftResult(
            series: series.name,
            subject: series.quantity.subject,
            verdict: verdict,
            unit: series.quantity.unit.rawValue,
            windows: series.values.count,
            spanMilliseconds: Int64(min(max((span * 3_600_000).rounded(), 0), 1e15)),
            slopePerHour: trend?.slope.slope,
            slopeLowPerHour: trend?.slope.low,
            slopeHighPerHour: trend?.slope.high,
            pValue: trend?.pValue,
            minimumEffectPerHour: span > 0 ? least / span : 0,
            median: series.median,
            text: DriftText.sentence(series, verdict: verdict, slope: trend?.slope, span: span)
        )
    }

    private static func length(of series: DriftSeries) -> Double {
        guard let first = series.hours.first, let last = series.hours.last, series.hours.count > 1 else { return 0 }
        let between = last - first
        return between + between / Double(series.hours.count - 1)
    }
}
