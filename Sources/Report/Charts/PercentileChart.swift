import Rules

/// Latency by percentile as in HdrHistogram's plots: each nine has equal width, so that the tail is visible.
struct PercentileChart {
    struct Line {
        var name: String
        /// The class of the line; its key is `k-` and the class.
        var style: String
        var count: UInt64
        /// Shares from 0 to 1 with their durations, ascending.
        var curve: [(share: Double, microseconds: Double)]
        /// Whether it has readings; the single runs behind a merged curve have none.
        var isRead = true

        init(name: String, style: String, shape: LatencyShape) {
            self.name = name
            self.style = style
            count = shape.count
            curve = shape.percentileCurve().map { ($0.share, Double($0.microseconds)) }
        }

        init(
            name: String,
            style: String,
            count: UInt64,
            curve: [(share: Double, microseconds: Double)],
            isRead: Bool = true
        ) {
            self.name = name
            self.style = style
            self.count = count
            self.curve = curve
            self.isRead = isRead
        }
    }

    var name: String
    var lines: [Line]
    /// Microseconds; adjacent charts share it.
    var scale: LogScale
    var height = 150.0

    func plot() -> Plot? {
        let most = lines.map(\.count).max() ?? 0
        guard most > 0 else { return nil }
        let nines = NinesScale(samples: most)
        var plot = Plot(name: name, height: height)
        plot.horizontalTicks = Ticks.percentiles(on: nines)
        plot.verticalTicks = Ticks.durations(on: scale)
        for line in lines {
            let points = line.curve.map { share, microseconds in
                (x: Plot.x(nines.fraction(of: share)), y: plot.y(scale.fraction(of: microseconds)))
            }
            plot.shapes.shape(Self.thinned(points), line.style)
        }
        plot.readings = readings(on: nines)
        return plot
    }

    /// Drops points on level stretches, of which distributions with few samples have many.
    private static func thinned(_ points: [(x: Double, y: Double)]) -> VectorPath {
        let kept = points.indices.filter { index in
            guard index > 0, index < points.count - 1 else { return true }
            return points[index - 1].y != points[index].y || points[index + 1].y != points[index].y
        }
        return VectorPath.through(kept.map { points[$0] })
    }

    private func readings(on nines: NinesScale) -> Readings {
        let all: [(Double, String)] = [
            (0.5, "50 %"), (0.75, "75 %"), (0.9, "90 %"), (0.95, "95 %"), (0.99, "99 %"), (0.995, "99.5 %"),
            (0.999, "99.9 %"), (0.999_9, "99.99 %"), (0.999_99, "99.999 %"),
        ]
        let shown = all.filter { LogScale.log10(1 / (1 - $0.0)) <= nines.nines + 0.001 } + [(1, "longest")]
        let read = lines.filter(\.isRead)
        let texts = read.map { line in
            shown.map { share, _ in
                line.curve.first { $0.share >= share - 1e-9 }.map { MetricText.time(microseconds: $0.microseconds) }
                    ?? ""
            }
        }
        return Readings(
            fractions: shown.map { nines.fraction(of: $0.0) },
            headings: shown.map(\.1),
            lines: zip(read, texts).map { .init($0.name, style: "k-\($0.style)", $1) }
        )
    }
}
