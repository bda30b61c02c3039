import Rulebook
import RunResult
import Thresholds

extension TextSummary {
    func thresholds() -> [String] {
        guard !document.thresholds.isEmpty else { return [] }
        let longest = document.thresholds.map(\.shownText.count).max() ?? 0
        let lines = document.thresholds.map { threshold in
            let broken = document.leavesOpen(threshold) ? style.inked("open", .yellow) : style.inked("FAIL", .red)
            let mark = threshold.passed ? style.inked("pass", .green) : broken
            let padding = String(repeating: " ", count: max(0, min(longest, width / 2) - threshold.shownText.count))
            let text = "\(threshold.shownText)\(padding)  observed \(threshold.observedText)"
            return "  \(mark)  " + TextLayout.cut(TextLayout.printable(text), to: width - 8)
        }
        return [style.inked("Thresholds", .bold)] + lines
    }

    func latency() -> [String] {
        var table = TextTable(header: [
            "response", "count", "errors", "p50", "p90", "p99", "max", "service p99", "lateness p99",
        ])
        var outcomes: [String] = []
        for kind in RequestKind.allCases {
            guard let result = document.requests[kind.name], result.count > 0 else { continue }
            table.rows.append(row(kind, result))
            let errors = result.outcomes.filter { !$0.key.hasPrefix("http_2") }
                .sorted { ($1.value, $0.key) < ($0.value, $1.key) }
                .map { "\($0.key) \(TextLayout.grouped($0.value))" }
            guard !errors.isEmpty else { continue }
            outcomes += TextLayout.wrapped(
                "\(kind.name): " + errors.joined(separator: ", "),
                width: width,
                indent: "  ",
                hanging: "  "
            )
        }
        guard !table.rows.isEmpty else { return [style.inked("Latency", .bold), "  no request was finished"] }
        return [style.inked("Latency", .bold)] + table.lines(width: width) + heldBack() + outcomes + carried()
    }

    /// The kinds whose times say how long a server waited for news, and not how fast it is.
    private func heldBack() -> [String] {
        let kinds = RequestKind.allCases.filter { $0.isHeldBack && (document.requests[$0.name]?.count ?? 0) > 0 }
        return kinds.flatMap { kind in
            TextLayout.wrapped(
                "\(kind.name): how long the server held the request back and its answer, together",
                width: width,
                indent: "  ",
                hanging: "  "
            )
        }
    }

    /// What the requests that were sent went by, over all kinds; nothing for a result that does not say.
    private func carried() -> [String] {
        let kinds = document.requests.values
        let counts = kinds.compactMap(\.carried)
        guard !counts.isEmpty else { return [] }
        var parts = Carrier.allCases.map { carrier in
            "\(carrier.title) \(TextLayout.grouped(counts.reduce(0) { $0 &+ ($1[carrier.name] ?? 0) }))"
        }
        let repeated = kinds.reduce(0) { $0 &+ ($1.repeated ?? 0) }
        if repeated > 0 { parts.append("sent again \(TextLayout.grouped(repeated))") }
        let overCurl = counts.reduce(0) { $0 &+ ($1[Carrier.curl.name] ?? 0) }
        if overCurl > 0, kinds.contains(where: { $0.unstamped != nil }) {
            parts.append("libcurl's answers have no stamps, and end when podswarm has read them")
        }
        let text = "carried by: " + parts.joined(separator: "; ")
        return TextLayout.wrapped(text, width: width, indent: "  ", hanging: "  ")
    }

    private func row(_ kind: RequestKind, _ result: RequestResult) -> [String] {
        func cell(_ metric: LatencyMetric, _ statistic: Statistic) -> String {
            result.latencies[metric.name]?.cell(statistic) ?? "-"
        }
        return [
            kind.name,
            TextLayout.grouped(result.count),
            result.errors == 0 ? "0" : MetricText.percent(result.errorPercent),
            cell(.response, .p50),
            cell(.response, .p90),
            cell(.response, .p99),
            cell(.response, .max),
            cell(.service, .p99),
            cell(.lateness, .p99),
        ]
    }

    func generator() -> [String] {
        let health = document.health
        let over = health.limitedByMachine == true ? "the machine was the limit" : "over its budget"
        let state = health.withinBudget ? ("within its budget", TextStyle.Ink.green) : (over, .yellow)
        let head = style.inked("Generator", .bold) + "  " + style.inked(state.0, state.1)
        guard health.seconds > 0 else {
            return [head, "  nothing is known of it: the run ended before its first second"]
        }
        let mebibyte: Int64 = 1_048_576
        let text =
            "loop delay at most \(time(health.loopDelayMaximumMicroseconds));"
            + " CPU \(MetricText.rounded(health.cpuCoresMean, places: 2)) cores on average,"
            + " \(MetricText.rounded(health.cpuCoresMaximum, places: 2)) at most, of \(health.loopCores);"
            + " memory \(health.residentBytesMaximum / mebibyte) MiB at most;"
            + " descriptors \(TextLayout.grouped(health.openDescriptorsMaximum))"
            + " of \(TextLayout.grouped(health.descriptorLimit));"
            + " \(TextLayout.grouped(health.lateStarts)) late and \(TextLayout.grouped(health.droppedStarts)) dropped starts"
        var lines = [head] + TextLayout.wrapped(text, width: width, indent: "  ")
        lines += TextLayout.wrapped(waits(health), width: width, indent: "  ")
        lines += TextLayout.wrapped(handling(), width: width, indent: "  ")
        if health.suspect {
            let strange =
                "suspect: \(health.latenciesAboveRange) durations above one hour and"
                + " \(health.latenciesBelowZero) below zero are in no distribution"
            lines += TextLayout.wrapped(strange, width: width, indent: "  ").map { style.inked($0, .yellow) }
        }
        return lines
    }

    /// How late answers were read; empty where none has a stamp.
    private func handling() -> String {
        guard let (kind, latency) = document.worstP99(.handling) else { return "" }
        let delay =
            latency.count >= Statistic.p99.samplesNeeded
            ? "\(time(latency.p99Microseconds)) after they came at p99"
            : "\(time(latency.maximumMicroseconds)) after they came,"
                + " the maximum of \(TextLayout.grouped(latency.count))"
        return (["answers read up to \(delay) (\(kind))"] + document.wordsOfStamps).joined(separator: "; ")
    }

    /// Empty for results of versions that did not look.
    private func waits(_ health: HealthResult) -> String {
        guard health.budget.coreWaitMicroseconds != nil else { return "" }
        let waits = [("podswarm", health.generatorWaits), ("the origin", health.originWaits)].compactMap { name, log in
            log.map { "\(name) up to \(time($0.threadWaitedMaximumMicroseconds))" }
        }
        return waits.isEmpty
            ? "waits for a core are unknown: the kernel does not tell"
            : "waits for a core: \(waits.joined(separator: ", ")) of a second"
    }

    func reconciliation() -> [String] {
        guard let reconciliation = document.reconciliation else { return [] }
        let head = style.inked("Origin's own counts", .bold) + "  "
        let requests = reconciliation.rows.reduce(0) { $0 &+ $1.originReceived }
        if reconciliation.agrees {
            let counted = "  \(TextLayout.counted(requests, "request")) of every kind"
            return [head + style.inked("agree", .green), counted] + connections(reconciliation)
        }
        var table = TextTable(header: ["request", "answered here", "unanswered", "received there"])
        for row in reconciliation.rows where !row.agrees {
            let counts = [row.clientAnswered, row.clientUnanswered, row.originReceived]
            table.rows.append([row.kind] + counts.map { TextLayout.grouped($0) })
        }
        return [head + style.inked("differ", .red)] + table.lines(width: width) + connections(reconciliation)
    }

    private func connections(_ reconciliation: Reconciliation) -> [String] {
        guard let seen = reconciliation.connections else { return [] }
        let text =
            "\(TextLayout.counted(UInt64(clamping: seen.viewers), "viewer")) on"
            + " \(TextLayout.counted(UInt64(clamping: seen.total), "connection")) of their own,"
            + " at most \(seen.maximumPerViewer) each; \(seen.shared == 0 ? "none" : "\(seen.shared)") shared"
        let lines = TextLayout.wrapped(text, width: width, indent: "  ")
        return seen.shared == 0 ? lines : lines.map { style.inked($0, .red) }
    }

    /// What can be held against each other; the file and the page hold the rest.
    func asked() -> [String] {
        var table = TextTable(header: ["asked for", "requested", "observed", "unit"])
        for asked in document.run.asked {
            guard let observed = asked.observed, asked.requested != nil || observed != 0 else { continue }
            table.rows.append([
                asked.name, asked.requested.map(MetricText.number) ?? "-", MetricText.number(observed), asked.unit,
            ])
        }
        guard !table.rows.isEmpty else { return [] }
        return [style.inked("Requested and observed", .bold)] + table.lines(width: width)
    }
}

extension Carrier {
    var title: String {
        switch self {
        case .exchange: "exchange"
        case .curl: "libcurl"
        }
    }
}
