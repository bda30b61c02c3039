import Foundation
import Results
import Rules

extension Plot {
    /// As in HdrHistogram's plots: each nine has equal width, so that the tail is visible.
    ///
    /// A line's key is `k-` and its class; adjacent charts share the scale, in microseconds.
    static func percentiles(
        _ name: String,
        _ lines: [(name: String, style: String, durations: SparseHistogram)],
        up scale: LogScale
    ) -> Plot? {
        let most = lines.map(\.durations.count).max() ?? 0
        guard most > 0 else { return nil }
        let nines = NinesScale(samples: most)
        let curves = lines.map { $0.durations.percentileCurve() }
        var plot = Plot(name: name, height: 150, across: nines, up: scale)
        plot.horizontalTicks = Ticks.percentiles(on: nines)
        plot.verticalTicks = Ticks.durations(on: scale)
        for (line, curve) in zip(lines, curves) {
            plot.shapes.shape(thinned(curve.map { plot.point($0.share, $0.microseconds) }), line.style)
        }
        let shown = percentileMarks.filter { nines.reaches($0.share) } + [(1, "longest")]
        plot.readings = Readings(
            fractions: shown.map { nines.fraction(of: $0.0) },
            headings: shown.map(\.1),
            lines: zip(lines, curves).map { line, curve in
                let marked = shown.map { share, _ in curve.first { $0.share >= share - 1e-9 } }
                let texts = marked.map { $0.map { MetricText.time(microseconds: $0.microseconds) } ?? "" }
                return (line.name, "k-\(line.style)", texts)
            }
        )
        return plot
    }

    private static func thinned(_ points: [(x: Double, y: Double)]) -> VectorPath {
        let kept = points.indices.filter { index in
            guard index > 0, index < points.count - 1 else { return true }
            return points[index - 1].y != points[index].y || points[index + 1].y != points[index].y
        }
        return VectorPath.through(kept.map { points[$0] })
    }

    fileprivate static let percentileMarks: [(share: Double, name: String)] = [
        (0.5, "50%"), (0.75, "75%"), (0.9, "90%"), (0.95, "95%"), (0.99, "99%"), (0.995, "99.5%"), (0.999, "99.9%"),
        (0.999_9, "99.99%"), (0.999_99, "99.999%"),
    ]
}

extension LogScale {
    /// Has room around durations, whose shortest and longest are given in microseconds.
    init(around durations: [(low: Int64, high: Int64)]) {
        let low = durations.map(\.low).min() ?? 100
        let high = durations.map(\.high).max() ?? 1_000_000
        self.init(Double(max(low, 10)) * 0.8, Double(max(high, low * 4, 100)) * 1.2)
    }
}

extension SparseHistogram {
    /// Shares evenly spaced on an axis of nines; the last one is the maximum.
    func percentileCurve() -> [(share: Double, microseconds: Double)] {
        guard count > 0 else { return [] }
        let axis = NinesScale(samples: count)
        let even = (0...Int(axis.nines * 24)).map { 1 - pow(10, -Double($0) / 24) }
        let shares = (even + Plot.percentileMarks.map(\.share).filter(axis.reaches)).sorted() + [1]
        return zip(shares, microseconds(atPercentiles: shares.map { $0 * 100 })).compactMap { share, value in
            value.map { (share, Double(min($0, maximumMicroseconds))) }
        }
    }
}

/// One column for each window, darker for a larger share of its requests.
struct HeatMap {
    struct Column {
        /// From the start of the run.
        var startMilliseconds: Int64
        var endMilliseconds: Int64
        var latency: LatencyResult

        fileprivate var middle: Double { Double(startMilliseconds) / 2 + Double(endMilliseconds) / 2 }
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
        let cells = columns.map { Self.cells($0.latency.distribution, on: scale) }
        for (shade, path) in paths(cells, in: plot).enumerated() { plot.shapes.shape(path, "h\(shade + 1)") }
        for figure in [Statistic.p50, .p99] {
            var points: [(value: Double, height: Double)?] = []
            for (index, column) in columns.enumerated() {
                if !follows(index) { points.append(nil) }
                points.append((column.middle, Double(column.latency.microseconds(figure))))
            }
            plot.curve(points, "hm \(figure.rawValue)")
        }
        plot.readings = readings(time)
        return plot
    }

    static func cells(_ durations: SparseHistogram, on scale: LogScale, rows: Int = rows) -> [Int] {
        var counts = [UInt64](repeating: 0, count: rows)
        durations.forEachBucket { index, count in
            let end = Int64(clamping: durations.digits.values(in: index).upperBound)
            let fraction = scale.fraction(of: Double(min(end, durations.maximumMicroseconds)))
            counts[min(Int(fraction * Double(rows)), rows - 1)] &+= count
        }
        return counts.map { count in
            guard count > 0 else { return 0 }
            let share = Double(count) / Double(max(durations.count, 1))
            return max(1, shades.lastIndex { share >= $0 }.map { $0 + 1 } ?? 1)
        }
    }

    private func paths(_ cells: [[Int]], in plot: Plot) -> [VectorPath] {
        var paths = [VectorPath](repeating: VectorPath(), count: Self.shades.count)
        let rowHeight = plot.height / Double(Self.rows)
        for run in CellRuns.merged(cells, joining: follows) {
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

    /// Whether no time lies between the column and the one before.
    private func follows(_ index: Int) -> Bool {
        index > 0 && columns[index - 1].endMilliseconds >= columns[index].startMilliseconds
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
            lines: [("requests", "", columns.map { TextLayout.grouped($0.latency.count) })]
                + figures.map { name, style, figure in
                    (name, style, columns.map { TimeText.duration($0.latency.microseconds(figure)) })
                }
        )
    }
}

/// Merges neighbouring cells of one shade, so that a page has few shapes.
enum CellRuns {
    struct Run: Equatable {
        var columns: Range<Int>
        var rows: Range<Int>
        var shade: Int
    }

    /// Covers every cell with a shade above 0 exactly once; a column may continue the one before if it `follows` it.
    static func merged(_ cells: [[Int]], joining follows: (Int) -> Bool = { _ in true }) -> [Run] {
        var done: [Run] = []
        var open: [Run] = []
        for (column, shades) in cells.enumerated() {
            if !follows(column) { (done, open) = (done + open, []) }
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
