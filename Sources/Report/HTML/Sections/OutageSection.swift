import Rulebook
import RunResult
import Thresholds

/// The sheds and recoveries of a run whose channel could not be loaded for a while.
struct OutageSection {
    struct Outage {
        var course: String
        var recovery: String
        var isOver: Bool
    }

    private static let outageLimit = 12

    var outages: [Outage]
    var more: String
    var hasMore: Bool
    var charts: [SeriesSection.Chart]

    /// Nil where the channel could always be loaded.
    init?(_ document: ResultDocument) {
        let all = document.outages ?? []
        guard !all.isEmpty else { return nil }
        outages = all.prefix(Self.outageLimit).map {
            let text = OutageText($0)
            return Outage(course: text.course, recovery: text.recovery, isOver: $0.recoveryMilliseconds != nil)
        }
        let hidden = all.count - outages.count
        more = "\(TextLayout.counted(hidden, "more outage")) in the result."
        hasMore = hidden > 0
        let breaks = SeriesSection.breakInstants(document)
        let edges = all.flatMap { [$0.beganMilliseconds, $0.endedMilliseconds] }.map { Double($0) / 1_000 }
        charts = Self.plots(document).compactMap { title, unit, chart in
            chart.plot(document.series, breaks: breaks, edges: edges).map {
                SeriesSection.Chart(
                    title: title,
                    unit: unit,
                    chart: $0.markup(),
                    keys: chart.lines.map { SeriesSection.Key(style: $0.style, name: $0.name) }
                )
            }
        }
    }

    private static let groups: [(name: String, style: String, kinds: [RequestKind])] = [
        ("playlists", "c1", [.playlist, .blockingPlaylist]),
        ("what a viewer begins with", "c4", [.registration, .multivariant]),
        ("ads", "c5", [.podManifest, .podPlaylist, .podSegment, .assetList, .assetManifest]),
        ("segments", "c6", [.segment, .part]),
    ]

    private static func plots(_ document: ResultDocument) -> [(String, String, SeriesChart)] {
        let courses = document.series.points.compactMap(\.course)
        let asked = groups.filter { group in courses.contains { $0.requests(of: group.kinds) > 0 } }
        let series = document.series
        let stopped = Dictionary(
            zip(series.points.map(\.startMilliseconds), series.stoppedViewers),
            uniquingKeysWith: max
        )
        let number: @Sendable (Double) -> String = { MetricText.number(($0 * 10).rounded() / 10) }
        return [
            (
                "Requests by kind", "per second",
                SeriesChart(
                    name: "Requests per second by kind over the run",
                    lines: asked.map { group in
                        let kinds = group.kinds
                        return rate(group.name, group.style) { $0.requests(of: kinds) }
                    },
                    text: number,
                    tickText: TickText.count
                )
            ),
            (
                "Failed, and asked again", "per second",
                SeriesChart(
                    name: "Failed requests and retries per second over the run",
                    lines: [
                        rate("failed", "c2") { $0.errors.values.reduce(0, &+) },
                        rate("asked again", "c4") { $0.retries },
                    ],
                    text: number,
                    tickText: TickText.count
                )
            ),
            (
                "Viewers", "at once",
                SeriesChart(
                    name: "Viewers over the run, and those whose player had given up",
                    lines: [
                        .init(name: "there", style: "c1") { points, _ in
                            Double(points.map(\.activeViewers).max() ?? 0)
                        },
                        .init(name: "whose player has given up", style: "c2") { points, _ in
                            Double(points.compactMap { stopped[$0.startMilliseconds] }.max() ?? 0)
                        },
                    ],
                    text: { TextLayout.grouped(Clamped.integer($0)) },
                    tickText: TickText.count
                )
            ),
        ]
    }

    private static func rate(
        _ name: String,
        _ style: String,
        _ count: @escaping @Sendable (SeriesCourse) -> UInt64
    ) -> SeriesChart.Line {
        SeriesChart.Line(name: name, style: style) { points, seconds in
            points.compactMap(\.course).reduce(0.0) { $0 + Double(count($1)) } / seconds
        }
    }
}
