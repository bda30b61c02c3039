import Rulebook
import RunResult
import Thresholds

/// How long each kind of request took: as figures, by percentile, and over time.
struct LatencySection {
    struct Row {
        var kind: String
        var count: String
        var errors: String
        var hasErrors: Bool
        var p50: String
        var p90: String
        var p99: String
        var p999: String
        var longest: String
        var serviceP99: String
        var latenessP99: String
    }

    struct Kind {
        var name: String
        var count: String
        var curve: Markup
        var heatMap: Markup
        var hasHeatMap: Bool
        var outcomes: String
        var hasOutcomes: Bool
    }

    /// Windows from which time has a shape worth drawing.
    static let leastWindows = 3

    var rows: [Row]
    var kinds: [Kind]
    var hasHeatMaps: Bool
    var carried: String
    var hasCarried: Bool
    /// Whether a kind is among them whose time says how long a server waited for news.
    var hasHeldBack: Bool

    /// Nil where no request was finished.
    init?(_ document: ResultDocument) {
        let asked = RequestKind.allCases.compactMap { kind in
            document.requests[kind.name].flatMap { $0.count > 0 ? (kind.name, $0) : nil }
        }
        guard !asked.isEmpty else { return nil }
        rows = asked.map { Self.row($0, $1) }
        let scale = Self.scale(asked.map(\.1), windows: document.windows ?? [])
        let length = (document.windows ?? []).map(\.endMilliseconds).max() ?? 0
        kinds = asked.map { name, result in
            Self.kind(name, result, windows: document.windows ?? [], length: length, scale: scale)
        }
        hasHeatMaps = kinds.contains(where: \.hasHeatMap)
        carried = Self.carried(asked.map(\.1))
        hasCarried = !carried.isEmpty
        hasHeldBack = asked.contains { RequestKind(name: $0.0)?.isHeldBack == true }
    }

    private static func row(_ name: String, _ result: RequestResult) -> Row {
        let figure = { (metric: LatencyMetric, statistic: Statistic) in
            result.latencies[metric.name]?.cell(statistic) ?? "–"
        }
        return Row(
            kind: Self.title(name),
            count: TextLayout.grouped(result.count),
            errors: result.errors == 0
                ? "0" : "\(TextLayout.grouped(result.errors)) (\(MetricText.percent(result.errorPercent)))",
            hasErrors: result.errors > 0,
            p50: figure(.response, .p50),
            p90: figure(.response, .p90),
            p99: figure(.response, .p99),
            p999: figure(.response, .p999),
            longest: figure(.response, .max),
            serviceP99: figure(.service, .p99),
            latenessP99: figure(.lateness, .p99)
        )
    }

    private static func title(_ name: String) -> String {
        let words = name.replacing("_", with: " ")
        return RequestKind(name: name)?.isHeldBack == true ? words + ", hold and answer" : words
    }

    /// One axis for all kinds, so that their charts can be held against one another.
    private static func scale(_ results: [RequestResult], windows: [WindowResult]) -> LogScale {
        let latencies = results.flatMap { result in
            [LatencyMetric.response, .service].compactMap { result.latencies[$0.name] }
        }
        let low = latencies.map(\.minimumMicroseconds).min() ?? 100
        let high = latencies.map(\.maximumMicroseconds).max() ?? 1_000_000
        return LogScale(Double(max(low, 10)) * 0.8, Double(max(high, low * 4, 100)) * 1.2)
    }

    private static func kind(
        _ name: String,
        _ result: RequestResult,
        windows: [WindowResult],
        length: Int64,
        scale: LogScale
    ) -> Kind {
        let title = Self.title(name)
        let lines: [(LatencyMetric, String, String)] = [
            (.service, "service, from send", "c3"), (.response, "response, from plan", "c1"),
        ]
        let curve = PercentileChart(
            name: "\(title): latency by percentile, response from plan and service from send",
            lines: lines.compactMap { metric, text, style in
                result.latencies[metric.name].map { .init(name: text, style: style, shape: LatencyShape($0)) }
            },
            scale: scale
        ).plot()
        let columns = windows.compactMap { window in
            window.requests[name]?.response.map {
                HeatMap.Column(
                    startMilliseconds: window.startMilliseconds,
                    endMilliseconds: window.endMilliseconds,
                    latency: $0
                )
            }
        }
        let heatMap =
            columns.count < leastWindows
            ? nil
            : HeatMap(
                name: "\(title): response times over the run, window by window",
                columns: columns,
                lengthMilliseconds: length,
                scale: scale
            ).plot()
        let outcomes = result.outcomes.filter { !$0.key.hasPrefix("http_2") && $0.value > 0 }
            .sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            .map { "\($0.key.replacing("_", with: " ")) \(TextLayout.grouped($0.value))" }
        return Kind(
            name: title,
            count: TextLayout.counted(result.count, "request"),
            curve: curve?.markup() ?? .none,
            heatMap: heatMap?.markup() ?? .none,
            hasHeatMap: heatMap != nil,
            outcomes: outcomes.joined(separator: ", "),
            hasOutcomes: !outcomes.isEmpty
        )
    }

    private static func carried(_ results: [RequestResult]) -> String {
        let counts = results.compactMap(\.carried)
        guard !counts.isEmpty else { return "" }
        var parts = Carrier.allCases.map { carrier in
            let sum = counts.reduce(0) { $0 &+ ($1[carrier.name] ?? 0) }
            return (sum, "\(carrier.title) \(TextLayout.grouped(sum))")
        }.filter { $0.0 > 0 }.map(\.1)
        let repeated = results.reduce(0) { $0 &+ ($1.repeated ?? 0) }
        if repeated > 0 { parts.append("sent again \(TextLayout.grouped(repeated))") }
        return parts.joined(separator: ", ")
    }
}
