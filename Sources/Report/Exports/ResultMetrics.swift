import Foundation
package import Results
import Rules
import Values

/// A finished result as metrics, for the textfile collector of Prometheus's node exporter, after scrapes of the run have ended.
///
/// Every series has the profile and the labels of the run, so that files of several profiles or releases do not collide.
package struct ResultMetrics: Sendable {
    let document: ResultDocument

    package init(of document: ResultDocument) {
        self.document = document
    }

    /// Reserved label names, which the user's labels may not take.
    private static let own = ["profile", "outcome", "result", "code", "severity", "kind", "statistic"]

    private var labels: [(name: String, value: String)] {
        let pairs = UserLabels(document.run.labels, apartFrom: Self.own).pairs
        return [("profile", TerminalText.printable(UserLabels.bounded(document.run.profile)))]
            + pairs.map { ($0.name, TerminalText.printable($0.value)) }
    }

    package func render() -> String {
        var text = PrometheusText()
        writeVerdict(to: &text)
        writeBreaks(to: &text)
        writeFindings(to: &text)
        writeRequests(to: &text)
        return text.text
    }

    private func gauge(
        _ name: String,
        _ help: String,
        _ samples: [(labels: [(name: String, value: String)], value: PrometheusText.Value)],
        to text: inout PrometheusText
    ) {
        let all = samples.map { PrometheusText.Sample(labels: labels + $0.labels, value: $0.value) }
        text.family("podswarm_result_\(name)", .gauge, help, all)
    }

    private func writeVerdict(to text: inout PrometheusText) {
        let outcomes = RunVerdict.Outcome.allCases.map { outcome in
            ([("outcome", outcome.rawValue)], PrometheusText.Value.flag(outcome == document.verdict.outcome))
        }
        gauge("verdict", "1 for the outcome that the run came to, 0 for every other.", outcomes, to: &text)
        gauge(
            "exit_status",
            "The exit status that says so.",
            [([], .count(document.verdict.exitCode))],
            to: &text
        )
        gauge(
            "start_time_seconds",
            "When the first viewer joined, since the Unix epoch.",
            [([], .seconds(document.run.startedAtMicroseconds))],
            to: &text
        )
        gauge(
            "end_time_seconds",
            "When the run was over, since the Unix epoch.",
            [([], .seconds(document.run.endedAtMicroseconds))],
            to: &text
        )
        gauge(
            "generator_limited",
            "1 where podswarm was beyond its budget: the figures then say more of it than of the target.",
            [([], .flag(!document.health.withinBudget))],
            to: &text
        )
    }

    private func writeBreaks(to text: inout PrometheusText) {
        let breaks = document.breaks
        let measured = breaks.measured
        gauge("breaks", "Breaks that viewers were due for.", [([], .count(breaks.count))], to: &text)
        gauge(
            "break_viewers",
            "Viewers that were due for a break, over all breaks, and what came of it.",
            [
                ("due", breaks.due), ("on_time", breaks.onTime), ("late", measured.reduce(0) { $0 &+ $1.late }),
                ("failed", measured.reduce(0) { $0 &+ $1.failed.values.reduce(0, &+) }),
            ].map { ([("result", $0.0)], .count($0.1)) },
            to: &text
        )
        let ratio = breaks.onTimePercent.map { PrometheusText.Value.number($0 / 100) }
        gauge(
            "on_time_ratio",
            "Share of the due viewers that had a playable pod in time, from 0 to 1.",
            ratio.map { [([], $0)] } ?? [],
            to: &text
        )
    }

    /// Known codes only: a code in a damaged file does not become a series.
    private func writeFindings(to text: inout PrometheusText) {
        let counts = Dictionary(document.findings.map { ($0.code, $0.count) }, uniquingKeysWith: &+)
        gauge(
            "findings",
            "Sightings of each inconsistency that podswarm can find, by code and severity.",
            FindingCode.table.map { row in
                ([("code", row.code), ("severity", row.severity.rawValue)], .count(counts[row.code] ?? 0))
            },
            to: &text
        )
    }

    private func writeRequests(to text: inout PrometheusText) {
        let requests = RequestKind.allCases.compactMap { kind in
            document.requests[kind.name].map { (kind: [("kind", kind.name)], result: $0) }
        }
        gauge(
            "requests",
            "Finished requests by kind.",
            requests.map { ($0.kind, .count($0.result.count)) },
            to: &text
        )
        gauge(
            "request_errors",
            "Requests that count against the target, by kind.",
            requests.map { ($0.kind, .count($0.result.errors)) },
            to: &text
        )
        let statistics: [(String, KeyPath<LatencyResult, Int64>)] = [
            ("p50", \.p50Microseconds), ("p95", \.p95Microseconds), ("p99", \.p99Microseconds),
            ("max", \.maximumMicroseconds),
        ]
        gauge(
            "response_seconds",
            "From when a request was due to its complete answer, by kind and statistic.",
            requests.flatMap { kind, result in
                result.latencies["response"].map { latency in
                    statistics.map { name, figure in
                        (kind + [("statistic", name)], .seconds(latency[keyPath: figure]))
                    }
                } ?? []
            },
            to: &text
        )
    }
}
