import Results

extension PrometheusExposition {
    /// Health of podswarm itself, which shows whether the figures are those of the target.
    func writeGenerator(to text: inout PrometheusText) {
        writeUse(to: &text)
        text.single(
            "podswarm_generator_loop_cores",
            .gauge,
            "Cores that the loops may use.",
            .count(run.health.loopCores)
        )
        text.single(
            "podswarm_generator_max_fds",
            .gauge,
            "Limit of open descriptors.",
            .count(run.health.descriptorLimit)
        )
        text.single(
            "podswarm_generator_late_starts_total",
            .counter,
            "Requests sent later than planned by more than the budget allows.",
            .count(max(0, run.health.lateStarts))
        )
        text.single(
            "podswarm_generator_dropped_starts_total",
            .counter,
            "Requests planned and never sent.",
            .count(max(0, run.health.droppedStarts))
        )
        text.family(
            "podswarm_generator_seconds_over_budget_total",
            .counter,
            "Seconds in which the generator was over its budget, by what.",
            [
                .init(labels: [("budget", "cpu")], value: .count(run.health.secondsOverCPU)),
                .init(labels: [("budget", "loop_delay")], value: .count(run.health.secondsOverLoopDelay)),
            ] + waits.map { .init(labels: [("budget", $0)], value: .count($1.secondsOver)) }
        )
        text.single(
            "podswarm_generator_limited",
            .gauge,
            "1 while the generator is beyond its budget: the run then says more of it than of the target.",
            .flag(run.generator != .withinBudget)
        )
    }

    private var waits: [(budget: String, log: CoreWaitLog)] {
        [("core_wait", run.health.generatorWaits), ("origin_core_wait", run.health.originWaits)]
            .compactMap { budget, log in log.map { (budget, $0) } }
    }

    private func writeUse(to text: inout PrometheusText) {
        guard let latest = run.series.points.last else { return }
        text.single(
            "podswarm_generator_cpu_cores",
            .gauge,
            "Processor time used per second: 1 is one core fully used.",
            .number(latest.cpuCores)
        )
        text.single(
            "podswarm_generator_resident_memory_bytes",
            .gauge,
            "Resident memory.",
            .count(latest.residentBytes)
        )
        text.single("podswarm_generator_open_fds", .gauge, "Open descriptors.", .count(latest.openDescriptors))
        text.single(
            "podswarm_generator_loop_delay_seconds",
            .gauge,
            "The longest that a loop kept a due timer waiting in the last interval.",
            .seconds(latest.loopDelayMaximumMicroseconds)
        )
        let waits = [
            ("generator", latest.generatorWaitMaximumMicroseconds), ("origin", latest.originWaitMaximumMicroseconds),
        ]
        let known = waits.compactMap { process, wait in wait.map { (process, $0) } }
        if !known.isEmpty {
            text.family(
                "podswarm_core_wait_seconds",
                .gauge,
                "How much of the last second a thread waited for a core at most, by process.",
                known.map { .init(labels: [("process", $0)], value: .seconds($1)) }
            )
        }
        text.single(
            "podswarm_generator_lateness_seconds",
            .gauge,
            "The longest that a request left late in the last interval.",
            .seconds(latest.latenessMaximumMicroseconds)
        )
    }
}
