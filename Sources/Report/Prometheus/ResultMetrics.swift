import Results
import Rules
import Values

/// For the textfile collector of Prometheus's node exporter.
///
/// The labels of each series keep files of several profiles or releases from colliding.
struct ResultMetrics: Sendable {
    let document: ResultDocument

    /// Not allowed in the user's labels.
    private static let own = ["profile", "outcome", "result", "code", "severity", "kind", "statistic", "by", "value"]

    private var labels: PrometheusText.Labels {
        let pairs = UserLabels(document.run.labels, apartFrom: Self.own).pairs
        return [("profile", TerminalText.printable(UserLabels.bounded(document.run.profile)))]
            + pairs.map { ($0.name, TerminalText.printable($0.value)) }
    }

    func render() -> String {
        let findings = PrometheusText.findings(document.findings.map { ($0.code, $0.count) })
        return PrometheusText.text(
            verdict + breaks + [findings] + requests + PrometheusText.groups(document.by, total: ""),
            prefix: "podswarm_result_",
            labels: labels
        )
    }

    private var verdict: [PrometheusText.Family] {
        let outcomes = RunVerdict.Outcome.allCases.map {
            ($0.rawValue, PrometheusText.Value.flag($0 == document.verdict.outcome))
        }
        return [
            .init("verdict", "1 for the run's outcome, 0 for every other.").showing(.by("outcome", outcomes)),
            .init("exit_status", "The exit status that says so.").showing(.count(document.verdict.exitCode)),
            .init("start_time_seconds", "When the first viewer joined, since the Unix epoch.")
                .showing(.seconds(document.run.startedAtMicroseconds)),
            .init("end_time_seconds", "When the run was over, since the Unix epoch.")
                .showing(.seconds(document.run.endedAtMicroseconds)),
            .init(
                "generator_limited",
                "1 where podswarm was beyond its budget: the figures then say more of it than of the target."
            ).showing(.flag(!document.health.withinBudget)),
        ]
    }

    private var breaks: [PrometheusText.Family] {
        let breaks = document.breaks
        let measured = breaks.measured
        let viewers = [
            ("due", breaks.due), ("on_time", breaks.onTime), ("late", measured.reduce(0) { $0 &+ $1.late }),
            ("failed", measured.reduce(0) { $0 &+ $1.failed.values.reduce(0, &+) }),
        ]
        return [
            .init("breaks", "Breaks that viewers were due for.").showing(.count(breaks.count)),
            .init("break_viewers", "Viewers that were due for a break, over all breaks, and what came of it.")
                .showing(.counts("result", viewers)),
            .init("on_time_ratio", "Share of the due viewers that had a playable pod in time, from 0 to 1.")
                .showing(.number(breaks.onTimePercent.map { $0 / 100 })),
        ]
    }

    private var requests: [PrometheusText.Family] {
        let requests = RequestKind.allCases.compactMap { kind in
            document.requests[kind.name].map { (kind: kind.name, result: $0) }
        }
        let responses = requests.flatMap { kind, result in
            result.latencies["response"].map { latency in
                [Statistic.p50, .p95, .p99, .max].map { statistic in
                    PrometheusText.Sample(
                        [("kind", kind), ("statistic", statistic.rawValue)],
                        .seconds(latency.microseconds(statistic))
                    )
                }
            } ?? []
        }
        return [
            .init("requests", "Finished requests by kind.")
                .showing(.counts("kind", requests.map { ($0.kind, $0.result.count) })),
            .init("request_errors", "Requests that count against the target, by kind.")
                .showing(.counts("kind", requests.map { ($0.kind, $0.result.errors) })),
            .init("response_seconds", "From when a request was due to its complete answer, by kind and statistic.")
                .showing(responses),
        ]
    }
}
