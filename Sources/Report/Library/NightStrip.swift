import Comparison
import Results

/// One profile's worst verdict of each day; the page's script draws the strip again when runs are filtered.
struct NightStrip {
    var rows: [RunRow]
    /// Days since the Unix epoch, common to all strips.
    var days: ClosedRange<Int64>

    private static let height = 22.0

    /// The worst last; `share` is that of the height.
    private static let grades: [(tone: Tone, share: Double)] = [(.good, 0.4), (.warn, 0.7), (.bad, 1)]

    static func day(of row: RunRow) -> Int64 { row.startedAtMicroseconds / 86_400_000_000 }

    func plot() -> Plot {
        // A capacity or a part of a run has no verdict of its own.
        let judged = rows.filter { $0.tone != .plain && days.contains(Self.day(of: $0)) }
        let byDay = Dictionary(grouping: judged, by: Self.day)
        var paths = Self.grades.map { _ in VectorPath() }
        let width = Plot.width / Double(days.count)
        for (day, rows) in byDay.sorted(by: { $0.key < $1.key }) {
            let worst = Self.grades.lastIndex { grade in rows.contains { $0.tone == grade.tone } } ?? 0
            let (x, height) = (Plot.x(place(day)) - width * 0.42, Self.height * Self.grades[worst].share)
            paths[worst].rectangle(x: x, y: Self.height - height, width: width * 0.84, height: height)
        }
        var plot = Plot(name: "Verdicts of \(rows.first?.profile ?? ""), day by day", height: Self.height)
        for (grade, path) in zip(Self.grades, paths) { plot.shapes.shape(path, "night-\(grade.tone.rawValue)") }
        plot.horizontalTicks = ticks()
        plot.style = "strip"
        return plot
    }

    private func place(_ day: Int64) -> Double { (Double(day - days.lowerBound) + 0.5) / Double(days.count) }

    private static func text(_ day: Int64) -> String { String(TimeText.instant(day * 86_400_000_000).prefix(10)) }

    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    private func ticks() -> [Tick] {
        guard days.count > 62 else {
            let step = Int64(max(1, (days.count + 6) / 7))
            return stride(from: days.lowerBound, through: days.upperBound, by: Int64.Stride(step)).map { day in
                Tick(fraction: place(day), label: String(Self.text(day).dropFirst(5)))
            }
        }
        let firsts = days.filter { Self.text($0).hasSuffix("-01") }
        let step = (firsts.count + 11) / 12
        return firsts.enumerated().filter { $0.offset % max(step, 1) == 0 }.map { _, day in
            let text = Self.text(day)
            let month = Int(text.dropFirst(5).prefix(2)) ?? 1
            let name = Self.months[(month - 1) % 12]
            return Tick(fraction: place(day), label: month == 1 ? String(text.prefix(4)) : name)
        }
    }
}
