import Comparison
import Rules

/// The ratio of candidate to base as a dot with its interval as a whisker.
struct RatioChart {
    let scale: LogScale

    private static let height = 22.0

    /// Limited to a factor of four either way.
    init(_ metrics: [MetricComparison]) {
        let ratios = metrics.flatMap { metric in
            [metric.ratio, metric.ratioLow, metric.ratioHigh, 1 + metric.appliedMarginPercent / 100].compactMap(\.self)
        }.filter { $0 > 0 && $0.isFinite }
        let farthest = max(ratios.map { max($0, 1 / $0) }.max() ?? 1.2, 1.15)
        let edge = min(farthest * 1.05, 4)
        scale = LogScale(1 / edge, edge)
    }

    var ticks: [Tick] {
        let steps: [Double] = [1.05, 1.1, 1.2, 1.5, 2, 3]
        let step = steps.last { $0 <= scale.highest * 0.93 } ?? 1.05
        return [1 / step, 1, step].map { ratio in
            let text = ratio == 1 ? "same" : MetricText.change(ratio: ratio)
            return Tick(fraction: scale.fraction(of: ratio), label: text)
        }
    }

    func axis() -> Markup {
        var drawing = Drawing()
        for tick in ticks { drawing.text(tick.label, at: tick.fraction, y: 12, "xl") }
        return drawing.picture("forest axis", "", height: 15)
    }

    func row(_ metric: MetricComparison) -> Markup {
        guard let ratio = metric.ratio else { return .none }
        var drawing = Drawing()
        let middle = Self.height / 2
        let margin = 1 + metric.appliedMarginPercent / 100
        let place = scale.fraction(of:)
        drawing.bar(from: place(1 / margin), to: place(margin), y: 0, height: Self.height, "band")
        drawing.vertical(at: place(1), from: 0, to: Self.height, "ax0")
        let tone =
            switch metric.verdict {
            case .regression: "worse"
            case .improvement: "better"
            default: "plain"
            }
        if let low = metric.ratioLow, let high = metric.ratioHigh {
            drawing.horizontal(y: middle, "whisker \(tone)", from: place(low), to: place(high))
        }
        drawing.dot(at: place(ratio), y: middle, radius: 4, "dot \(tone)")
        return drawing.picture("forest", metric.text, height: Self.height)
    }
}

/// Shows the noise between the runs of both sides.
struct RunStrip {
    var metric: MetricComparison
    var baseTitle: String
    var candidateTitle: String

    func plot() -> Plot? {
        let base = metric.base.runsMicroseconds.compactMap(\.self)
        let candidate = metric.candidate.runsMicroseconds.compactMap(\.self)
        let all = base + candidate
        guard let low = all.min(), let high = all.max(), !base.isEmpty, !candidate.isEmpty else { return nil }
        let room = max((high - low) * 0.08, high * 0.02, 1)
        let scale = LinearScale(max(low - room, 0), high + room)
        var plot = Plot(name: "\(metric.metric) of each run of both sides", height: 50, style: "strip")
        plot.horizontalTicks = Ticks.values(on: scale, atMost: 6, TickText.duration)
        let rows: [(values: [Double], median: Double?, y: Double, style: String, title: String)] = [
            (base, metric.base.medianMicroseconds, 14, "base", "base"),
            (candidate, metric.candidate.medianMicroseconds, 36, "cand", "cand."),
        ]
        for row in rows {
            for value in row.values {
                plot.marks.dot(at: scale.fraction(of: value), y: row.y, radius: 4, "rd \(row.style)")
            }
            if let median = row.median {
                plot.marks.vertical(at: scale.fraction(of: median), from: row.y - 9, to: row.y + 9, "md \(row.style)")
            }
            plot.marks.leftLabel(row.title, y: row.y + 4)
        }
        plot.readings = readings(on: scale)
        return plot
    }

    private func readings(on scale: LinearScale) -> Readings {
        let sides = [(baseTitle, metric.base), (candidateTitle, metric.candidate)]
        let runs = sides.flatMap { title, side in
            side.runsMicroseconds.enumerated().compactMap { index, value in
                value.map { (place: $0, heading: "\(title), run \(index + 1)") }
            }
        }.sorted { ($0.place, $0.heading) < ($1.place, $1.heading) }
        return Readings(
            fractions: runs.map { scale.fraction(of: $0.place) },
            headings: runs.map(\.heading),
            lines: [.init(metric.metric, runs.map { MetricText.time(microseconds: $0.place) })]
        )
    }
}
