import Comparison
import Results
import Rules

extension DriftResult {
    func sparkline(in windows: [WindowResult], length: Int64) -> Plot? {
        let points = windows.compactMap { window in
            DriftSeries.value(of: series, in: window).map { (window: window, value: $0) }
        }
        guard points.count > 1, let low = points.map(\.value).min(), let high = points.map(\.value).max() else {
            return nil
        }
        let time = LinearScale(0, Double(max(length, 1)))
        // A nearly constant series must look constant.
        let least = abs(median ?? high) * 0.1
        let middle = (low + high) / 2
        let scale = LinearScale(min(low, middle - least / 2), max(high, middle + least / 2, low + 1e-9))
        var plot = Plot(name: "\(series) by window", height: 44, style: "spark")
        let places = points.map { point in
            time.fraction(of: Double(point.window.startMilliseconds) / 2 + Double(point.window.endMilliseconds) / 2)
        }
        let line = zip(points, places).map { point, place in
            (x: Plot.x(place), y: plot.height - 4 - scale.fraction(of: point.value) * (plot.height - 8))
        }
        if let end = points.last(where: \.window.isWarmUp)?.window.endMilliseconds {
            var warmUp = VectorPath()
            warmUp.rectangle(x: 0, y: 0, width: Plot.x(time.fraction(of: Double(end))), height: plot.height)
            plot.shapes.shape(warmUp, "warm")
        }
        plot.shapes.shape(VectorPath.through(line), verdict == .creeping ? "c2" : "c1")
        plot.readings = Readings(
            fractions: places,
            headings: points.map { "from " + TimeText.elapsed(Double($0.window.startMilliseconds) / 1_000) },
            lines: [.init("", points.map { DriftChange.text($0.value, unit: unit) })]
        )
        return plot
    }
}

/// Per hour, or over the windows of a shorter run, which is not extrapolated.
struct DriftChange: Equatable, Sendable {
    /// For example `+1.20 ms per hour (+0.90 ms to +1.50 ms)`, or `+0.40 ms over 20 min (+0.30 ms to +0.50 ms)`.
    var text: String
    /// The least relevant change, over the same time.
    var least: String

    init?(_ drift: DriftResult) {
        guard let slope = drift.slopePerHour else { return nil }
        // Older results do not name the time.
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
        case "percent": MetricText.rounded(value, places: 2) + "%"
        case "bytes": TickText.bytes(value)
        default: MetricText.number(value)
        }
    }
}

extension [DriftResult] {
    var decided: [DriftResult] { filter { $0.verdict != .tooFewWindows } }
}
