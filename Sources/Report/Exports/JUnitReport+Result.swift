package import Results
import Rules

extension JUnitReport {
    /// A failure means that the run failed, an error that it could not be judged: CI and the exit status agree.
    package init(of document: ResultDocument) {
        let run = document.run
        self.init(
            package: "podswarm." + run.profile,
            startedAtMicroseconds: run.startedAtMicroseconds,
            properties: Self.properties(of: document),
            suites: [
                Self.run(document), Self.thresholds(document), Self.findings(document), Self.breaks(document),
                Self.generator(document),
            ] + (document.by.map { [Self.groups($0)] } ?? [])
                + (document.drift.map { [Self.drift($0, of: document)] } ?? [])
        )
    }

    private static func properties(of document: ResultDocument) -> [(name: String, value: String)] {
        let run = document.run
        let labels = run.labels.sorted { $0.key < $1.key }.map { (name: "label.\($0.key)", value: $0.value) }
        return [
            ("profile", run.profile), ("profile_digest", run.profileDigest), ("seed", "\(run.seed)"),
            ("target", run.target), ("started_at", run.startedAt), ("ended_at", run.endedAt),
            ("podswarm_version", document.podswarmVersion), ("outcome", document.verdict.outcome.rawValue),
            ("exit_code", "\(document.verdict.exitCode)"), ("kernel", run.host.kernel),
            ("cpu", "\(run.host.cpuCount) x \(run.host.cpuModel)"),
        ] + labels
    }

    /// Gives the whole document the outcome of the run.
    private static func run(_ document: ResultDocument) -> Suite {
        let verdict = document.verdict
        let reasons = verdict.reasons.joined(separator: "\n")
        let message = verdict.reasons.first ?? "no reason was given"
        let type = verdict.outcome.rawValue
        let outcome: Outcome =
            switch verdict.outcome {
            case .passed: .passed
            case .failed: .failure(type: type, message: message, text: reasons)
            case .clientLimited where document.isLimitedByMachine: .error(type: type, message: message, text: reasons)
            case .clientLimited: .error(type: type, message: "the generator was the limit: " + message, text: reasons)
            case .incomplete: .error(type: type, message: "shards are missing: " + message, text: reasons)
            case .undecided: .error(type: type, message: message, text: reasons)
            case .interrupted: .error(type: type, message: "the run was interrupted", text: reasons)
            case .defect: .error(type: type, message: "a defect of podswarm: " + message, text: reasons)
            }
        let output = verdict.reasons.isEmpty ? ["The target has no failures."] : verdict.reasons
        return Suite("run", [Case("verdict", outcome, seconds: document.run.seconds)], output: output)
    }

    private static func thresholds(_ document: ResultDocument) -> Suite {
        let cases = document.thresholds.map { threshold in
            let observed = "observed " + threshold.observedText
            let text = "\(threshold.text): \(observed)"
            let missed =
                threshold.isUndecided == true
                ? document.undecided(type: "threshold", message: observed, text: text)
                : document.held(type: "threshold", message: observed, text: text)
            return Case(threshold.text, threshold.passed ? .passed : missed)
        }
        let output = document.thresholds.map {
            "\($0.passed ? "pass" : document.leavesOpen($0) ? "open" : "FAIL")  \($0.shownText)  observed \($0.observedText)"
        }
        return Suite("thresholds", cases, output: output)
    }

    /// Every code is a case, seen or not, so that each has a history in the CI system.
    private static func findings(_ document: ResultDocument) -> Suite {
        let found = Dictionary(document.findings.map { ($0.code, $0) }, uniquingKeysWith: { first, _ in first })
        let known = FindingCode.table.map(\.code)
        let strange = found.keys.filter { !known.contains($0) }.sorted()
        let cases = (known + strange).map { code in
            Case(code, found[code].map { outcome(of: $0, document) } ?? .passed)
        }
        return Suite("findings", cases)
    }

    private static func outcome(of finding: FindingResult, _ document: ResultDocument) -> Outcome {
        let counts = FindingSections.counts(finding.count, finding.viewers, finding.viewersPercent)
        guard finding.failsRun else {
            let reason = finding.allowanceNote ?? "\(finding.severity), which does not fail a run by itself"
            return .skipped(message: "\(reason): \(counts)")
        }
        let evidence = finding.occurrences.prefix(3).flatMap { occurrence in
            let seen = occurrence.first.map { seen in
                [
                    "expected: \(seen.expected)", "  observed: \(seen.observed)",
                    "  where: \(occurrence.place.text), viewer \(seen.viewer) at "
                        + UTCText.iso8601(microseconds: seen.wallMicroseconds)
                        + (seen.url.isEmpty ? "" : ", \(seen.url)"),
                ]
            }
            return seen ?? [occurrence.place.text]
        }
        let text =
            evidence + [finding.meaning]
            + finding.causes.all(of: finding.likelyCauses).map { "likely: " + $0 }
            + (finding.whereToLook.map { ["look at: " + $0] } ?? []) + ["rule: " + finding.rule]
        let message = [counts, finding.allowanceNote].compactMap(\.self).joined(separator: "; ")
        return document.held(type: "finding." + finding.severity, message: message, text: text.joined(separator: "\n"))
    }

    /// A break fails below the limit of a failed punctuality threshold.
    private static func breaks(_ document: ResultDocument) -> Suite {
        let broken = document.thresholds.filter { $0.metric == "breaks.on_time" && $0.failed }
        let limit = broken.filter { $0.comparison.hasPrefix(">") }.map(\.limit).max()
        let cases = document.breaks.measured.map { each in
            Case(each.key, outcome(of: each, limit: limit, document), seconds: each.secondsToHand)
        }
        let output = document.breaks.measured.map { "\($0.key)  \($0.punctuality)" }
        return Suite("breaks", cases, output: output)
    }

    /// Thresholds judge all viewers together, so the figures of a group are told, not judged.
    private static func groups(_ by: [ReportedResult]) -> Suite {
        let cases = by.flatMap { group in
            group.values.map { value in
                let breaks = value.breaks
                let viewers =
                    "\(breaks.onTime) on time of \(breaks.due) due, \(breaks.late) late, \(breaks.failed) failed"
                let answers = (value.requests ?? [:]).sorted { $0.key < $1.key }.map { kind, answers in
                    let times = answers.statistics.map { "\($0.rawValue) \(answers.cell($0, $1) ?? "–")" }
                    return (["\(kind): \(answers.count) requests, \(answers.errors) errors"] + times)
                        .joined(separator: ", ")
                }
                let message = "not judged: " + ([viewers] + answers).joined(separator: "; ")
                return Case("\(group.name)=\(value.value)", .skipped(message: message))
            }
        }
        return Suite("groups", cases)
    }

    private static func outcome(of each: BreakResult, limit: Double?, _ document: ResultDocument) -> Outcome {
        guard let percent = each.onTimePercent else { return .skipped(message: "no viewer was due") }
        guard let limit, percent < limit else { return .passed }
        let message = "\(MetricText.percent(percent)) on time, \(MetricText.percent(limit)) asked of all breaks"
        return document.held(type: "punctuality", message: message, text: each.punctuality)
    }

    private static func generator(_ document: ResultDocument) -> Suite {
        let health = document.health
        let (reason, reasons) = (health.reasons.first ?? "over its budget", health.reasons.joined(separator: "\n"))
        let limited = document.undecided(type: "client_limited", message: reason, text: reasons)
        let strange = "\(health.latenciesAboveRange) durations above one hour, \(health.latenciesBelowZero) below zero"
        let cases: [Case?] = [
            Case("within its budget", health.withinBudget ? .passed : limited),
            Case("durations within range", health.suspect ? .skipped(message: strange) : .passed),
            Case("counts agree with the origin's", agreement(document)),
            document.events.map { Case("interstitial events add up", sum($0, document)) },
        ]
        return Suite("generator", cases.compactMap(\.self))
    }

    /// An interrupted run does not know how its interstitials ended.
    private static func sum(_ events: EventResult, _ document: ResultDocument) -> Outcome {
        guard let defect = events.defects.first else { return .passed }
        return document.verdict.outcome == .defect
            ? document.undecided(type: "defect", message: defect) : .skipped(message: defect)
    }

    private static func agreement(_ document: ResultDocument) -> Outcome {
        guard let reconciliation = document.reconciliation else {
            return .skipped(message: "the target keeps no counts of its own")
        }
        let rows = reconciliation.rows.filter { !$0.agrees }.map { row in
            "\(row.kind): \(row.clientAnswered) answered and \(row.clientUnanswered) unanswered here,"
                + " \(row.originReceived) received there"
        }
        let text = rows.joined(separator: "\n")
        return reconciliation.agrees
            ? .passed : document.undecided(type: "defect", message: "client and origin count differently", text: text)
    }

    /// Drift decides a soak only.
    private static func drift(_ drift: [DriftResult], of document: ResultDocument) -> Suite {
        let cases = drift.map { series in
            let isJudged = document.verdict.reasons.contains(series.text)
            let outcome: Outcome =
                switch (series.verdict, series.subject) {
                case (.steady, _), (.improving, _): .passed
                case (.creeping, .target) where isJudged: document.held(type: "drift", message: series.text)
                case (.creeping, .generator) where isJudged: document.undecided(type: "drift", message: series.text)
                case (.creeping, _), (.tooFewWindows, _): .skipped(message: series.text)
                }
            return Case(series.series, outcome)
        }
        return Suite("drift", cases, output: drift.map(\.text))
    }
}

extension ResultDocument {
    fileprivate func held(type: String, message: String, text: String = "") -> JUnitReport.Outcome {
        verdict.outcome == .failed
            ? .failure(type: type, message: message, text: text)
            : .skipped(message: "not counted as a failure of the target (\(verdict.outcome.rawValue)): \(message)")
    }

    fileprivate func undecided(type: String, message: String, text: String = "") -> JUnitReport.Outcome {
        switch verdict.outcome {
        case .clientLimited, .incomplete, .undecided, .interrupted, .defect:
            .error(type: type, message: message, text: text)
        case .passed, .failed: .skipped(message: message)
        }
    }
}

extension BreakResult {
    fileprivate var secondsToHand: Double {
        guard let first = burst.firstMicroseconds, let last = inHandLastMicroseconds else { return 0 }
        return Double(max(0, last &- first)) / 1_000_000
    }

    fileprivate var punctuality: String {
        let reasons = failed.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.key) \($0.value)" }
        let failures = reasons.isEmpty ? "none failed" : "failed: " + reasons.joined(separator: ", ")
        let share = onTimePercent.map { " (\(MetricText.percent($0)))" } ?? ""
        return "\(onTime) on time of \(due) due\(share), \(late) late, \(failures)"
    }
}
