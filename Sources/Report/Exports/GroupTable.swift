import Results

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
