import Foundation
import Results

enum DriftText {
    /// One sentence on a series, without the final full stop.
    ///
    /// `span` is in hours; from one hour on, the change is given per hour. `slope` is nil with too few windows.
    static func sentence(
        _ series: DriftSeries,
        verdict: DriftResult.Verdict,
        slope: TheilSenSlope?,
        span: Double
    ) -> String {
        let windows =
            "\(series.values.count) window\(series.values.count == 1 ? "" : "s")"
            + (slope != nil && span < 1 ? " in \(length(hours: span))" : "")
        guard let slope else { return "\(series.name): \(windows) are too few to see a trend" }
        let unit = series.quantity.unit
        let change = slope.slope * span
        let median = series.median ?? 0
        let share = median > 0 && unit != .percent ? ", \(number(change.magnitude / median * 100)) % of its median" : ""
        let kept =
            series.expectedRise > 0 && change > 0
            ? "; up to \(amount(series.expectedRise, unit)) of a rise may be what the result keeps" : ""
        // Twenty minutes are not extrapolated to an hour.
        let isOfHours = span >= 1
        let scale = isOfHours ? 1 : span
        let interval =
            "\(amount(slope.low * scale, unit)) to \(amount(slope.high * scale, unit))" + (isOfHours ? " an hour" : "")
        switch verdict {
        case .tooFewWindows: return "\(series.name): \(windows) are too few to see a trend"
        case .steady: return "\(series.name) is steady over \(windows) (95 % interval \(interval))" + kept
        case .creeping, .improving:
            let way = change > 0 ? "rose" : "fell"
            return """
                \(series.name) \(way) by \(amount(change.magnitude, unit)) over \(windows)\(share)\
                \(isOfHours ? ": \(amount(slope.slope, unit)) an hour" : "") (95 % interval \(interval))\(kept)
                """
        }
    }

    private static func length(hours: Double) -> String {
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
        guard value.isFinite else { return "\(value)" }
        let digits = value.magnitude >= 100 ? 0 : (value.magnitude >= 10 ? 1 : 2)
        let text = value.formatted(
            .number.precision(.fractionLength(digits)).grouping(.never).locale(Locale(identifier: "en_US_POSIX"))
        )
        return text.drop { $0 == "-" || $0 == "0" || $0 == "." }.isEmpty ? "0" : text
    }
}
