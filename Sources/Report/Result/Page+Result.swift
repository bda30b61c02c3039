package import Results
import Rules

extension Page {
    init(_ document: ResultDocument) {
        let run = document.run
        let (outcome, words) = (document.verdict.outcome, document.verdict.outcome.words)
        let viewers = run.requested("viewers")
        let facts = [
            run.startedAt, TimeText.exactLength(seconds: run.seconds),
            viewers.map { TextLayout.counted(Clamped.count($0), "viewer") },
            run.target == "embedded" ? "reference origin" : run.target, "seed \(run.seed)",
        ]
        self.init(
            title: "\(words.title): \(run.profile), \(TimeText.instant(run.startedAtMicroseconds))",
            name: run.profile,
            facts: facts.compactMap(\.self) + run.labels.pairs,
            verdict: Verdict(
                words.title,
                words.tone,
                document.isLimitedByMachine
                    ? "The machine was the limit: this run says nothing certain about the target."
                    : document.isMissedByLine
                        ? "Viewers' own lines missed what the profile asks: the target had answered in time."
                        : words.meaning,
                needsMeaning: document.isMissedByLine || ![.passed, .failed, .interrupted].contains(outcome),
                exitCode: document.verdict.exitCode,
                reasons: document.verdict.reasons
            ),
            caveats: Self.caveats(document),
            opening: Self.opening(document),
            sections: Self.sections(document),
            version: document.podswarmVersion
        )
    }

    private static func sections(_ document: ResultDocument) -> [Section?] {
        let findings = FindingSections.findings(document.findings, document)
        let haveFailed = document.findings.contains(where: \.failsRun)
        return [
            FailureSections.failures(document), haveFailed ? findings : nil, BreakSections.breaks(document),
            BreakSections.fill(document), PlayerSections.groups(document), PlayerSections.players(document),
            TimeSections.outage(document), haveFailed ? nil : findings,
            FindingSections.warnings(document), FindingSections.withheld(document), FindingSections.leftOut(document),
            FindingSections.thresholds(document), LatencySections.latency(document),
            LatencySections.edges(document), LatencySections.slowest(document), TimeSections.overTime(document),
            TimeSections.course(document), GeneratorSections.generator(document),
            GeneratorSections.shards(document), GeneratorSections.reconciliation(document.reconciliation),
            RunSections.run(document), RunSections.notes(document),
        ]
    }

    private static func caveats(_ document: ResultDocument) -> [Words] {
        var caveats: [Words] = []
        if document.run.tlsVerified == false {
            caveats.append("TLS certificates were not verified (\(code: "--insecure")).")
        }
        if let recovered = document.run.recovered {
            let dropped =
                recovered.droppedBytes == 0 ? "" : ", \(TextLayout.counted(recovered.droppedBytes, "byte")) dropped"
            let intervals = TextLayout.counted(recovered.intervals, "interval")
            caveats.append("Recovered from its journal: \(intervals + dropped); \(recovered.reason).")
        }
        if let journal = document.journal, journal.intervalsLost > 0 {
            let all = TextLayout.counted(journal.intervalsKept &+ journal.intervalsLost, "interval")
            let why = journal.error.map { ": " + $0 } ?? ""
            caveats.append("The journal missed \(String(journal.intervalsLost)) of \(all)\(why).")
        }
        return caveats
    }

    private static func opening(_ document: ResultDocument) -> [Block] {
        let breaks = document.breaks
        let claim: [Block] = [
            .paragraph("of the viewers who were due had their pod in hand in time.", .claim),
            .said(breaks.dueSentence + "."), .share(breaks.shares),
        ]
        let (percent, tone) = (breaks.onTimePercent.map(MetricText.percent) ?? "–", document.punctualityTone)
        let punctuality: Block =
            breaks.due > 0
            ? .headline(big: Words(percent, tone), claim)
            : .paragraph("No viewer was due for a break.", .claim)
        return FailureSections.blocks(document) + [punctuality, .figures(figures(document))]
    }

    private static func figures(_ document: ResultDocument) -> [Figure] {
        let requests = document.requests.values.reduce(0) { $0 &+ $1.count }
        let errors = document.requests.values.reduce(0) { $0 &+ $1.errors }
        let grave = document.findings.filter { !$0.isAdvice }
        let findings = grave.reduce(0) { $0 &+ $1.count }
        let worst = document.breaks.measured.filter { $0.due > 0 }.min {
            ($0.onTimePercent ?? 100, $0.startMicroseconds) < ($1.onTimePercent ?? 100, $1.startMicroseconds)
        }
        var figures: [Figure] = []
        if let last = document.breaks.measured.compactMap(\.lastInHand).max(), worst?.onTimePercent == 100 {
            figures.append(Figure("Last pod in hand", TimeText.offset(last), note: "from a break's start"))
        } else if let worst, let percent = worst.onTimePercent, document.breaks.count > 1 {
            let note = "on time, at " + TimeText.clock(worst.startMicroseconds)
            let tone: Tone = document.punctualityTone == .bad ? .bad : .plain
            figures.append(Figure("Worst break", MetricText.percent(percent), note: note, tone: tone))
        }
        for (kind, label) in [(RequestKind.podManifest, "Pod answer, p99"), (.assetList, "Asset list, p99")] {
            guard let response = document.requests[kind.name]?.latencies[LatencyMetric.response.name] else { continue }
            let note = "of \(TextLayout.grouped(response.count)), longest \(response.cell(.max))"
            figures.append(Figure(label, response.cell(.p99), note: note))
        }
        let failed = errors == 0 ? "no errors" : TextLayout.counted(errors, "error")
        let found = findings == 0 ? "none" : TextLayout.grouped(findings)
        let kinds =
            grave.isEmpty
            ? document.findings.isEmpty ? "every answer was consistent" : "but advice"
            : "of \(TextLayout.counted(grave.count, "kind"))"
        let health = document.health
        let keptUp =
            document.isLimitedByDrift
            ? "drifted"
            : health.withinBudget ? "kept up" : document.isLimitedByMachine ? "lacked cores" : "was the limit"
        let cores = "\(MetricText.rounded(health.cpuCoresMean, places: 2)) cores on average"
        let haveFailed = document.findings.contains(where: \.failsRun)
        return figures + [
            Figure("Requests", TextLayout.grouped(requests), note: failed),
            Figure("Findings", found, note: kinds, tone: haveFailed ? .bad : .plain),
            Figure("Generator", keptUp, note: cores, tone: document.isGeneratorFit ? .plain : .warn),
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
        var page = Page(self)
        // A path is never wrapped, so that it can be copied.
        if let path {
            let line = "  " + TextLayout.printable(path)
            page.sections.append(Section("file", "Result").showing([.typed { _ in [line] }]))
        }
        return rendering.render(page, verdict: verdictLine(unwritten: unwritten, rendering))
    }

    /// `unwritten` as in ``text(path:unwritten:_:)``.
    package func verdictLine(
        unwritten: (what: String, exit: Int)? = nil,
        _ rendering: TextRendering = TextRendering()
    ) -> String {
        unwritten.map { rendering.line("\($0.what) NOT WRITTEN", exit: $0.exit, .bad) }
            ?? rendering.line(Page(self).verdict)
    }

    /// For `$GITHUB_STEP_SUMMARY` or a comment: always below a mebibyte, GitHub's limit for one step's summary.
    package var markdown: String { MarkdownRendering().render(Page(self)) }

    /// Self-contained, with inline SVG; throws if its style or script is not installed.
    package func html() throws -> String { try Page(self).html() }

    var isGeneratorFit: Bool { health.withinBudget && !isLimitedByDrift }

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
}

extension BreakResults {
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

extension RunVerdict.Outcome {
    var words: (title: String, tone: Tone, meaning: String) {
        switch self {
        case .passed: ("Passed", .good, "Every threshold held, and no finding stands against the target.")
        case .failed: ("Failed", .bad, "The target did not hold what the profile asks of it.")
        case .clientLimited:
            ("Client-limited", .warn, "The generator was the limit: this run says nothing certain about the target.")
        case .incomplete:
            ("Incomplete", .warn, "Shards are missing: what is here shows no failure, and nothing has passed.")
        case .undecided:
            ("Undecided", .warn, "A threshold has no sample to be judged by: nothing has passed.")
        case .interrupted: ("Interrupted", .warn, "The run was ended early and is not judged.")
        case .defect: ("Defect of podswarm", .bad, "podswarm itself went wrong: do not trust this result.")
        }
    }
}
