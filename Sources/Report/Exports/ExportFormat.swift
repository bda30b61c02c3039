package import Foundation
package import Results
import Rules
import Values

/// Raw values are the words of the command line.
package enum ExportFormat: String, CaseIterable, Sendable {
    case html
    case junit
    case markdown
    case csv
    case csvGroups = "csv-groups"
    case hlog
    case har
    case iab
    case iabSeries = "iab-series"
    case prometheus

    package var summary: String { Wording("format", rawValue).word }

    /// UTF-8; throws if a page's templates are missing.
    package func render(_ document: ResultDocument) throws -> Data { Data(try text(document).utf8) }

    private func text(_ document: ResultDocument) throws -> String {
        switch self {
        case .html: try document.html()
        case .junit: JUnitReport(of: document).xml()
        case .markdown: document.markdown
        case .csv: SecondsTable(document: document).render()
        case .csvGroups: GroupTable(document: document).render()
        case .hlog: HistogramLog(document: document).render()
        case .har: try ExchangeArchive.json(document.exchanges ?? [], notKept: document.exchangesNotKept ?? 0)
        case .iab: try ConcurrentStreams.peak(of: document)
        case .iabSeries: try ConcurrentStreams.series(of: document)
        case .prometheus: ResultMetrics(document: document).render()
        }
    }
}

/// RFC 4180, with units in the names; a long run has steps of several seconds, given by `step_s`.
struct SecondsTable: Sendable {
    let document: ResultDocument

    private static let header = [
        "time_utc", "offset_ms", "step_s", "requests_count", "errors_count", "pod_requests_count", "findings_count",
        "active_viewers_count", "lateness_max_us", "loop_delay_max_us", "cpu_cores_max", "resident_bytes_max",
        "open_descriptors_max", "dropped_starts_count", "generator_wait_max_us", "origin_wait_max_us",
    ]

    func render() -> String { ([Self.header] + document.series.points.map(row)).map { Self.record($0) }.joined() }

    private func row(_ point: SeriesPoint) -> [String] {
        let instant = document.run.startedAtMicroseconds &+ point.startMilliseconds &* 1_000
        return [
            UTCText.iso8601(microseconds: instant), "\(point.startMilliseconds)", "\(document.series.stepSeconds)",
            "\(point.requests)", "\(point.errors)", "\(point.podRequests)", "\(point.findings)",
            "\(point.activeViewers)", "\(point.latenessMaximumMicroseconds)", "\(point.loopDelayMaximumMicroseconds)",
            MetricText.rounded(point.cpuCores, places: 3), "\(point.residentBytes)", "\(point.openDescriptors)",
            "\(point.droppedStarts)", point.generatorWaitMaximumMicroseconds.map(String.init) ?? "",
            point.originWaitMaximumMicroseconds.map(String.init) ?? "",
        ]
    }

    /// Quotes fields as in RFC 4180 section 2.
    static func record(_ fields: [String], end: String = "\r\n") -> String {
        fields.map { field in
            // A carriage return with a line feed is one Character, and equal to neither.
            field.unicodeScalars.contains { ",\"\r\n".unicodeScalars.contains($0) }
                ? "\"" + field.replacingScalars { $0 == "\"" ? "\"\"" : nil } + "\"" : field
        }.joined(separator: ",") + end
    }
}

/// RFC 4180, with units in the names; a row without a kind has the requests of breaks over all kinds, and one without `by`
/// is of all viewers.
struct GroupTable: Sendable {
    let document: ResultDocument

    private static let header = [
        "break", "by", "value", "due_count", "on_time_count", "late_count", "failed_count", "unresolved_count", "kind",
        "requests_count", "errors_count", "response_p50_us", "response_p90_us", "response_p99_us", "response_max_us",
    ]

    func render() -> String {
        let breaks = document.breaks.measured.flatMap { rows(of: $0) + rows($0.by, in: $0.key) }
        return ([Self.header] + rows(document.by, in: "") + breaks).map { SecondsTable.record($0) }.joined()
    }

    private func rows(of entry: BreakResult) -> [[String]] {
        let failed = entry.failed.values.reduce(0, &+)
        let counts = [entry.due, entry.onTime, entry.late, failed, entry.unresolved]
        let front = [entry.key, "", ""] + counts.map(String.init)
        let kinds = [("manifests", entry.manifests), ("playlists", entry.playlists), ("segments", entry.segments)]
        return kinds.compactMap { kind, latency in
            latency.map { latency in
                let times = [Statistic.p50, .p90, .p99, .max].map { "\(latency.microseconds($0))" }
                return front + [kind, "\(latency.count)", ""] + times
            }
        }
    }

    private func rows(_ groups: [ReportedResult]?, in key: String) -> [[String]] {
        (groups ?? []).flatMap { group in
            group.values.flatMap { value in
                let breaks = value.breaks
                let counts = [breaks.due, breaks.onTime, breaks.late, breaks.failed, breaks.unresolved]
                let front = [key, group.name, value.value] + counts.map(String.init)
                let whole = breaks.answers.map { [("", $0)] } ?? []
                let kinds = (value.requests ?? [:]).sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
                let rows: [(String, AnswerResult)] = whole + kinds
                return rows.map { kind, answers -> [String] in
                    let times = answers.times.map { $0.value.map { "\($0)" } ?? "" }
                    return front + [kind, "\(answers.count)", "\(answers.errors)"] + times
                }
            }
        }
    }
}

/// An HdrHistogram log: one line for each window, request kind and metric, in microseconds; `Interval_Max` is milliseconds.
///
/// Sources: HdrHistogram's `HistogramLogWriter` and `HistogramLogReader` (Java), `hdrh.log` (Python). The tag is
/// `<kind>.<metric>`, with `warm_up.` before it in the warm-up: the lines of one tag add up to the result's distribution.
struct HistogramLog: Sendable {
    private typealias Line = (tag: String, startMilliseconds: Int64, endMilliseconds: Int64, latency: LatencyResult)

    let document: ResultDocument

    func render() -> String {
        let start = Self.seconds(milliseconds: document.run.startedAtMicroseconds / 1_000)
        let head = [
            "#[podswarm \(TextLayout.printable(document.podswarmVersion)), microseconds, Tag=kind.metric]",
            "#[Histogram log format version 1.3]",
            "#[StartTime: \(start) (seconds since epoch), \(TextLayout.printable(document.run.startedAt))]",
            // Without a base a reader must guess whether the lines' times are absolute.
            "#[BaseTime: \(start) (seconds since epoch)]",
            "\"StartTimestamp\",\"Interval_Length\",\"Interval_Max\",\"Interval_Compressed_Histogram\"",
        ]
        return (head + lines().map(Self.text)).joined(separator: "\n") + "\n"
    }

    private func lines() -> [Line] {
        guard let windows = document.windows, !windows.isEmpty else { return wholeRun(LatencyMetric.allCases) }
        // Readers that look for a span expect the order of starts.
        return lines(of: windows.filter(\.isWarmUp))
            + wholeRun(LatencyMetric.allCases.filter { !Self.metricsOfWindows.contains($0) })
            + lines(of: windows.filter { !$0.isWarmUp })
    }

    private static let metricsOfWindows: [LatencyMetric] = [.lateness, .service, .response]

    private func lines(of windows: [WindowResult]) -> [Line] {
        windows.flatMap { window in
            let requests = RequestKind.allCases.flatMap { kind -> [(String, LatencyResult?)] in
                guard let requests = window.requests[kind.name] else { return [] }
                let latencies = [requests.lateness, requests.service, requests.response]
                return zip(Self.metricsOfWindows, latencies).map { ("\(kind.name).\($0.name)", $1) }
            }
            let prefix = window.isWarmUp ? "warm_up." : ""
            return (requests + [("live_edge.age", window.liveEdgeAge)]).compactMap { tag, latency in
                latency.map { (prefix + tag, window.startMilliseconds, window.endMilliseconds, $0) }
            }
        }
    }

    /// The run begins after the warm-up.
    private func wholeRun(_ metrics: [LatencyMetric]) -> [Line] {
        let start = document.warmUp?.durationMilliseconds ?? 0
        let end = (document.run.endedAtMicroseconds &- document.run.startedAtMicroseconds) / 1_000
        return RequestKind.allCases.flatMap { kind in
            metrics.compactMap { metric in
                document.requests[kind.name]?.latencies[metric.name].map {
                    ("\(kind.name).\(metric.name)", start, end, $0)
                }
            }
        }
    }

    private static func text(_ line: Line) -> String {
        let length = max(0, line.endMilliseconds &- line.startMilliseconds)
        let fields = [
            "Tag=\(line.tag)", seconds(milliseconds: line.startMilliseconds), seconds(milliseconds: length),
            MetricText.rounded(Double(line.latency.maximumMicroseconds) / 1_000, places: 3),
            line.latency.histogram.data.filter { $0.isASCII && ($0.isLetter || $0.isNumber || "+/=".contains($0)) },
        ]
        return fields.joined(separator: ",")
    }

    /// Exact, because readers find windows by these numbers.
    private static func seconds(milliseconds: Int64) -> String {
        MetricText.rounded(Double(max(0, milliseconds)) / 1_000, places: 3)
    }
}

/// The response of IAB Tech Lab's Concurrent Streams API; instants are milliseconds.
///
/// Source: IABTechLab/Live-Event-Ad-Protocols, `Concurrent_Streams_API.md` (version 1.0) and
/// `implementation-guidance/Concurrent_Streams_API_Guidance.md`. Numbers are JSON integers, as in the specification's tables
/// and the guidance's example.
enum ConcurrentStreams {
    private typealias Step = (offset: Int64, viewers: Int64)

    /// The first instant with the most viewers; the start of a run without a series.
    static func peak(of document: ResultDocument) throws -> String {
        let steps = steps(of: document)
        let most = steps.map(\.viewers).max()
        return try text(of: document, steps.first { $0.viewers == most } ?? (offset: 0, viewers: 0))
    }

    static func series(of document: ResultDocument) throws -> String {
        try steps(of: document).map { try text(of: document, $0) }.joined()
    }

    /// Viewers are counted at the end of each step.
    private static func steps(of document: ResultDocument) -> [Step] {
        let step = Int64(document.series.stepSeconds) &* 1_000
        return document.series.points.map { ($0.startMilliseconds &+ step, $0.activeViewers) }
    }

    /// The label `sdp` names the provider, `content_id` the content as bid requests name it.
    private static func text(of document: ResultDocument, _ step: Step) throws -> String {
        let run = document.run
        let event = TextLayout.printable(run.profile)
        let labels = run.labels.mapValues(TextLayout.printable)
        let stream: [String: Any] = [
            // AdCOM's Content.
            "content": ["id": labels["content_id"] ?? event, "title": "podswarm: \(event)"],
            "eventstart": run.startedAtMicroseconds / 1_000, "eventend": run.endedAtMicroseconds / 1_000,
            // Server-guided insertion counts as server-side; region codes are for provider and subscriber to agree on.
            "streamcount": [["sstreams": max(0, step.viewers)]],
        ]
        let streams: [String: Any] = ["sdp": labels["sdp"] ?? "podswarm", "mediastreams": [stream]]
        let timestamp = (run.startedAtMicroseconds &+ step.offset &* 1_000) / 1_000
        return try JSONText.of(["version": "1.0.0", "timestamp": timestamp, "streamsdata": [streams]]) + "\n"
    }
}
