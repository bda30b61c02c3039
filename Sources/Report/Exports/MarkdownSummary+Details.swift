import Recording
import Rulebook
import RunResult
import Thresholds

extension MarkdownSummary {
    func findings() -> [String] {
        let findings = document.findings
        guard !findings.isEmpty else { return ["No findings.", ""] }
        let shown = findings.prefix(Self.findingLimit)
        let rows = shown.map { finding in
            [
                MarkdownText.code(finding.code),
                MarkdownText.plain(finding.severity)
                    + (finding.allowanceNote.map { MarkdownText.plain("; \($0)") } ?? ""),
                TextLayout.grouped(finding.count),
                "\(TextLayout.grouped(finding.viewers)) (\(MetricText.percent(finding.viewersPercent)))",
            ]
        }
        let hidden = findings.count - shown.count
        let rest = hidden > 0 ? ["\(TextLayout.counted(hidden, "more finding")) in the result.", ""] : []
        return MarkdownText.table(["finding", "severity", "times", "viewers"], rows, textColumns: 2) + rest
            + MarkdownText.details("Evidence", shown.filter { !$0.isAdvice }.flatMap(evidence))
    }

    private func evidence(of finding: FindingResult) -> [String] {
        let causes = finding.likelyCauses.prefix(5).map { "- likely: " + MarkdownText.plain($0) }
        return ["**\(MarkdownText.code(finding.code))** \(MarkdownText.plain(finding.meaning))", ""] + causes
            + ["- rule: " + MarkdownText.plain(finding.rule)]
            + (finding.whereToLook.map { ["- look at: " + MarkdownText.plain($0)] } ?? [])
            + finding.occurrences.prefix(Self.occurrenceLimit).flatMap(occurrence) + [""]
    }

    private func occurrence(_ occurrence: FindingOccurrence) -> [String] {
        let place = occurrence.place(MarkdownText.code)
        let counts =
            "\(TextLayout.counted(occurrence.count, "time")), \(TextLayout.counted(occurrence.viewers, "viewer"))"
        let shares = occurrence.shares.prefix(5).map {
            "  - \(MetricText.percent($0.viewersPercent)) \(MarkdownText.code($0.label))"
        }
        let first = occurrence.first.map { seen in
            "  - viewer \(seen.viewer) at \(MarkdownText.code(UTCText.iso8601(microseconds: seen.wallMicroseconds)))"
                + (seen.url.isEmpty ? "" : ", \(MarkdownText.code(seen.url))")
                + ": expected \(MarkdownText.code(seen.expected)),"
                + " observed \(MarkdownText.code(seen.observed))"
        }
        return ["- \(place): \(counts)"] + shares + (first.map { [$0] } ?? [])
    }

    func drift() -> [String] {
        guard let drift = document.drift?.decided, !drift.isEmpty else { return [] }
        let creeping = drift.filter { $0.verdict == .creeping }
        let notes = creeping.prefix(Self.reasonLimit).map { "- " + MarkdownText.plain($0.text) }
        let head =
            creeping.isEmpty
            ? ["No drift over \(TextLayout.counted(document.windows?.count ?? 0, "window")).", ""]
            : ["**Drift**", ""] + notes + [""]
        let rows = drift.prefix(Self.driftLimit).map { series in
            [
                MarkdownText.code(series.series),
                series.verdict.rawValue,
                MarkdownText.plain(DriftChange(series)?.text ?? ""),
                MarkdownText.plain(DriftChange(series)?.least ?? ""),
                "\(series.windows)",
            ]
        }
        let header = ["series", "verdict", "change", "least that matters", "windows"]
        return head + MarkdownText.details("Drift", MarkdownText.table(header, rows, textColumns: 2))
    }

    func latency() -> [String] {
        let rows = RequestKind.allCases.compactMap { kind -> [String]? in
            guard let result = document.requests[kind.name], result.count > 0 else { return nil }
            let figures: [(LatencyMetric, Statistic)] = [
                (.response, .p50), (.response, .p90), (.response, .p99), (.response, .max), (.service, .p99),
                (.lateness, .p99),
            ]
            return [
                MarkdownText.code(kind.name), TextLayout.grouped(result.count),
                result.errors == 0 ? "0" : MetricText.percent(result.errorPercent),
            ] + figures.map { result.latencies[$0.name]?.cell($1) ?? "" }
        }
        guard !rows.isEmpty else { return [] }
        let header = ["response", "count", "errors", "p50", "p90", "p99", "max", "service p99", "lateness p99"]
        return MarkdownText.details("Latency", MarkdownText.table(header, rows))
    }

    func generator() -> [String] {
        let health = document.health
        let rows =
            [
                ["loop delay, maximum", MetricText.time(microseconds: Double(health.loopDelayMaximumMicroseconds))],
                [
                    "CPU cores, mean and maximum",
                    "\(MetricText.rounded(health.cpuCoresMean, places: 2)),"
                        + " \(MetricText.rounded(health.cpuCoresMaximum, places: 2)) of \(health.loopCores)",
                ],
                ["resident memory, maximum", "\(health.residentBytesMaximum / 1_048_576) MiB"],
                [
                    "descriptors, maximum",
                    "\(TextLayout.grouped(health.openDescriptorsMaximum)) of \(TextLayout.grouped(health.descriptorLimit))",
                ],
            ] + Self.waits(health) + [
                ["late starts", TextLayout.grouped(health.lateStarts)],
                ["dropped starts", TextLayout.grouped(health.droppedStarts)],
            ]
        let notes = health.reasons.prefix(Self.reasonLimit).map { "- " + MarkdownText.plain($0) }
        let over = health.limitedByMachine == true ? "the machine was the limit" : "over its budget"
        let title = "Generator: " + (health.withinBudget ? "within its budget" : over)
        return MarkdownText.details(title, notes + (notes.isEmpty ? [] : [""]) + MarkdownText.table(["", ""], rows))
    }

    /// None where that is unknown.
    private static func waits(_ health: HealthResult) -> [[String]] {
        [("podswarm", health.generatorWaits), ("the embedded origin", health.originWaits)].compactMap { name, log in
            log.map { log in
                let worst = MetricText.time(microseconds: Double(log.threadWaitedMaximumMicroseconds))
                return [
                    "\(name) waited for a core, longest",
                    "\(worst) of a second, too long in \(log.secondsOver) of \(log.seconds) s",
                ]
            }
        }
    }

    func shards() -> [String] {
        guard let table = ShardTable(document) else { return [] }
        return MarkdownText.details(
            table.title,
            MarkdownText.table(ShardTable.header, table.rows.map { $0.map(MarkdownText.plain) })
        )
    }

    func described() -> [String] {
        let run = document.run
        let rows = [
            ["profile", MarkdownText.code(run.profileName)], ["digest", MarkdownText.code(run.profileDigest)],
            ["seed", MarkdownText.code("\(run.seed)")], ["target", MarkdownText.code(run.target)],
            ["podswarm", MarkdownText.code(document.podswarmVersion)],
            ["host", MarkdownText.plain("\(run.host.cpuCount) x \(run.host.cpuModel), \(run.host.operatingSystem)")],
            ["exit status", "\(document.verdict.exitCode)"],
        ]
        return MarkdownText.details("Run", MarkdownText.table(["", ""], rows, textColumns: 2))
    }
}
