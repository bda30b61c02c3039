import Results
import Rules
import Values

private typealias Family = PrometheusText.Family
private typealias Sample = PrometheusText.Sample
private typealias Value = PrometheusText.Value

extension LiveState {
    /// Labels are from closed sets: no text of the target becomes one.
    ///
    /// Names follow "Metric and label naming" of Prometheus's documentation. No series disappears during a run.
    package func prometheusText() -> String {
        let parts = [
            about, viewers, requests, latencies, breaks, personas,
            PrometheusText.groups(ReportedResult.all(totals), total: "_total"), latestBreak,
            [PrometheusText.findings(totals.findings.map { ($0.code.code, $0.count) })], generator, eachShard,
        ]
        return PrometheusText.text(parts.flatMap { $0 })
    }

    private var about: [Family] {
        let info =
            [("profile", run.profile), ("target", run.target), ("version", PodswarmVersion.current)]
            .map { (name: $0.0, value: UserLabels.bounded($0.1)) }
        let labels = info + UserLabels.pairs(run.labels, apartFrom: info.map(\.name))
        return [
            .init(
                "run_info",
                "What is run: the profile, its target, the version of podswarm, and the labels given to the run."
            ).showing([.init(labels, .count(1))]),
            .init("run_start_time_seconds", "When the first viewer joined, since the Unix epoch.")
                .showing(.seconds(run.startedAtMicroseconds)),
            .init("run_elapsed_seconds", "How long the run has gone on.")
                .showing(.count(progress.elapsedSeconds)),
            .init("run_remaining_seconds", "How long the run will go on.").showing(
                progress.secondsLeft.map { .count($0) }
            ),
            .init("run_ended", "1 once the run is over and its figures are final.").showing(.flag(result != nil)),
        ]
    }

    private static let durations: Set<ViewerCounter> = [
        .podAskedMilliseconds, .podFilledMilliseconds, .stalledMilliseconds, .watchedMilliseconds,
    ]

    private func time(_ counter: ViewerCounter) -> Value {
        .seconds(Int64(clamping: totals.count(of: counter)).multipliedClamped(by: 1_000))
    }

    private var viewers: [Family] {
        let phases = progress.viewers.map { ($0.name.replacing(" ", with: "_"), Value.count($0.count)) }
        let events = ViewerCounter.allCases.filter { !Self.durations.contains($0) }
        return [
            .init("viewers", "Viewers by the phase of life they are in.").showing(by: "phase", phases),
            .init("viewer_events_total", "What viewers did, by event.")
                .showing(by: "event", events.map { ($0.name, totals.count(of: $0)) }),
            .init("pod_asked_seconds_total", "Time of break that pods were asked for.")
                .showing(time(.podAskedMilliseconds)),
            .init(
                "pod_filled_seconds_total",
                "Time of the pods that came: divided by what was asked for, the fill rate."
            ).showing(time(.podFilledMilliseconds)),
            .init("live_latency_seconds", "How far playheads were behind the wall clock when they reached a break.")
                .showing(.histogram(totals.liveLatency)),
            .init(
                "stalled_seconds_total",
                "Time that viewers' playback stood still, because the playhead had reached the end of what was loaded."
            ).showing(time(.stalledMilliseconds)),
            .init(
                "watched_seconds_total",
                "Time from viewers' first picture of content that they load until they left, stalls included."
            ).showing(time(.watchedMilliseconds)),
            .init("first_picture_seconds", "From a viewer's join to the first segment of content in hand.")
                .showing(.histogram(totals.firstPicture)),
        ]
    }

    private var requests: [Family] {
        let sums = totals.requests
        let answers = RequestKind.allCases.flatMap { kind in
            outcomes(of: kind).map { Sample([("kind", kind.name), ("outcome", $0.key)], .count($0.value)) }
        }
        return [
            .init("requests_total", "Finished requests by kind and outcome: a status, or what prevented an answer.")
                .showing(answers),
            byKind("request_errors_total", "Requests that count against the target.", totals.errorCount(of:)),
            byKind(
                "requests_repeated_total",
                "Requests sent again because a connection that was kept open turned out to be closed."
            ) { sums.count($0, .repeated) },
            byKind("response_body_bytes_total", "Bytes of bodies received.") { sums.count($0, .bodyBytes) },
            byKind("connections_opened_total", "Connections opened.") { sums.count($0, .newConnections) },
        ]
    }

    private func byKind(_ name: String, _ help: String, _ count: (RequestKind) -> UInt64) -> Family {
        Family(name, help).showing(by: "kind", RequestKind.allCases.map { ($0.name, count($0)) })
    }

    /// Response is the viewer's wait, service the target's part, lateness the generator's.
    private var latencies: [Family] {
        let helps: [(LatencyMetric, String)] = [
            (.response, "From when a request was due to its complete answer."),
            (.service, "From when a request was sent to its complete answer."),
            (
                .lateness,
                "From when a request was due to when it was sent, without connecting: the generator's own delay."
            ),
        ]
        let families = helps.map { metric, help -> Family in
            let samples = RequestKind.allCases.flatMap { kind in
                [Sample].histogram(totals.latency(kind, metric), [("kind", kind.name)])
            }
            return .init("request_\(metric.name)_seconds", help).showing(samples)
        }
        return families + [
            .init("durations_out_of_range_total", "Durations above one hour or below zero, which no histogram holds.")
                .showing(.count(totals.latenciesAboveRange &+ totals.latenciesBelowZero))
        ]
    }

    /// An unknown status counts for its class: a target cannot multiply the series.
    private func outcomes(of kind: RequestKind) -> [(key: String, value: UInt64)] {
        // A series that exists from the start has a rate from its first request on.
        let none: [String: UInt64] = ["http_200": 0]
        return totals.requests.outcomesByCode(kind).reduce(into: none) {
            $0[Self.bounded($1.key), default: 0] &+= $1.value
        }
        .sorted { $0.key < $1.key }
    }

    static func bounded(_ outcome: String) -> String {
        guard outcome.hasPrefix("http_"), let status = Int(outcome.dropFirst(5)) else { return outcome }
        if knownStatuses.contains(status) { return outcome }
        return (100...599).contains(status) ? "http_\(status / 100)xx" : "http_other"
    }

    /// IANA's "HTTP Status Code Registry".
    private static let knownStatuses: Set<Int> = [
        200, 201, 202, 203, 204, 206, 300, 301, 302, 303, 304, 307, 308, 400, 401, 402, 403, 404, 405, 406, 407, 408,
        409, 410, 411, 412, 413, 414, 415, 416, 417, 421, 422, 425, 426, 428, 429, 431, 451, 500, 501, 502, 503, 504,
        505, 507, 508, 511,
    ]

    /// A break is not a label, because a channel has one every few minutes.
    private var breaks: [Family] {
        let breaks = totals.breaks
        let sum = { (count: (BreakRecord) -> UInt64) in breaks.reduce(0) { $0 &+ count($1) } }
        let failures = BreakFailure.allCases.map { failure in (failure.rawValue, sum { $0.failures(failure) }) }
        let skips = SkipReason.allCases.map { reason in (reason.rawValue, sum { $0.skips(reason) }) }
        return [
            .init("breaks_total", "Breaks that viewers were due for.").showing(.count(breaks.count { $0.due > 0 })),
            .init("break_viewers_due_total", "Viewers that should have shown a break, over all breaks.")
                .showing(.count(sum(\.due))),
            .init(
                "break_viewers_total",
                "Viewers that were due for a break, by what came of it: on time means a playable pod in hand before their "
                    + "own playhead reached the break."
            ).showing(
                by: "result",
                [("on_time", sum(\.onTime)), ("late", sum(\.late)), ("failed", sum(\.failed))]
            ),
            .init(
                "break_viewers_unresolved",
                "Viewers that are due for a break and of whom nothing more has been heard."
            ).showing(.count(sum(\.unresolved))),
            .init("break_failures_total", "Viewers that were due for a break and never had a playable pod, by reason.")
                .showing(by: "reason", failures),
            .init("break_skips_total", "Viewers that did not show a break, by reason.")
                .showing(by: "reason", skips),
            .init("break_lateness_seconds", "How late the late pods were, over all breaks.")
                .showing(.histogram(totals.breakLateness)),
            .init(
                "break_first_picture_seconds",
                "From a break's start at the playhead to the first segment of its ads in hand, over all breaks."
            ).showing(.histogram(totals.breakFirstPicture)),
            .init(
                "break_discovery_seconds",
                "From the first viewer that saw a break announced to each of the others, over all breaks, to 10 ms."
            ).showing(.histogram(totals.breakDiscovery)),
        ]
    }

    /// Bounds the number of series.
    private var personas: [Family] {
        let sums = totals.breaks.reduce(into: PersonaTallies()) { $0.add($1.personas) }
        let samples = totals.personaNames.prefix(PersonaTallies.limit).enumerated().flatMap { index, name in
            let tally = sums[index]
            return tally.byResult.map { result, count in
                Sample(
                    [("persona", UserLabels.bounded(name)), ("number", "\(index)"), ("result", result)],
                    .count(count)
                )
            }
        }
        let help = "Viewers of each persona that were due for a break, and what came of it."
        return [.init("persona_break_viewers_total", help).showing(samples)]
    }

    private var latestBreak: [Family] {
        let latest = totals.latestBreak
        let viewers = latest.map { $0.byResult + [("unresolved", $0.unresolved)] }
        return [
            .init("next_break_seconds", "Time to the start of the next break.")
                .showing(progress.secondsToNextBreak.map { .count($0) }),
            .init(
                "latest_break_start_time_seconds",
                "When the latest break that viewers were due for began, since the Unix epoch."
            ).showing((latest?.startMicroseconds).map(Value.seconds)),
            .init("latest_break_viewers", "Viewers of the latest break, by what came of it.")
                .showing(by: "result", viewers ?? []),
            .init(
                "latest_break_on_time_ratio",
                "Share of the latest break's due viewers that had a playable pod in time, from 0 to 1."
            ).showing(latest.map { .number($0.onTimeShare ?? .nan) }),
            .init("latest_break_burst_spread_seconds", "From the first pod request of the latest break to the last.")
                .showing((latest?.burst.spreadMicroseconds).map(Value.seconds)),
        ]
    }

    /// Shows whether the figures are those of the target.
    private var generator: [Family] {
        let waits = [("core_wait", health.generatorWaits), ("origin_core_wait", health.originWaits)]
        let over =
            [("cpu", health.secondsOverCPU), ("loop_delay", health.secondsOverLoopDelay)]
            + waits.compactMap { budget, log in log.map { (budget, $0.secondsOver) } }
        return use + [
            .init("generator_loop_cores", "Cores that the loops may use.").showing(.count(health.loopCores)),
            .init("generator_max_fds", "Limit of open descriptors.").showing(.count(health.descriptorLimit)),
            .init("generator_late_starts_total", "Requests sent later than planned by more than the budget allows.")
                .showing(.count(max(0, health.lateStarts))),
            .init("generator_dropped_starts_total", "Requests planned and never sent.")
                .showing(.count(max(0, health.droppedStarts))),
            .init("generator_seconds_over_budget_total", "Seconds in which the generator was over its budget, by what.")
                .showing(by: "budget", over.map { ($0, .count($1)) }),
            .init(
                "generator_limited",
                "1 while the generator is beyond its budget: the run then says more of it than of the target."
            ).showing(.flag(!progress.limits.isEmpty)),
        ]
    }

    private var use: [Family] {
        guard let latest = series.points.last else { return [] }
        let waits = [
            ("generator", latest.generatorWaitMaximumMicroseconds), ("origin", latest.originWaitMaximumMicroseconds),
        ]
        let known = waits.compactMap { process, wait in wait.map { (process, Value.seconds($0)) } }
        return [
            .init("generator_cpu_cores", "Processor time used per second: 1 is one core fully used.")
                .showing(.number(latest.cpuCores)),
            .init("generator_resident_memory_bytes", "Resident memory.").showing(.count(latest.residentBytes)),
            .init("generator_open_fds", "Open descriptors.").showing(.count(latest.openDescriptors)),
            .init(
                "generator_loop_delay_seconds",
                "The longest that a loop kept a due timer waiting in the last interval."
            ).showing(.seconds(latest.loopDelayMaximumMicroseconds)),
            .init("core_wait_seconds", "How much of the last second a thread waited for a core at most, by process.")
                .showing(by: "process", known),
            .init("generator_lateness_seconds", "The longest that a request left late in the last interval.")
                .showing(.seconds(latest.latenessMaximumMicroseconds)),
        ]
    }

    /// A shard is a label: there are as many as machines, and users look each up by its number.
    private var eachShard: [Family] {
        guard !shards.isEmpty else { return [] }
        let states = FollowedRun.State.names.map { name in
            (name, Value.count(shards.count { $0.state.name == name }))
        }
        func each(_ name: String, _ help: String, _ value: (LiveShard) -> Value) -> Family {
            Family(name, help).showing(by: "shard", shards.map { ("\($0.index)", value($0)) })
        }
        return [
            .init("shards", "Shards of the run by how they fare: lost is one that said nothing for too long.")
                .showing(by: "state", states),
            each("shard_up", "1 while the shard runs or has ended by itself.") {
                .flag($0.state == .running || $0.state == .ended)
            },
            each("shard_viewers", "Viewers of the shard that are there.") { .count($0.viewers) },
            each("shard_requests_total", "Requests of the shard.") { .count($0.requests) },
            each("shard_errors_total", "Errors that the shard met.") { .count($0.errors) },
            each("shard_lateness_seconds", "The longest that a request of the shard left late in its last interval.") {
                .seconds($0.latenessMaximumMicroseconds)
            },
            each("shard_limited", "1 while the shard's generator is beyond its budget.") { .flag(!$0.limits.isEmpty) },
        ]
    }
}

extension RunTotals {
    var latestBreak: BreakRecord? {
        breaks.filter { $0.due > 0 && !$0.isOverflow }.max { $0.startMicroseconds < $1.startMicroseconds }
    }
}
