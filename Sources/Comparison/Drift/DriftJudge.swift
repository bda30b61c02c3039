package import Results
import Rules
import Values

/// Decides for each series of windows whether it drifted over a run.
///
/// A series creeps if three conditions hold: the Mann-Kendall test finds a trend (1 % for all series together, Holm); the
/// Theil-Sen slope is to the worse; the change exceeds the least relevant one.
package enum DriftJudge {
    static let level = 0.01
    static let fewestWindows = 6
    /// A shorter run has phases and no drift.
    static let leastMilliseconds: Int64 = 600_000

    /// In a fixed order; empty for a run that is too short.
    package static func verdicts(_ windows: [WindowResult], _ settings: CollectorSettings) -> [DriftResult] {
        verdicts(windows, loops: settings.run.loops, decidesVerdict: settings.judgesDrift)
    }

    /// Without `decidesVerdict`, a run must go on for ten minutes after its warm-up; each event loop keeps memory for the
    /// result.
    static func verdicts(_ windows: [WindowResult], loops: Int, decidesVerdict: Bool) -> [DriftResult] {
        guard decidesVerdict || isLongEnough(windows) else { return [] }
        let series = DriftSeries.all(
            of: windows.filter(\.isJudged),
            expectedMemoryRise: KeptFigures.growth(over: windows, loops: loops)
        )
        let tests = series.map { isDecidable($0, among: series.count) ? MannKendallTest($0.values) : nil }
        let adjusted = HolmCorrection.adjusted(tests.map { $0?.pValue })
        return series.indices.map { index in
            result(of: series[index], tests[index], isSignificant: (adjusted[index] ?? 1) <= level)
        }
    }

    /// A run of ten minutes ends shortly after its last whole window.
    private static func isLongEnough(_ windows: [WindowResult]) -> Bool {
        guard let first = windows.first(where: \.isJudged), let last = windows.last else { return false }
        let length = last.endMilliseconds.subtractingReportingOverflow(first.startMilliseconds)
        return !length.overflow && length.partialValue >= leastMilliseconds
    }

    /// Long enough for a significant trend, given the number of series tested together.
    private static func isDecidable(_ series: DriftSeries, among count: Int) -> Bool {
        let length = series.values.count
        return length >= fewestWindows && MannKendallTest.leastProbability(count: length) * Double(count) <= level
    }

    private static func result(of series: DriftSeries, _ test: MannKendallTest?, isSignificant: Bool) -> DriftResult {
        let slope = test.flatMap { TheilSenSlope(times: series.hours, values: series.values, variance: $0.variance) }
        let median = series.median ?? 0
        let expected = slope.map { $0.slope < 0 } == true ? 0 : series.expectedRise
        let least = series.quantity.leastEffect(median: median) + expected
        let span = length(of: series)
        var verdict = DriftResult.Verdict.tooFewWindows
        if let slope {
            let matters = isSignificant && (slope.slope * span).magnitude > least
            let rises = slope.slope > 0
            verdict = !matters ? .steady : (rises == series.quantity.higherIsWorse ? .creeping : .improving)
        }
        var result = DriftResult(series: series.name, subject: series.quantity.subject, verdict: verdict)
        (result.unit, result.windows) = (series.quantity.unit.rawValue, series.values.count)
        result.spanMilliseconds = Int64(min(max((span * 3_600_000).rounded(), 0), 1e15))
        result.slopePerHour = slope?.slope
        (result.slopeLowPerHour, result.slopeHighPerHour) = (slope?.low, slope?.high)
        result.pValue = slope == nil ? nil : test?.pValue
        result.minimumEffectPerHour = span > 0 ? least / span : 0
        result.median = series.median
        result.text = DriftText.sentence(series, verdict: verdict, slope: slope, span: span)
        return result
    }

    private static func length(of series: DriftSeries) -> Double {
        guard let first = series.hours.first, let last = series.hours.last, series.hours.count > 1 else { return 0 }
        let between = last - first
        return between + between / Double(series.hours.count - 1)
    }
}

package enum DriftText {
    /// `span` is in hours; from one hour on, the change is given per hour; `slope` is nil with too few windows.
    static func sentence(
        _ series: DriftSeries,
        verdict: DriftResult.Verdict,
        slope: TheilSenSlope?,
        span: Double
    ) -> String {
        let windows =
            GroupedDigits.counted(series.values.count, "window")
            + (slope != nil && span < 1 ? " in \(length(hours: span))" : "")
        guard let slope else { return "\(series.name): \(windows) are too few to see a trend" }
        let unit = series.quantity.unit
        let change = slope.slope * span
        let median = series.median ?? 0
        let share = median > 0 && unit != .percent ? ", \(number(change.magnitude / median * 100))% of its median" : ""
        let kept =
            series.expectedRise > 0 && change > 0
            ? "; up to \(amount(series.expectedRise, unit)) of a rise may be what the result keeps" : ""
        let isOfHours = span >= 1
        let scale = isOfHours ? 1 : span
        let interval =
            "\(amount(slope.low * scale, unit)) to \(amount(slope.high * scale, unit))" + (isOfHours ? " an hour" : "")
        guard verdict != .steady else {
            return "\(series.name) is steady over \(windows) (95% interval \(interval))" + kept
        }
        return """
            \(series.name) \(change > 0 ? "rose" : "fell") by \(amount(change.magnitude, unit)) over \(windows)\(share)\
            \(isOfHours ? ": \(amount(slope.slope, unit)) an hour" : "") (95% interval \(interval))\(kept)
            """
    }

    package static func length(hours: Double) -> String {
        let seconds = max(0, (hours * 3_600).rounded())
        return seconds < 120 ? "\(Int(seconds)) s" : "\(Int((seconds / 60).rounded())) min"
    }

    private static func amount(_ value: Double, _ unit: DriftQuantity.Unit) -> String {
        switch unit {
        case .microseconds: "\(number(value / 1_000)) ms"
        case .percent: "\(number(value)) percentage points"
        case .bytes: "\(number(value / 1_048_576)) MiB"
        case .count: number(value)
        }
    }

    private static func number(_ value: Double) -> String {
        let digits = value.magnitude >= 100 ? 0 : (value.magnitude >= 10 ? 1 : 2)
        let text = MetricText.rounded(value, places: digits)
        return text.drop { $0 == "-" || $0 == "0" || $0 == "." }.isEmpty ? "0" : text
    }
}
