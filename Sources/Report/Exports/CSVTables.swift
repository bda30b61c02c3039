import Results
import Rules

/// RFC 4180, with units in the names; a long run has steps of several seconds, given by `step_s`.
struct SecondsTable: Sendable {
    let document: ResultDocument

    private static let header = [
        "time_utc", "offset_ms", "step_s", "requests_count", "errors_count", "pod_requests_count", "findings_count",
        "active_viewers_count", "lateness_max_us", "loop_delay_max_us", "cpu_cores_max", "resident_bytes_max",
        "open_descriptors_max", "dropped_starts_count",
        "generator_wait_max_us", "origin_wait_max_us",
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
                ? "\""
                    + String(String.UnicodeScalarView(field.unicodeScalars.flatMap { $0 == "\"" ? [$0, $0] : [$0] }))
                    + "\"" : field
        }.joined(separator: ",") + end
    }
}

/// RFC 4180, with units in the names; a row without a kind has the requests of breaks over all kinds.
struct GroupTable: Sendable {
    let document: ResultDocument

    private static let header = [
        "break", "by", "value", "due_count", "on_time_count", "late_count", "failed_count", "unresolved_count", "kind",
        "requests_count", "errors_count", "response_p50_us", "response_p90_us", "response_p99_us", "response_max_us",
    ]

    func render() -> String {
        let breaks = document.breaks.measured.flatMap { rows($0.by, in: $0.key) }
        return ([Self.header] + rows(document.by, in: "") + breaks).map { SecondsTable.record($0) }.joined()
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
                    let times = answers.statistics.map { answers[keyPath: $1].map { "\($0)" } ?? "" }
                    return front + [kind, "\(answers.count)", "\(answers.errors)"] + times
                }
            }
        }
    }
}
