import Results
import Rules

struct SeriesChart {
    struct Line {
        var name: String
        var style: String
        /// Value of a group of neighbouring steps, given its length in seconds.
        var value: @Sendable (ArraySlice<SeriesPoint>, Double) -> Double
        /// The largest single step of a group; nil if `value` is that already.
        var peak: (@Sendable (ArraySlice<SeriesPoint>) -> Double)?
    }

    typealias Limit = (value: Double, text: String)

    private let caption: Words
    private let name: String
    private let quantity: Quantity
    private let limit: Limit?
    private var lines: [Line] = []
    private let height = 96.0

    init(_ caption: Words, _ name: String, _ quantity: Quantity, limit: Limit? = nil) {
        (self.caption, self.name, self.quantity, self.limit) = (caption, name, quantity, limit)
    }

    func drawing(_ lines: [Line]) -> SeriesChart {
        var chart = self
        chart.lines = lines
        return chart
    }

    func chart(_ series: SeriesResult, breaks: [Double] = [], edges: [Double] = [], namesAll: Bool = false) -> Chart? {
        let keys = namesAll || lines.count > 1 ? lines.map { ($0.style, $0.name) } : []
        return lines.isEmpty ? nil : Chart(caption, keys: keys, plot(series, breaks: breaks, edges: edges))
    }

    /// Instants in seconds; edges span the whole height.
    private func plot(_ series: SeriesResult, breaks: [Double], edges: [Double]) -> Plot? {
        let groups = Self.groups(of: series.points.count)
        guard groups.count > 1 else { return nil }
        let step = Double(max(series.stepSeconds, 1))
        let begins = groups.map { Double(series.points[$0.lowerBound].startMilliseconds) / 1_000 }
        // Steps may be further apart if the machine was busy.
        let lengths = groups.indices.map { index in
            let nominal = Double(groups[index].count) * step
            return index + 1 < begins.count ? max(begins[index + 1] - begins[index], 0.1) : nominal
        }
        let end = (begins.last ?? 0) + (lengths.last ?? step)
        let values = lines.map { line in zip(groups, lengths).map { line.value(series.points[$0], $1) } }
        let peaks = lines.map { line in line.peak.map { peak in groups.map { peak(series.points[$0]) } } }
        let highest = (values + peaks.compactMap(\.self)).joined().max() ?? 0
        let scale = scale(upTo: highest)
        var plot = Plot(name: name, height: height, across: LinearScale(0, end), up: scale)
        plot.horizontalTicks = Ticks.elapsed(seconds: end)
        plot.verticalTicks = Ticks.values(on: scale, atMost: 4, quantity.tick)
        for instant in breaks { plot.marks.vertical(at: plot.place(instant), from: height - 5, to: height, "bk") }
        for instant in edges where instant <= end {
            plot.marks.vertical(at: plot.place(instant), from: 0, to: height, "dl lead")
        }
        if let limit, limit.value <= scale.highest { plot.marks.horizontal(y: plot.y(limit.value), "dl grace") }
        let middles = zip(begins, lengths).map { $0 + $1 / 2 }
        for (index, line) in lines.enumerated() {
            if index == 0 || peaks[index] != nil {
                let top = zip(middles, peaks[index] ?? values[index]).map { plot.point($0, $1) }
                plot.shapes.shape(VectorPath.area(top, ground: height), "fill \(line.style)")
            }
            plot.curve(zip(middles, values[index]).map { ($0, $1) }, line.style)
        }
        plot.readings = readings(places: middles.map(plot.place), begins: begins, end: end, values: values)
        return plot
    }

    private static let drawnPoints = 600

    static func groups(of count: Int) -> [Range<Int>] {
        guard count > 0 else { return [] }
        let groups = min(count, drawnPoints)
        return (0..<groups).map { ($0 * count / groups)..<(($0 + 1) * count / groups) }
    }

    /// A far limit would flatten the curve.
    private func scale(upTo highest: Double) -> LinearScale {
        let near = limit.map { $0.value <= highest * 4 ? max(highest, $0.value) : highest } ?? highest
        return LinearScale(0, near > 0 ? near * 1.08 : 1)
    }

    private func readings(places: [Double], begins: [Double], end: Double, values: [[Double]]) -> Readings {
        var shown = zip(lines, values).map { line, values -> Readings.Line in
            (line.name, "k-\(line.style)", values.map(quantity.value))
        }
        if let limit { shown.append((limit.text, "", begins.map { _ in quantity.value(limit.value) })) }
        return Readings(fractions: places, headings: begins.map { TimeText.elapsed($0) }, lines: shown)
    }
}

extension SeriesChart.Line {
    static func most(_ name: String, style: String = "c1", _ read: @escaping @Sendable (SeriesPoint) -> Double) -> Self
    {
        .init(name: name, style: style) { points, _ in points.map(read).max() ?? 0 }
    }

    /// A step lasts at least its nominal milliseconds.
    static func rate(
        _ name: String,
        style: String = "c1",
        step: Double,
        _ count: @escaping @Sendable (SeriesPoint) -> UInt64
    ) -> SeriesChart.Line {
        .init(name: name, style: style) { points, seconds in
            points.reduce(0.0) { $0 + Double(count($1)) } / seconds
        } peak: { points in
            let next = points.map(\.startMilliseconds).dropFirst() + [Int64.min]
            return zip(points, next).map { point, next in
                Double(count(point)) * 1_000 / max(Double(next) - Double(point.startMilliseconds), step)
            }.max() ?? 0
        }
    }
}
