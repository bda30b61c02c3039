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
            about, viewers, requests, breaks,
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
            ("run_info", [Sample(labels, .count(1))]),
            ("run_start_time_seconds", .one(.seconds(run.startedAtMicroseconds))),
            ("run_elapsed_seconds", .one(.count(progress.elapsedSeconds))),
            ("run_remaining_seconds", .one(progress.secondsLeft.map { .count($0) })),
            ("run_ended", .one(.flag(result != nil))),
        ]
    }

    private static let durations: Set<ViewerCounter> = [
        .podAskedMilliseconds, .podFilledMilliseconds, .stalledMilliseconds, .watchedMilliseconds,
    ]

    private func time(_ counter: ViewerCounter) -> [Sample] {
        .one(.seconds(Int64(clamping: totals.count(of: counter)).multipliedClamped(by: 1_000)))
    }

    private var viewers: [Family] {
        let phases = progress.viewers.map { ($0.name.replacing(" ", with: "_"), Value.count($0.count)) }
        let events = ViewerCounter.allCases.filter { !Self.durations.contains($0) }
        return [
            ("viewers", .by("phase", phases)),
            ("viewer_events_total", .by("event", events.map { ($0.name, totals.count(of: $0)) })),
            ("pod_asked_seconds_total", time(.podAskedMilliseconds)),
            ("pod_filled_seconds_total", time(.podFilledMilliseconds)),
            ("live_latency_seconds", .histogram(totals.liveLatency)),
            ("stalled_seconds_total", time(.stalledMilliseconds)),
            ("watched_seconds_total", time(.watchedMilliseconds)),
            ("first_picture_seconds", .histogram(totals.firstPicture)),
        ]
    }

    private var requests: [Family] {
        let sums = totals.requests
        let answers = RequestKind.allCases.flatMap { kind in
            outcomes(of: kind).map { Sample([("kind", kind.name), ("outcome", $0.key)], .count($0.value)) }
        }
        func byKind(_ count: (RequestKind) -> UInt64) -> [Sample] {
            .by("kind", RequestKind.allCases.map { ($0.name, count($0)) })
        }
        let counts: [Family] = [
            ("requests_total", answers), ("request_errors_total", byKind(totals.errorCount(of:))),
            ("requests_repeated_total", byKind { sums.count($0, .repeated) }),
            ("response_body_bytes_total", byKind { sums.count($0, .bodyBytes) }),
            ("connections_opened_total", byKind { sums.count($0, .newConnections) }),
        ]
        // Response is the viewer's wait, service the target's part, lateness the generator's.
        let latencies = [LatencyMetric.response, .service, .lateness].map { metric -> Family in
            let samples = RequestKind.allCases.flatMap { kind in
                [Sample].histogram(totals.latency(kind, metric), [("kind", kind.name)])
            }
            return ("request_\(metric.name)_seconds", samples)
        }
        let outOfRange = totals.latenciesAboveRange &+ totals.latenciesBelowZero
        return counts + latencies + [("durations_out_of_range_total", .one(.count(outOfRange)))]
    }

    /// An unknown status counts for its class: a target cannot multiply the series.
    private func outcomes(of kind: RequestKind) -> [(key: String, value: UInt64)] {
        // A series that exists from the start has a rate from its first request on.
        let none: [String: UInt64] = ["http_200": 0]
        return totals.requests.outcomesByCode(kind).reduce(into: none) {
            $0[Self.bounded($1.key), default: 0] &+= $1.value
        }.sorted { $0.key < $1.key }
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
        let results = [("on_time", sum(\.onTime)), ("late", sum(\.late)), ("failed", sum(\.failed))]
        let tallies = breaks.reduce(into: PersonaTallies()) { $0.add($1.personas) }
        // The limit bounds the number of series.
        let personas = totals.personaNames.prefix(PersonaTallies.limit).enumerated().flatMap { index, name in
            let labels = [(name: "persona", value: UserLabels.bounded(name)), ("number", "\(index)")]
            return tallies[index].byResult.map { Sample(labels + [("result", $0)], .count($1)) }
        }
        return [
            ("breaks_total", .one(.count(breaks.count { $0.due > 0 }))),
            ("break_viewers_due_total", .one(.count(sum(\.due)))), ("break_viewers_total", .by("result", results)),
            ("break_viewers_unresolved", .one(.count(sum(\.unresolved)))),
            ("break_failures_total", .by("reason", failures)), ("break_skips_total", .by("reason", skips)),
            ("break_lateness_seconds", .histogram(totals.breakLateness)),
            ("break_first_picture_seconds", .histogram(totals.breakFirstPicture)),
            ("break_discovery_seconds", .histogram(totals.breakDiscovery)), ("persona_break_viewers_total", personas),
        ]
    }

    private var latestBreak: [Family] {
        let latest = totals.latestBreak
        let viewers = latest.map { $0.byResult + [("unresolved", $0.unresolved)] }
        return [
            ("next_break_seconds", .one(progress.secondsToNextBreak.map { .count($0) })),
            ("latest_break_start_time_seconds", .one((latest?.startMicroseconds).map(Value.seconds))),
            ("latest_break_viewers", .by("result", viewers ?? [])),
            ("latest_break_on_time_ratio", .one(latest.map { .number($0.onTimeShare ?? .nan) })),
            ("latest_break_burst_spread_seconds", .one((latest?.burst.spreadMicroseconds).map(Value.seconds))),
        ]
    }

    /// Shows whether the figures are those of the target.
    private var generator: [Family] {
        let waits = [("core_wait", health.generatorWaits), ("origin_core_wait", health.originWaits)]
        let over =
            [("cpu", health.secondsOverCPU), ("loop_delay", health.secondsOverLoopDelay)]
            + waits.compactMap { budget, log in log.map { (budget, $0.secondsOver) } }
        return use + [
            ("generator_loop_cores", .one(.count(health.loopCores))),
            ("generator_max_fds", .one(.count(health.descriptorLimit))),
            ("generator_late_starts_total", .one(.count(max(0, health.lateStarts)))),
            ("generator_dropped_starts_total", .one(.count(max(0, health.droppedStarts)))),
            ("generator_seconds_over_budget_total", .by("budget", over.map { ($0, Value.count($1)) })),
            ("generator_limited", .one(.flag(!progress.limits.isEmpty))),
        ]
    }

    private var use: [Family] {
        guard let latest = series.points.last else { return [] }
        let waits = [
            ("generator", latest.generatorWaitMaximumMicroseconds), ("origin", latest.originWaitMaximumMicroseconds),
        ]
        let known = waits.compactMap { process, wait in wait.map { (process, Value.seconds($0)) } }
        return [
            ("generator_cpu_cores", .one(.number(latest.cpuCores))),
            ("generator_resident_memory_bytes", .one(.count(latest.residentBytes))),
            ("generator_open_fds", .one(.count(latest.openDescriptors))),
            ("generator_loop_delay_seconds", .one(.seconds(latest.loopDelayMaximumMicroseconds))),
            ("core_wait_seconds", .by("process", known)),
            ("generator_lateness_seconds", .one(.seconds(latest.latenessMaximumMicroseconds))),
        ]
    }

    /// A shard is a label: there are as many as machines, and users look each up by its number.
    private var eachShard: [Family] {
        guard !shards.isEmpty else { return [] }
        let states = FollowedRun.State.names.map { name in (name, Value.count(shards.count { $0.state.name == name })) }
        func each(_ value: (LiveShard) -> Value) -> [Sample] { .by("shard", shards.map { ("\($0.index)", value($0)) }) }
        return [
            ("shards", .by("state", states)),
            ("shard_up", each { .flag($0.state == .running || $0.state == .ended) }),
            ("shard_viewers", each { .count($0.viewers) }), ("shard_requests_total", each { .count($0.requests) }),
            ("shard_errors_total", each { .count($0.errors) }),
            ("shard_lateness_seconds", each { .seconds($0.latenessMaximumMicroseconds) }),
            ("shard_limited", each { .flag(!$0.limits.isEmpty) }),
        ]
    }
}

extension RunTotals {
    var latestBreak: BreakRecord? {
        breaks.filter { $0.due > 0 && !$0.isOverflow }.max { $0.startMicroseconds < $1.startMicroseconds }
    }
}
