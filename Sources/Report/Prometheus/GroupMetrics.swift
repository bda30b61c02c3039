import Results
import Rules

extension PrometheusText {
    /// Figures by the values of `report.by`; empty for a profile without it.
    ///
    /// `total` ends the names of what is counted: "_total" while the run goes on.
    static func groups(_ reported: [ReportedResult]?, total: String) -> [Family] {
        let values = (reported ?? []).flatMap { group in
            group.values.map { (labels: [("by", group.name), ("value", UserLabels.bounded($0.value))], value: $0) }
        }
        let viewers = values.flatMap { labels, value in
            value.breaks.byResult.map { Sample(labels + [("result", $0)], .count($1)) }
        }
        let answers = values.flatMap { labels, value in
            (value.requests ?? [:]).sorted { $0.key < $1.key }.map { (labels + [("kind", $0)], $1) }
        }
        let requests = answers.flatMap { labels, answers in
            [("finished", answers.count), ("error", answers.errors)].map {
                Sample(labels + [("result", $0)], .count($1))
            }
        }
        let responses = answers.flatMap { labels, answers in
            answers.statistics.compactMap { statistic, figure in
                answers[keyPath: figure].map { Sample(labels + [("statistic", statistic.rawValue)], .seconds($0)) }
            }
        }
        return [
            .init(
                "group_break_viewers" + total,
                "Viewers that were due for a break by the values of report.by, and what came of it."
            ).showing(viewers),
            .init(
                "group_requests" + total,
                "Finished requests by the values of report.by, and of them those that count against the target."
            ).showing(requests),
            .init(
                "group_response_seconds",
                "From when a request was due to its complete answer, by the values of report.by, kind and statistic."
            ).showing(responses),
        ]
    }
}

extension AnswerResult {
    var statistics: [(Statistic, KeyPath<AnswerResult, Int64?>)] {
        [
            (.p50, \.p50Microseconds), (.p90, \.p90Microseconds), (.p99, \.p99Microseconds),
            (.max, \.maximumMicroseconds),
        ]
    }
}
