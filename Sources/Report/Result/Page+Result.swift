package import Results
import Rules

extension ResultDocument: PagedDocument {
    package var page: Page {
        let outcome = verdict.outcome
        let kind = isLimitedByMachine ? "limited_by_machine" : isMissedByLine ? "missed_by_line" : outcome.rawValue
        let wording = Wording("run", kind)
        let viewers = run.requested("viewers")
        let facts = [
            run.startedAt, TimeText.exactLength(seconds: run.seconds),
            viewers.map { TextLayout.counted(Clamped.count($0), "viewer") },
            run.target == "embedded" ? "reference origin" : run.target, "seed \(run.seed)",
        ]
        return Page(
            title: "\(wording.word): \(run.profile), \(TimeText.instant(run.startedAtMicroseconds))",
            name: run.profile,
            facts: facts.compactMap(\.self) + run.labels.pairs,
            verdict: Verdict(
                wording,
                needsMeaning: isMissedByLine || ![.passed, .failed, .interrupted].contains(outcome),
                exitCode: verdict.exitCode,
                reasons: verdict.reasons
            ),
            caveats: caveats,
            opening: opening,
            sections: sections,
            version: podswarmVersion
        )
    }

    private var sections: [Section?] {
        let found = FindingSections.findings(findings, self, told: FailureSections.told(self))
        let haveFailed = findings.contains(where: \.failsRun)
        return [
            FailureSections.failures(self), haveFailed ? found : nil, BreakSections.breaks(self),
            BreakSections.fill(self), PlayerSections.groups(self), PlayerSections.players(self),
            TimeSections.outage(self), haveFailed ? nil : found,
            FindingSections.warnings(self), FindingSections.withheld(self), FindingSections.leftOut(self),
            FindingSections.thresholds(self), LatencySections.latency(self),
            LatencySections.edges(self), LatencySections.slowest(self), TimeSections.overTime(self),
            TimeSections.course(self), GeneratorSections.generator(self),
            GeneratorSections.shards(self), GeneratorSections.reconciliation(reconciliation), RunSections.run(self),
            RunSections.notes(self),
        ]
    }

    private var caveats: [Words] {
        var caveats: [Words] = []
        if run.tlsVerified == false { caveats.append("TLS certificates were not verified (\(code: "--insecure")).") }
        if let recovered = run.recovered {
            let dropped =
                recovered.droppedBytes == 0 ? "" : ", \(TextLayout.counted(recovered.droppedBytes, "byte")) dropped"
            let intervals = TextLayout.counted(recovered.intervals, "interval")
            caveats.append("Recovered from its journal: \(intervals + dropped); \(recovered.reason).")
        }
        if let journal, journal.intervalsLost > 0 {
            let all = TextLayout.counted(journal.intervalsKept &+ journal.intervalsLost, "interval")
            let why = journal.error.map { ": " + $0 } ?? ""
            caveats.append("The journal missed \(String(journal.intervalsLost)) of \(all)\(why).")
        }
        return caveats
    }

    private var opening: [Block] {
        let claim: [Block] = [
            .paragraph("of the viewers who were due had their pod in hand in time.", .claim),
            .said(breaks.dueSentence + "."), .share(breaks.shares),
        ]
        let (percent, tone) = (breaks.onTimePercent.map(MetricText.percent) ?? "–", punctualityTone)
        let punctuality: Block =
            breaks.due > 0
            ? .headline(big: Words(percent, tone), claim)
            : .paragraph("No viewer was due for a break.", .claim)
        return FailureSections.blocks(self) + [punctuality, .figures(figures)]
    }

    private var figures: [Fact] {
        let asked = requests.values.reduce(0) { $0 &+ $1.count }
        let errors = requests.values.reduce(0) { $0 &+ $1.errors }
        let grave = findings.filter { !$0.isAdvice }
        let sightings = grave.reduce(0) { $0 &+ $1.count }
        let worst = breaks.worstFirst.first
        var figures: [Fact] = []
        if let last = breaks.measured.compactMap(\.lastInHand).max(), worst?.onTimePercent == 100 {
            figures.append(Fact("Last pod in hand", Words(TimeText.offset(last)), note: "from a break's start"))
        } else if let worst, let percent = worst.onTimePercent, breaks.count > 1 {
            let note = "on time, at " + TimeText.clock(worst.startMicroseconds)
            let tone: Tone = punctualityTone == .bad ? .bad : .plain
            figures.append(Fact("Worst break", Words(MetricText.percent(percent), tone), note: note))
        }
        for (kind, label) in [(RequestKind.podManifest, "Pod answer, p99"), (.assetList, "Asset list, p99")] {
            guard let response = requests[kind.name]?.latencies[LatencyMetric.response.name] else { continue }
            let note = "of \(TextLayout.grouped(response.count)), longest \(response.cell(.max))"
            figures.append(Fact(label, Words(response.cell(.p99)), note: note))
        }
        let failed = errors == 0 ? "no errors" : TextLayout.counted(errors, "error")
        let found = sightings == 0 ? "none" : TextLayout.grouped(sightings)
        let kinds =
            grave.isEmpty
            ? findings.isEmpty ? "every answer was consistent" : "but advice"
            : "of \(TextLayout.counted(grave.count, "kind"))"
        let keptUp =
            isLimitedByDrift
            ? "drifted"
            : health.withinBudget ? "kept up" : isLimitedByMachine ? "lacked cores" : "was the limit"
        let cores = "\(MetricText.rounded(health.cpuCoresMean, places: 2)) cores on average"
        let haveFailed = findings.contains(where: \.failsRun)
        return figures + [
            Fact("Requests", .count(asked), note: failed),
            Fact("Findings", Words(found, haveFailed ? .bad : .plain), note: kinds),
            Fact("Generator", Words(keptUp, isGeneratorFit ? .plain : .warn), note: cores),
        ]
    }
}

extension ResultDocument {
    /// `path` is that of the result; `unwritten` is what is in no file, with an exit status: the run has then not passed.
    package func text(
        path: String? = nil,
        unwritten: (what: String, exit: Int)? = nil,
        _ rendering: TextRendering = TextRendering()
    ) -> String {
        var page = page
        // A path is never wrapped, so that it can be copied.
        if let path {
            let sighting = findings.first(where: \.failsRun)?.occurrences.first?.first
            let command = (sighting?.viewer ?? exchanges?.first?.viewer).map {
                "  podswarm result show \(TextLayout.printable(path)) --viewer \($0)"
            }
            let line = "  " + TextLayout.printable(path)
            page.sections.append(
                Section("file", "Result").showing([
                    .typed { width in [line] + [command].compactMap(\.self).filter { $0.count <= width } }
                ])
            )
        }
        return rendering.render(page, verdict: verdictLine(unwritten: unwritten, rendering))
    }

    /// `unwritten` as in ``text(path:unwritten:_:)``.
    package func verdictLine(
        unwritten: (what: String, exit: Int)? = nil,
        _ rendering: TextRendering = TextRendering()
    ) -> String {
        unwritten.map { rendering.line("\($0.what) NOT WRITTEN", exit: $0.exit, .bad) } ?? rendering.line(page.verdict)
    }

    /// For `$GITHUB_STEP_SUMMARY` or a comment: always below a mebibyte, GitHub's limit for one step's summary.
    package var markdown: String { MarkdownRendering().render(page) }

    var isGeneratorFit: Bool { health.withinBudget && !isLimitedByDrift }

    var generatorWording: Wording {
        let state = health.limitedByMachine == true ? "lacked_cores" : "over_budget"
        return Wording("generator", isLimitedByDrift ? "drifted" : health.withinBudget ? "fit" : state)
    }

    /// Whether a series of podswarm's own, such as its memory, decided the verdict.
    var isLimitedByDrift: Bool {
        let crept = (drift ?? []).contains { $0.verdict == .creeping && $0.subject == .generator }
        return crept && verdict.outcome == .clientLimited && health.withinBudget
    }

    /// Whether nothing failed but breaks that viewers' own lines alone made them miss.
    var isMissedByLine: Bool {
        let isOfLine = breaks.missedByLine > 0 && breaks.missedByLine == breaks.due &- breaks.onTime
        return verdict.outcome == .failed && isOfLine && run.abortedBy == nil && !findings.contains(where: \.failsRun)
            && thresholds.allSatisfy { !$0.failed || $0.isOfBreaks }
    }

    /// Red is for figures beyond their limit only.
    var punctualityTone: Tone {
        let isMissed = thresholds.contains { $0.failed && !leavesOpen($0) && $0.isOfBreaks }
        if isMissed { return .bad }
        return breaks.onTimePercent == 100 ? .good : .plain
    }

    /// A process did not get enough cores for a verdict on the target.
    var isLimitedByMachine: Bool { verdict.outcome == .clientLimited && health.limitedByMachine == true }

    /// The run cannot tell the cause, or has no sample.
    func leavesOpen(_ threshold: ThresholdResult) -> Bool {
        !threshold.passed && (verdict.outcome == .clientLimited || threshold.isUndecided == true)
    }

    /// With too few samples for the percentile, it is merely the maximum.
    func worstP99(_ metric: LatencyMetric) -> (kind: String, latency: LatencyResult)? {
        requests.compactMap { name, result in result.latencies[metric.name].map { (name, $0) } }
            .max { ($0.1.p99Microseconds, $1.0) < ($1.1.p99Microseconds, $0.0) }
    }
}

extension BreakResults {
    /// Breaks that viewers were due for.
    var worstFirst: [BreakResult] {
        measured.filter { $0.due > 0 }.sorted {
            ($0.onTimePercent ?? 100, $0.startMicroseconds) < ($1.onTimePercent ?? 100, $1.startMicroseconds)
        }
    }

    /// Such as `96 of 99 viewers due, 1 break`.
    var dueSentence: String {
        "\(TextLayout.grouped(onTime)) of \(TextLayout.counted(due, "viewer")) due, \(TextLayout.counted(count, "break"))"
    }

    var shares: ShareBar {
        let sum = { (count: (BreakResult) -> UInt64) in measured.reduce(0) { $0 &+ count($1) } }
        return ShareBar(
            name: "Viewers due",
            parts: [
                ("on time", onTime, "ok"), ("late", sum(\.late), "late"),
                ("failed", sum { $0.failed.values.reduce(0, &+) }, "bad"), ("unresolved", sum(\.unresolved), "open"),
            ]
        )
    }
}
