import Results
import Rules

/// Change of a series in words, shared by all reports: per hour, or over the windows of a shorter run.
///
/// Twenty minutes are not extrapolated to an hour.
struct DriftChange: Equatable, Sendable {
    /// For example `+1.20 ms per hour (+0.90 ms to +1.50 ms)`, or `+0.40 ms over 20 min (+0.30 ms to +0.50 ms)`.
    var text: String
    /// The least relevant change, over the same time.
    var least: String

    /// Nil for a series with too few windows.
    init?(_ drift: DriftResult) {
        guard let slope = drift.slopePerHour else { return nil }
        // Older results do not name the time; their slopes are given per hour.
        let shorter = drift.spanMilliseconds.flatMap { $0 < 3_600_000 ? Double($0) / 3_600_000 : nil }
        let scale = shorter ?? 1
        let time = shorter.map { "over \(Self.length(hours: $0))" } ?? "per hour"
        let signed = { (value: Double) in
            (value > 0 ? "+" : "") + Self.text(value * scale, unit: drift.unit)
        }
        text =
            if let low = drift.slopeLowPerHour, let high = drift.slopeHighPerHour {
                "\(signed(slope)) \(time) (\(signed(low)) to \(signed(high)))"
            } else {
                "\(signed(slope)) \(time)"
            }
        least = "\(Self.text(drift.minimumEffectPerHour * scale, unit: drift.unit)) \(time)"
    }

    private static func length(hours: Double) -> String {
        let seconds = (hours * 3_600).rounded()
        return seconds < 120
            ? "\(MetricText.number(seconds)) s" : "\(MetricText.rounded(seconds / 60, places: 0)) min"
    }

    static func text(_ value: Double, unit: String) -> String {
        switch unit {
        case "us": MetricText.time(microseconds: value)
        case "percent": MetricText.rounded(value, places: 2) + " %"
        case "bytes": TickText.bytes(value)
        default: MetricText.number(value)
        }
    }
}

extension [DriftResult] {
    var decided: [DriftResult] { filter { $0.verdict != .tooFewWindows } }
}
