import RunResult
import Thresholds

/// The run over time: what was asked, what failed, who was there.
struct SeriesSection {
    struct Chart {
        var title: String
        var unit: String
        var chart: Markup
        var keys: [Key] = []
    }

    /// A line of a chart that has several.
    struct Key {
        var style: String
        var name: String
    }

    var charts: [Chart]

    /// Nil for a run too short to have a course.
    init?(_ document: ResultDocument) {
        let breaks = Self.breakInstants(document)
        let step = Double(max(document.series.secondsPerPoint, 1)) * 1_000
        let rate = { (path: any KeyPath<SeriesPoint, UInt64> & Sendable, name: String, style: String) in
            SeriesChart.Line(
                name: name,
                style: style,
                value: { points, seconds in points.reduce(0.0) { $0 + Double($1[keyPath: path]) } / seconds },
                peak: { points in
                    let next = points.map(\.startMilliseconds).dropFirst() + [Int64.min]
                    return zip(points, next).map { point, next in
                        Double(point[keyPath: path]) * 1_000 / max(Double(next) - Double(point.startMilliseconds), step)
                    }.max() ?? 0
                }
            )
        }
        let number: @Sendable (Double) -> String = { MetricText.number(($0 * 10).rounded() / 10) }
        let plots: [(String, String, SeriesChart)] = [
            (
                "Requests", "per second",
                SeriesChart(
                    name: "Requests per second over the run",
                    lines: [rate(\.requests, "all", "c1"), rate(\.podRequests, "for pods", "c4")],
                    text: number,
                    tickText: TickText.count
                )
            ),
            (
                "Errors", "per second",
                SeriesChart(
                    name: "Errors per second over the run",
                    lines: [rate(\.errors, "errors", "c2")],
                    text: number,
                    tickText: TickText.count
                )
            ),
            ("Viewers", "at once", Self.viewers(document, step: step)),
        ]
        let hasErrors = document.series.points.contains { $0.errors > 0 }
        charts = plots.filter { hasErrors || $0.0 != "Errors" }.compactMap { title, unit, chart in
            chart.plot(document.series, breaks: breaks).map {
                Chart(
                    title: title,
                    unit: unit,
                    chart: $0.markup(),
                    keys: chart.lines.count > 1 ? chart.lines.map { Key(style: $0.style, name: $0.name) } : []
                )
            }
        }
        guard !charts.isEmpty else { return nil }
    }

    /// Who watched, beside who was to watch where the profile says so.
    private static func viewers(_ document: ResultDocument, step: Double) -> SeriesChart {
        let planned = document.run.audienceCurve
        let name = planned == nil ? "active viewers" : "observed"
        let watching = SeriesChart.Line(name: name, style: "c1") { points, _ in
            Double(points.map(\.activeViewers).max() ?? 0)
        }
        let asked = planned.map { planned in
            // A step tells of its end.
            SeriesChart.Line(name: "asked for", style: "c3") { points, _ in
                points.map { planned.viewers(atMilliseconds: Double($0.startMilliseconds) + step) }.max() ?? 0
            }
        }
        return SeriesChart(
            name: planned == nil ? "Active viewers over the run" : "Viewers over the run, asked for and observed",
            lines: [watching] + (asked.map { [$0] } ?? []),
            text: { TextLayout.grouped(Clamped.integer($0)) },
            tickText: TickText.count
        )
    }

    /// Seconds from the start of the run; empty where there are so many that marks would run together.
    static func breakInstants(_ document: ResultDocument) -> [Double] {
        let instants = document.breaks.each.filter { $0.due > 0 }.map {
            Double($0.startMicroseconds &- document.run.startedAtMicroseconds) / 1_000_000
        }
        return instants.count > 60 ? [] : instants
    }
}
