import Results
import Rules

/// As in HdrHistogram's plots: each nine has equal width, so that the tail is visible.
struct PercentileChart {
    struct Line {
        var name: String
        /// The line's key is `k-` and this class.
        var style: String
        var count: UInt64
        /// Shares from 0 to 1, ascending.
        var curve: [(share: Double, microseconds: Double)]
        /// False for the single runs behind a merged curve.
        var isRead = true
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
        var plot = Plot(name: name, height: height, across: nines, up: scale)
        plot.horizontalTicks = Ticks.percentiles(on: nines)
        plot.verticalTicks = Ticks.durations(on: scale)
        for line in lines {
            plot.shapes.shape(Self.thinned(line.curve.map { plot.point($0.share, $0.microseconds) }), line.style)
        }
        plot.readings = readings(on: nines)
        return plot
    }

    private static func thinned(_ points: [(x: Double, y: Double)]) -> VectorPath {
        let kept = points.indices.filter { index in
            guard index > 0, index < points.count - 1 else { return true }
            return points[index - 1].y != points[index].y || points[index + 1].y != points[index].y
        }
        return VectorPath.through(kept.map { points[$0] })
    }

    private func readings(on nines: NinesScale) -> Readings {
        let all: [(Double, String)] = [
            (0.5, "50%"), (0.75, "75%"), (0.9, "90%"), (0.95, "95%"), (0.99, "99%"), (0.995, "99.5%"),
            (0.999, "99.9%"), (0.999_9, "99.99%"), (0.999_99, "99.999%"),
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

extension PercentileChart.Line {
    init(name: String, style: String, shape: LatencyShape) {
        let curve = shape.percentileCurve().map { ($0.share, Double($0.microseconds)) }
        self.init(name: name, style: style, count: shape.count, curve: curve)
    }
}

struct LatencyShape: Sendable, Equatable {
    struct Step: Sendable, Equatable {
        var microseconds: Int64
        var count: UInt64
    }

    let steps: [Step]
    let count: UInt64

    init(steps: [Step]) {
        self.steps = steps
        count = steps.reduce(0) { $0 &+ $1.count }
    }

    /// Approximates the distribution from its percentiles if its histogram cannot be read.
    init(_ result: LatencyResult) {
        guard let distribution = try? result.decoded() else {
            self.init(steps: Self.steps(fromPercentiles: result))
            return
        }
        self.init(distribution)
    }

    init(_ distribution: SparseHistogram) {
        var steps: [Step] = []
        distribution.forEachBucket { index, count in
            // The maximum is exact; the rest as HdrHistogram's readers report it.
            let end = Int64(clamping: distribution.digits.highestValue(in: index))
            let highest = min(end, distribution.maximumMicroseconds)
            steps.append(Step(microseconds: highest, count: count))
        }
        self.init(steps: steps)
    }

    private static func steps(fromPercentiles result: LatencyResult) -> [Step] {
        let known: [(Double, Int64)] = [
            (0, result.minimumMicroseconds), (50, result.p50Microseconds), (90, result.p90Microseconds),
            (95, result.p95Microseconds), (99, result.p99Microseconds), (99.9, result.p999Microseconds),
            (100, result.maximumMicroseconds),
        ]
        var steps: [Step] = []
        var counted: UInt64 = 0
        for (percentile, value) in known {
            let upTo = UInt64(Clamped.count(Double(result.count) * percentile / 100))
            let count = min(max(upTo, 1), result.count)
            guard count > counted else { continue }
            steps.append(Step(microseconds: max(value, steps.last?.microseconds ?? 0), count: count - counted))
            counted = count
        }
        return steps
    }

    /// Shares evenly spaced on an axis of nines; the last one is the maximum.
    func percentileCurve(pointsPerNine: Int = 24) -> [(share: Double, microseconds: Int64)] {
        guard count > 0, let longest = steps.last else { return [] }
        let nines = NinesScale(samples: count).nines
        let named = [0.5, 0.75, 0.9, 0.95, 0.99, 0.995, 0.999, 0.999_9, 0.999_99]
        let even = (0...Int(nines * Double(pointsPerNine))).map {
            1 - LogScale.power(10, -Double($0) / Double(pointsPerNine))
        }
        let wanted = (even + named.filter { 1 - $0 >= LogScale.power(10, -nines) * 0.999 }).sorted()
        var curve: [(share: Double, microseconds: Int64)] = []
        var seen: UInt64 = 0
        var next = wanted[...]
        for step in steps {
            seen &+= step.count
            let share = Double(seen) / Double(count)
            while let target = next.first, share >= target - 1e-12 {
                curve.append((target, step.microseconds))
                next = next.dropFirst()
            }
        }
        curve.append((1, longest.microseconds))
        return curve
    }
}
