import Foundation
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
        let shown = all.filter { log10(1 / (1 - $0.0)) <= nines.nines + 0.001 } + [(1, "longest")]
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

    /// Empty if its histogram cannot be read.
    init(_ result: LatencyResult) {
        let distribution = (try? result.decoded()) ?? SparseHistogram(digits: .three)
        var steps: [Step] = []
        distribution.forEachBucket { index, count in
            // The maximum is exact; the rest as HdrHistogram's readers report it.
            let end = Int64(clamping: distribution.digits.highestValue(in: index))
            let highest = min(end, distribution.maximumMicroseconds)
            steps.append(Step(microseconds: highest, count: count))
        }
        self.init(steps: steps)
    }

    /// Shares evenly spaced on an axis of nines; the last one is the maximum.
    func percentileCurve(pointsPerNine: Int = 24) -> [(share: Double, microseconds: Double)] {
        guard count > 0, let longest = steps.last else { return [] }
        let nines = NinesScale(samples: count).nines
        let named = [0.5, 0.75, 0.9, 0.95, 0.99, 0.995, 0.999, 0.999_9, 0.999_99]
        let even = (0...Int(nines * Double(pointsPerNine))).map { 1 - pow(10, -Double($0) / Double(pointsPerNine)) }
        let wanted = (even + named.filter { 1 - $0 >= pow(10, -nines) * 0.999 }).sorted()
        var curve: [(share: Double, microseconds: Double)] = []
        var seen: UInt64 = 0
        var next = wanted[...]
        for step in steps {
            seen &+= step.count
            let share = Double(seen) / Double(count)
            while let target = next.first, share >= target - 1e-12 {
                curve.append((target, Double(step.microseconds)))
                next = next.dropFirst()
            }
        }
        curve.append((1, Double(longest.microseconds)))
        return curve
    }
}

/// One column for each window, darker for a larger share of its requests.
struct HeatMap {
    struct Column {
        /// From the start of the run.
        var startMilliseconds: Int64
        var endMilliseconds: Int64
        var latency: LatencyResult
    }

    /// Share of a column's requests at which each shade begins.
    static let shades = [0.0, 0.002, 0.01, 0.04, 0.12, 0.3]
    private static let rows = 40

    var name: String
    var columns: [Column]
    var lengthMilliseconds: Int64
    var scale: LogScale

    /// Nil for fewer than three windows.
    func plot() -> Plot? {
        guard columns.count > 2, lengthMilliseconds > 0 else { return nil }
        let time = LinearScale(0, Double(lengthMilliseconds))
        var plot = Plot(name: name, height: 150, across: time, up: scale)
        plot.horizontalTicks = Ticks.elapsed(seconds: time.highest / 1_000, atMost: 5)
        plot.verticalTicks = Ticks.durations(on: scale)
        let cells = columns.map { Self.cells(LatencyShape($0.latency), on: scale) }
        for (shade, path) in paths(cells, in: plot).enumerated() { plot.shapes.shape(path, "h\(shade + 1)") }
        for figure in [Statistic.p50, .p99] {
            var points: [(value: Double, height: Double)?] = []
            for (index, column) in columns.enumerated() {
                if index > 0, columns[index - 1].endMilliseconds < column.startMilliseconds { points.append(nil) }
                points.append((column.middle, Double(column.latency.microseconds(figure))))
            }
            plot.curve(points, "hm \(figure.rawValue)")
        }
        plot.readings = readings(time)
        return plot
    }

    static func cells(_ shape: LatencyShape, on scale: LogScale, rows: Int = rows) -> [Int] {
        var counts = [UInt64](repeating: 0, count: rows)
        for step in shape.steps {
            let row = min(Int(scale.fraction(of: Double(step.microseconds)) * Double(rows)), rows - 1)
            counts[row] &+= step.count
        }
        return counts.map { count in
            guard count > 0 else { return 0 }
            let share = Double(count) / Double(max(shape.count, 1))
            return max(1, shades.lastIndex { share >= $0 }.map { $0 + 1 } ?? 1)
        }
    }

    private func paths(_ cells: [[Int]], in plot: Plot) -> [VectorPath] {
        var paths = [VectorPath](repeating: VectorPath(), count: Self.shades.count)
        let rowHeight = plot.height / Double(Self.rows)
        for run in stretches.flatMap({ CellRuns.merged(cells[$0], from: $0.lowerBound) }) {
            let left = Plot.x(plot.place(Double(columns[run.columns.lowerBound].startMilliseconds)))
            let right = Plot.x(plot.place(Double(columns[run.columns.upperBound - 1].endMilliseconds)))
            paths[run.shade - 1].rectangle(
                x: left,
                y: plot.height - Double(run.rows.upperBound) * rowHeight,
                width: right - left,
                height: Double(run.rows.count) * rowHeight
            )
        }
        return paths
    }

    private var stretches: [Range<Int>] {
        var stretches: [Range<Int>] = []
        for index in columns.indices {
            let follows = index > 0 && columns[index - 1].endMilliseconds >= columns[index].startMilliseconds
            if follows, let last = stretches.popLast() {
                stretches.append(last.lowerBound..<(index + 1))
            } else {
                stretches.append(index..<(index + 1))
            }
        }
        return stretches
    }

    private func readings(_ time: LinearScale) -> Readings {
        let figures: [(String, String, Statistic)] = [
            ("p50", "k-p50", .p50), ("p90", "", .p90), ("p99", "k-p99", .p99), ("longest", "", .max),
        ]
        let length = time.highest / 1_000
        return Readings(
            fractions: columns.map { time.fraction(of: $0.middle) },
            headings: columns.map {
                TickText.elapsed(Double($0.startMilliseconds) / 1_000, of: length) + " to "
                    + TickText.elapsed(Double($0.endMilliseconds) / 1_000, of: length)
            },
            lines: [.init("requests", columns.map { TextLayout.grouped($0.latency.count) })]
                + figures.map { name, style, figure in
                    .init(name, style: style, columns.map { TimeText.duration($0.latency.microseconds(figure)) })
                }
        )
    }
}

extension HeatMap.Column {
    fileprivate var middle: Double { Double(startMilliseconds) / 2 + Double(endMilliseconds) / 2 }
}

/// Merges neighbouring cells of one shade, so that a page has few shapes.
enum CellRuns {
    struct Run: Equatable {
        var columns: Range<Int>
        var rows: Range<Int>
        var shade: Int
    }

    /// Covers every cell with a shade above 0 exactly once; columns count from `first`.
    static func merged(_ cells: some Sequence<[Int]>, from first: Int = 0) -> [Run] {
        var done: [Run] = []
        var open: [Run] = []
        for (column, shades) in zip(first..., cells) {
            var still: [Run] = []
            for run in vertical(shades, column: column) {
                if let index = open.firstIndex(where: { $0.rows == run.rows && $0.shade == run.shade }) {
                    var longer = open.remove(at: index)
                    longer.columns = longer.columns.lowerBound..<(column + 1)
                    still.append(longer)
                } else {
                    still.append(run)
                }
            }
            done += open
            open = still
        }
        return done + open
    }

    private static func vertical(_ shades: [Int], column: Int) -> [Run] {
        var runs: [Run] = []
        for (row, shade) in shades.enumerated() where shade > 0 {
            if let last = runs.last, last.shade == shade, last.rows.upperBound == row {
                runs[runs.count - 1].rows = last.rows.lowerBound..<(row + 1)
            } else {
                runs.append(Run(columns: column..<(column + 1), rows: row..<(row + 1), shade: shade))
            }
        }
        return runs
    }
}
