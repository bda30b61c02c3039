package import Recording
package import Results
import Rules

extension PrometheusExposition {
    /// Punctuality over all breaks: a break is not a label, because a channel has one every few minutes.
    func writeBreaks(to text: inout PrometheusText) {
        let breaks = run.totals.breaks
        let sum = { (count: (BreakRecord) -> UInt64) in breaks.reduce(0) { $0 &+ count($1) } }
        text.single(
            "podswarm_breaks_total",
            .counter,
            "Breaks that viewers were due for.",
            .count(breaks.count { $0.due > 0 })
        )
        text.single(
            "podswarm_break_viewers_due_total",
            .counter,
            "Viewers that should have shown a break, over all breaks.",
            .count(sum(\.due))
        )
        text.family(
            "podswarm_break_viewers_total",
            .counter,
            "Viewers that were due for a break, by what came of it: on time means a playable pod in hand before their "
                + "own playhead reached the break.",
            [
                .init(labels: [("result", "on_time")], value: .count(sum(\.onTime))),
                .init(labels: [("result", "late")], value: .count(sum(\.late))),
                .init(labels: [("result", "failed")], value: .count(sum(\.failed))),
            ]
        )
        text.single(
            "podswarm_break_viewers_unresolved",
            .gauge,
            "Viewers that are due for a break and of whom nothing more has been heard.",
            .count(sum(\.unresolved))
        )
        text.family(
            "podswarm_break_failures_total",
            .counter,
            "Viewers that were due for a break and never had a playable pod, by reason.",
            BreakFailure.allCases.map { failure in
                .init(labels: [("reason", failure.rawValue)], value: .count(sum { $0.failures(failure) }))
            }
        )
        text.family(
            "podswarm_break_skips_total",
            .counter,
            "Viewers that did not show a break, by reason.",
            SkipReason.allCases.map { reason in
                .init(labels: [("reason", reason.rawValue)], value: .count(sum { $0.skips(reason) }))
            }
        )
        text.family(
            "podswarm_break_lateness_seconds",
            .histogram,
            "How late the late pods were, over all breaks.",
            PrometheusHistogram(run.totals.breakLateness).samples([])
        )
        text.family(
            "podswarm_break_discovery_seconds",
            .histogram,
            "From the first viewer that saw a break announced to each of the others, over all breaks, to 10 ms.",
            PrometheusHistogram(run.totals.breakDiscovery).samples([])
        )
        writePersonas(to: &text)
    }

    /// At most sixteen personas, so that the number of series is bounded.
    private func writePersonas(to text: inout PrometheusText) {
        guard !run.totals.personaNames.isEmpty else { return }
        let sums = run.totals.breaks.reduce(into: PersonaTallies()) { $0.add($1.personas) }
        let samples = run.totals.personaNames.prefix(PersonaTallies.limit).enumerated().flatMap { index, name in
            let tally = sums[index]
            return [
                ("due", tally.due), ("on_time", tally.onTime), ("late", tally.late), ("failed", tally.failed),
            ].map { result, count in
                PrometheusText.Sample(
                    labels: [("persona", UserLabels.bounded(name)), ("number", "\(index)"), ("result", result)],
                    value: .count(count)
                )
            }
        }
        text.family(
            "podswarm_persona_break_viewers_total",
            .counter,
            "Viewers of each persona that were due for a break, and what came of it.",
            samples
        )
    }

    func writeLatestBreak(to text: inout PrometheusText) {
        if let next = run.progress.secondsToNextBreak {
            text.single("podswarm_next_break_seconds", .gauge, "Time to the start of the next break.", .count(next))
        }
        guard let latest = run.totals.latestBreak else { return }
        text.single(
            "podswarm_latest_break_start_time_seconds",
            .gauge,
            "When the latest break that viewers were due for began, since the Unix epoch.",
            .seconds(latest.startMicroseconds)
        )
        text.family(
            "podswarm_latest_break_viewers",
            .gauge,
            "Viewers of the latest break, by what came of it.",
            [
                ("due", latest.due), ("on_time", latest.onTime), ("late", latest.late), ("failed", latest.failed),
                ("unresolved", latest.unresolved),
            ].map { .init(labels: [("result", $0.0)], value: .count($0.1)) }
        )
        text.single(
            "podswarm_latest_break_on_time_ratio",
            .gauge,
            "Share of the latest break's due viewers that had a playable pod in time, from 0 to 1.",
            .number(latest.onTimeShare ?? .nan)
        )
        if let spread = latest.burst.spreadMicroseconds {
            text.single(
                "podswarm_latest_break_burst_spread_seconds",
                .gauge,
                "From the first pod request of the latest break to the last.",
                .seconds(spread)
            )
        }
    }

    /// A gauge, not a counter: differences between viewers are judged by the majority, which may change.
    func writeFindings(to text: inout PrometheusText) {
        let counts = Dictionary(run.totals.findings.map { ($0.code.code, $0.count) }, uniquingKeysWith: &+)
        text.family(
            "podswarm_findings",
            .gauge,
            "Sightings of each inconsistency that podswarm can find, by code and severity.",
            FindingCode.table.map {
                .init(
                    labels: [("code", $0.code), ("severity", $0.severity.rawValue)],
                    value: .count(counts[$0.code] ?? 0)
                )
            }
        )
    }
}

extension RunTotals {
    package var latestBreak: BreakRecord? {
        breaks.filter { $0.due > 0 && !$0.isOverflow }.max { $0.startMicroseconds < $1.startMicroseconds }
    }
}
