import Results
import Rules

enum LatencySections {
    static func latency(_ document: ResultDocument) -> Section {
        let asked = RequestKind.allCases.compactMap { kind in
            document.requests[kind.name].flatMap { $0.count > 0 ? (kind: kind, result: $0) : nil }
        }
        guard !asked.isEmpty else {
            return Section("latency", "Latency", link: "Latency", summary: "no request was finished")
        }
        let windows = document.windows ?? []
        let scale = scale(asked.map(\.result))
        let charts = asked.map { chart($0.kind, $0.result, windows: windows, scale: scale) }
        let hasHeatMaps = charts.contains { $0.plots.count > 1 }
        return Section("latency", "Latency", link: "Latency").showing([
            .lead(.sentence("latency")), table(asked),
            .facts(
                asked.compactMap { kind, result in
                    let errors = result.outcomes.filter { !$0.key.hasPrefix("http_2") }.sentence
                    return errors.isEmpty ? nil : Fact(kind.name, Words(errors))
                }
            ), .facts(asked.filter { $0.kind.isHeldBack }.map { Fact($0.kind.name, .sentence("held_back")) }),
            carried(asked.map(\.result)).map { .said("carried by: \($0)") },
            .paragraph(legend(hasHeatMaps: hasHeatMaps), .legend).only(.page),
            .charts(charts, hasHeatMaps ? .pairs : .kinds),
        ])
    }

    private static func legend(hasHeatMaps: Bool) -> Words {
        let lines = "<i class=\"c1\"></i>response, from plan <i class=\"c3\"></i>service, from send"
        let shades =
            " <i class=\"hs\"><b></b><b></b><b></b><b></b><b></b><b></b></i>share of a window's requests,"
            + " less than 0.2% to more than 30% <i class=\"p50\"></i>p50 <i class=\"p99\"></i>p99"
        return "\(Markup(trusted: lines + (hasHeatMaps ? shades : "")))"
    }

    private static func table(_ asked: [(kind: RequestKind, result: RequestResult)]) -> Block {
        let figures: [(title: String, metric: LatencyMetric, statistic: Statistic)] = [
            ("p50", .response, .p50), ("p90", .response, .p90), ("p99", .response, .p99), ("max", .response, .max),
            ("service p99", .service, .p99), ("lateness p99", .lateness, .p99), ("p99.9", .response, .p999),
        ]
        let heads = ["response", "count", "errors"] + figures.map { Table.Column($0.title) }
        return Table("Latency by kind of request", heads).listing(asked) { kind, result in
            let errors = "\(TextLayout.grouped(result.errors)) (\(MetricText.percent(result.errorPercent)))"
            let counts = [.count(result.count), result.errors == 0 ? "0" : Words(errors, .bad)]
            let times = figures.map { (result.latencies[$0.metric.name]?.cell($0.statistic)).orDash }
            return .init([Words(kind.name)] + counts + times)
        }
    }

    /// Makes the charts of all kinds comparable.
    private static func scale(_ results: [RequestResult]) -> LogScale {
        let latencies = results.flatMap { result in
            [LatencyMetric.response, .service].compactMap { result.latencies[$0.name] }
        }
        return LogScale(around: latencies.map { ($0.minimumMicroseconds, $0.maximumMicroseconds) })
    }

    private static func chart(
        _ kind: RequestKind,
        _ result: RequestResult,
        windows: [WindowResult],
        scale: LogScale
    ) -> Chart {
        let title = kind.name + (kind.isHeldBack ? ", hold and answer" : "")
        let lines: [(LatencyMetric, String, String)] = [
            (.service, "service, from send", "c3"), (.response, "response, from plan", "c1"),
        ]
        let curve = Plot.percentiles(
            "\(title): latency by percentile, response from plan and service from send",
            lines.compactMap { metric, text, style in
                result.latencies[metric.name].map { (text, style, $0.distribution) }
            },
            up: scale
        )
        let heatMap = HeatMap(
            name: "\(title): response times over the run, window by window",
            columns: windows.compactMap { window in
                let (start, end) = (window.startMilliseconds, window.endMilliseconds)
                return window.requests[kind.name]?.response.map {
                    .init(startMilliseconds: start, endMilliseconds: end, latency: $0)
                }
            },
            lengthMilliseconds: windows.map(\.endMilliseconds).max() ?? 0,
            scale: scale
        ).plot()
        return Chart("\(strong: title) \(TextLayout.counted(result.count, "request"))", plots: [curve, heatMap])
    }

    /// Nil for a result without these counts.
    private static func carried(_ results: [RequestResult]) -> String? {
        let counts = results.compactMap(\.carried)
        guard !counts.isEmpty else { return nil }
        let sum = { (carrier: Carrier) in counts.reduce(0) { $0 &+ ($1[carrier.name] ?? 0) } }
        var parts = Carrier.allCases.map { "\(Wording("carrier", $0.name).word) \(TextLayout.grouped(sum($0)))" }
        let repeated = results.reduce(0) { $0 &+ ($1.repeated ?? 0) }
        if repeated > 0 { parts.append("sent again \(TextLayout.grouped(repeated))") }
        if sum(.curl) > 0, results.contains(where: { $0.unstamped != nil }) {
            parts.append("libcurl's answers have no stamps, and end when podswarm has read them")
        }
        return parts.joined(separator: "; ")
    }

    /// Most kinds of requests for which a page compares edges.
    private static let edgeKinds = 4

    static func edges(_ document: ResultDocument) -> Section? {
        guard let edges = document.edges else { return nil }
        let comparable = edges.comparableKinds
        let asked = RequestKind.allCases.filter { kind in edges.each.contains { $0.requests[kind.name] != nil } }
        let kinds = (comparable.isEmpty ? asked : comparable).prefix(edgeKinds)
        let figures = [Statistic.p99, .p50, .max].flatMap { statistic in kinds.map { (kind: $0.name, statistic) } }
        let others = edges.others.map { $0.values.reduce(0) { $0 &+ $1.count } }
        let cached = edges.cached
        let all = edges.each.reduce(Double(others ?? 0)) { $0 + Double($1.count) }
        let times = figures.map { Table.Column("\($0.kind) \($0.1.rawValue)") }
        let heads = ["edge", "requests", "share", "errors", "from cache"] + times
        let table = Table("Table of edges", heads, limits: Limits(text: 6, markdown: 20), noun: "edge")
            .listing(edges.each) { edge in
                let share = MetricText.percent(100 * Double(edge.count) / max(all, 1))
                let errors = Words(TextLayout.grouped(edge.errors), edge.errors > 0 ? .bad : .plain)
                let fromCache = edge.requests.values.cachedPercent.map(MetricText.percent).orDash
                let times = figures.map { (edge.requests[$0.kind]?.cell($0.1)).orDash }
                return .init(
                    [Words(edge.name), .count(edge.count), Words(share), errors, fromCache] + times,
                    rank: Double(edge.count)
                )
            }
        let shares = cached.map { "\($0.kind.name) \(MetricText.percent($0.percent))" }.joined(separator: ", ")
        let summary: Words = "\(TextLayout.grouped(edges.each.count)), by address and point of presence"
        let forms: Forms = edges.each.count > 1 || !cached.isEmpty ? .all : .page
        return Section("edges", "Edges", link: "Edges", summary: summary, forms: forms, isFolded: true).showing([
            table,
            others.map {
                let count = TextLayout.counted($0, "request")
                return .said("and \(count) of more than \(EdgeResults.limit) edges, which are counted together")
            },
            cached.isEmpty ? nil : .said("answered from a cache, as the answers say: \(shares)"),
            edges.withoutConnection > 0
                ? .said("\(TextLayout.counted(edges.withoutConnection, "request")) ended without a connection") : nil,
            edges.failedConnects.map {
                .said("connections refused or not accepted in time: \($0.sentence(atMost: 8))")
            },
        ])
    }

    static func slowest(_ document: ResultDocument) -> Section {
        let answers = document.slowestAnswers ?? []
        let told = SlowAnswerResult.slowestKinds(of: answers).prefix(4)
        let rows = answers.map { answer in
            let cells: [String?] = [
                TimeText.duration(answer.responseMicroseconds), answer.outcome,
                TimeText.elapsed(Double(answer.offsetMilliseconds) / 1_000), String(answer.viewer), answer.breakKey,
                answer.url, [answer.address, answer.served].compactMap(\.self).joined(separator: "; "),
            ]
            return Table.Row([Words(answer.kind)] + cells.map(\.orDash) + [answer.traceID.map { .code($0) } ?? "–"])
        }
        let heads: [Table.Column] = [
            "kind", "response", .text("outcome"), "after", "viewer", .text("break"), .text("asked for"),
            .text("answered by"), .text("trace"),
        ]
        let table = Table("Table of the slowest answers", heads).listing(rows)
        let title = Words("The slowest answers of each kind and break: \(rows.count)")
        return Section("slowest", "Slowest answers", isFolded: true).showing([
            .list(
                told.map { answer in
                    let place = answer.whereabouts.joined(separator: ", ")
                    return Words("\(answer.kind): \(TimeText.duration(answer.responseMicroseconds)), \(place)")
                }
            ).only([.text, .markdown]),
            .folded(title, [table]).only(.page),
        ])
    }
}

extension AnswerResult {
    /// Nil if no time was measured.
    var times: KeyValuePairs<Statistic, Int64?> {
        [.p50: p50Microseconds, .p90: p90Microseconds, .p99: p99Microseconds, .max: maximumMicroseconds]
    }

    /// Nil if no time was measured.
    func cell(_ statistic: Statistic) -> String? {
        let time = times.first { $0.key == statistic }?.value
        return TimeText.percentile(statistic, time, of: count, maximum: maximumMicroseconds)
    }
}

extension Collection<AnswerResult> {
    /// Share of the requests whose answers say that a cache made them; nil if no answer says.
    fileprivate var cachedPercent: Double? {
        guard contains(where: { $0.cacheHits != nil }) else { return nil }
        let (hits, all) = reduce((0.0, 0.0)) { ($0.0 + Double($1.cacheHits ?? 0), $0.1 + Double($1.count)) }
        return 100 * hits / Swift.max(all, 1)
    }
}

extension EdgeResults {
    /// Kinds whose answers say whether a cache made them, over all edges.
    fileprivate var cached: [(kind: RequestKind, percent: Double)] {
        RequestKind.allCases.compactMap { kind in
            let results = (each.map(\.requests) + [others ?? [:]]).compactMap { $0[kind.name] }
            return results.cachedPercent.map { (kind, $0) }
        }
    }

    /// Kinds that several edges answered at their own speed; those that begin a break first.
    var comparableKinds: [RequestKind] {
        let counts = RequestKind.allCases.filter { !$0.isHeldBack }
            .map { kind in
                let answered = each.compactMap { $0.requests[kind.name] }.filter { $0.p99Microseconds != nil }
                return (kind: kind, edges: answered.count, count: answered.reduce(0) { $0 &+ $1.count })
            }
        return counts.filter { $0.edges > 1 }
            .sorted { ($0.kind.beginsBreak ? 0 : 1, $1.count) < ($1.kind.beginsBreak ? 0 : 1, $0.count) }
            .map(\.kind)
    }
}

extension SlowAnswerResult {
    /// The slowest first, without blocking requests.
    static func slowestKinds(of answers: [SlowAnswerResult]) -> [SlowAnswerResult] {
        let kinds = RequestKind.allCases.filter { !$0.isHeldBack }
        return kinds.compactMap { kind in answers.first { $0.kind == kind.name } }
            .sorted { $0.responseMicroseconds > $1.responseMicroseconds }
    }

    var whereabouts: [String] {
        let place = breakKey.map { "break \($0)" }
        let seconds = Double(offsetMilliseconds) / 1_000
        return [
            outcome, "viewer \(viewer) after \(TimeText.elapsed(seconds))", place,
            address.map { "answered by \($0)" }, served, traceID.map { "trace \($0)" },
        ].compactMap(\.self)
    }

    var isError: Bool { !outcome.hasPrefix("http_2") }
}
