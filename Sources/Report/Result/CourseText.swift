package import Results
import Rules

package struct CourseText {
    private static let bars = Sparkline.bars
    private static let rows = 5
    private static let widest = 72

    let seconds: Double
    let width: Int

    package init(seconds: Double, width: Int) { (self.seconds, self.width) = (seconds, width) }

    /// The highest row first.
    package func lines(_ curve: PlannedAudience) -> [String] {
        let most = Double(curve.viewers.max() ?? 0)
        let title = TextLayout.grouped(curve.viewers.max() ?? 0)
        let columns = columns(beside: title.count + 4)
        let heights = values(curve, columns: columns).map { Self.eighths($0, of: most, rows: Self.rows) }
        let pad = { (text: String) in String(repeating: " ", count: title.count - text.count) + text }
        let rows = (0..<Self.rows).map { row in
            let bars = heights.map { Self.bar($0 - (Self.rows - 1 - row) * Self.bars.count) }
            let label = row == 0 ? title : row == Self.rows - 1 ? "0" : ""
            return "  \(pad(label)) │\(String(bars))"
        }
        let end = MetricText.number(seconds) + " s"
        let gap = String(repeating: " ", count: max(1, columns - 1 - end.count))
        return rows + ["  \(pad("")) └" + String(repeating: "─", count: columns), "  \(pad(""))  0\(gap)\(end)"]
    }

    /// One row of bars for each curve, on one scale.
    func lines(_ curves: [(name: String, curve: PlannedAudience)]) -> [String] {
        let most = Double(curves.flatMap(\.curve.viewers).max() ?? 0)
        let longest = curves.map(\.name.count).max() ?? 0
        let columns = columns(beside: longest + 4)
        return curves.map { name, curve in
            let bars = values(curve, columns: columns).map { Self.bar(Self.eighths($0, of: most, rows: 1)) }
            return "  \(name)\(String(repeating: " ", count: longest - name.count))  \(String(bars))"
        }
    }

    /// A value above 0 is at least one eighth.
    private static func eighths(_ value: Double, of most: Double, rows: Int) -> Int {
        guard most > 0, value > 0 else { return 0 }
        let eighths = Double(rows * bars.count)
        return Int(min(max((value / most * eighths).rounded(), 1), eighths))
    }

    private static func bar(_ eighths: Int) -> Character { eighths <= 0 ? " " : bars[min(eighths, bars.count) - 1] }

    private func columns(beside others: Int) -> Int { max(8, min(Self.widest, width - others)) }

    private func values(_ curve: PlannedAudience, columns: Int) -> [Double] {
        let parts = 8
        let length = seconds * 1_000 / Double(columns * parts)
        return (0..<columns).map { column in
            let samples = (0..<parts).map { part in
                curve.viewers(atMilliseconds: (Double(column * parts + part) + 0.5) * length)
            }
            return samples.reduce(0, +) / Double(parts)
        }
    }
}

extension PlannedAudience {
    func blocks(_ document: ResultDocument) -> [Block] {
        let most = [viewers, document.series.points.map(\.activeViewers)].map { $0.max() ?? 0 }
        let curves = [("asked for", self), ("observed", PlannedAudience(observed: document.series))]
        return [
            .typed { CourseText(seconds: document.run.seconds, width: $0).lines(curves) },
            .said("at most \(TextLayout.grouped(most[0])) at once asked for, \(TextLayout.grouped(most[1])) observed"),
        ]
    }

    private init(observed series: SeriesResult) {
        let step = Int64(clamping: max(series.stepSeconds, 1)) &* 1_000
        // A point is the state at the end of its step.
        self.init(shape: nil, stepMilliseconds: step, viewers: [0] + series.points.map(\.activeViewers))
    }
}
