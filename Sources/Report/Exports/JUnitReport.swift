package import Comparison
package import Results
import Rules

/// Test suites in the dialect that both Jenkins and Ant's JUnitReport accept.
///
/// Sources: Jenkins' xUnit plugin, `junit-10.xsd`, and the Ant schema of windyroad/JUnit-Schema, `JUnit.xsd`. To satisfy both,
/// `testsuites` has no attributes, a timestamp no zone, a case one `failure`, `error` or `skipped`, and each suite `system-out`
/// and `system-err`.
package struct JUnitReport: Sendable {
    struct Outcome: Sendable {
        /// Raw values are the names of elements.
        enum Kind: String {
            case passed
            /// The target's fault.
            case failure
            /// No verdict on the target.
            case error
            /// Not judged, or informational.
            case skipped

            init(exitCode: Int) { self = exitCode == 0 ? .passed : exitCode == 1 ? .failure : .error }
        }

        var kind: Kind
        var type: String?
        var message = ""
        var text = ""

        static let passed = Outcome(kind: .passed)

        static func skipped(message: String) -> Outcome { Outcome(kind: .skipped, message: message) }
    }

    struct Case: Sendable {
        let name: String
        let outcome: Outcome
        let seconds: Double

        init(_ name: String, _ outcome: Outcome, seconds: Double = 0) {
            (self.name, self.outcome, self.seconds) = (name, outcome, seconds)
        }
    }

    struct Suite: Sendable {
        var name: String
        var cases: [Case]
        var output: [String] = []

        func count(_ kind: Outcome.Kind) -> String { "\(cases.count { $0.outcome.kind == kind })" }
    }

    /// Prefix of every suite's and class's name.
    var package: String
    var startedAtMicroseconds: Int64
    var properties: [(name: String, value: String)]
    var suites: [Suite]

    /// UTC without a zone, to the second, as Ant's schema requires.
    private var timestamp: String { String(UTCText.iso8601(microseconds: startedAtMicroseconds).prefix(19)) }

    package func xml() -> String {
        let suites = suites.enumerated().flatMap { xml(of: $0.element, number: $0.offset) }
        return (["<?xml version=\"1.0\" encoding=\"UTF-8\"?>"] + Self.element("testsuites", [], suites) + [""])
            .joined(separator: "\n")
    }

    private func xml(of suite: Suite, number: Int) -> [String] {
        let attributes: [(String, String)] = [
            ("name", suite.name), ("package", package), ("id", "\(number)"), ("timestamp", timestamp),
            // Ant's schema: "'localhost' should be used if the hostname cannot be determined".
            ("hostname", "localhost"), ("tests", "\(suite.cases.count)"), ("failures", suite.count(.failure)),
            ("errors", suite.count(.error)), ("skipped", suite.count(.skipped)),
            ("time", Self.time(suite.cases.reduce(0) { $0 + $1.seconds })),
        ]
        let properties = properties.flatMap { Self.element("property", [("name", $0.name), ("value", $0.value)]) }
        let output = "<system-out>\(XMLText.escaped(suite.output.joined(separator: "\n")))</system-out>"
        let content =
            Self.element("properties", [], properties) + suite.cases.flatMap { xml(of: $0, in: suite) }
            + [output, "<system-err></system-err>"]
        return Self.element("testsuite", attributes, content)
    }

    private func xml(of item: Case, in suite: Suite) -> [String] {
        let attributes = [
            ("name", item.name), ("classname", "\(package).\(suite.name)"), ("time", Self.time(item.seconds)),
        ]
        let (outcome, name) = (item.outcome, item.outcome.kind.rawValue)
        guard outcome.kind != .passed else { return Self.element("testcase", attributes) }
        let start = Self.tag(name, (outcome.type.map { [("type", $0)] } ?? []) + [("message", outcome.message)])
        let text = XMLText.escaped(outcome.text)
        return Self.element("testcase", attributes, [text.isEmpty ? "<\(start)/>" : "<\(start)>\(text)</\(name)>"])
    }

    /// Lines, of which one may have line ends of a text.
    private static func element(_ name: String, _ attributes: [(String, String)], _ content: [String] = []) -> [String]
    {
        let start = tag(name, attributes)
        return content.isEmpty ? ["<\(start)/>"] : ["<\(start)>"] + content.map { "  " + $0 } + ["</\(name)>"]
    }

    private static func tag(_ name: String, _ attributes: [(String, String)]) -> String {
        name + attributes.map { " \($0.0)=\"\(XMLText.escaped($0.1, inAttribute: true))\"" }.joined()
    }

    private static func time(_ seconds: Double) -> String {
        seconds.isFinite ? MetricText.rounded(max(0, seconds), places: 3) : "0.000"
    }
}

enum XMLText {
    /// Replaces characters that XML 1.0 section 2.2 forbids, and terminal control characters.
    ///
    /// In an attribute, line ends and tabs survive the parser's normalisation.
    static func escaped(_ text: String, inAttribute: Bool = false) -> String {
        text.replacingScalars { scalar in
            switch scalar {
            case "&": "&amp;"
            case "<": "&lt;"
            // "]]>" must not be in content (section 2.4).
            case ">": "&gt;"
            case "\"" where inAttribute: "&quot;"
            case "\r": "&#13;"
            case "\n" where inAttribute: "&#10;"
            case "\t" where inAttribute: "&#9;"
            default: isAllowed(scalar) ? nil : "\u{FFFD}"
            }
        }
    }

    /// XML 1.0 section 2.2, "Char"; CI logs print such files.
    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x7f...0x9f, 0x200e, 0x200f, 0x2028...0x202e, 0x2066...0x2069: false
        case 0x9, 0xa, 0xd, 0x20...0xd7ff, 0xe000...0xfffd, 0x1_0000...0x10_ffff: true
        default: false
        }
    }
}

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
        let reason = verdict.reasons.first ?? "no reason was given"
        let message =
            switch verdict.outcome {
            case .clientLimited where !document.isLimitedByMachine: "the generator was the limit: " + reason
            case .incomplete: "shards are missing: " + reason
            case .interrupted: "the run was interrupted"
            case .defect: "a defect of podswarm: " + reason
            case .passed, .failed, .clientLimited, .undecided: reason
            }
        let outcome = Outcome(
            kind: .init(exitCode: verdict.outcome.exitCode),
            type: verdict.outcome.rawValue,
            message: message,
            text: verdict.reasons.joined(separator: "\n")
        )
        let output = verdict.reasons.isEmpty ? ["The target has no failures."] : verdict.reasons
        return Suite(name: "run", cases: [Case("verdict", outcome, seconds: document.run.seconds)], output: output)
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
        return Suite(name: "thresholds", cases: cases, output: output)
    }

    /// Every code is a case, seen or not, so that each has a history in the CI system.
    private static func findings(_ document: ResultDocument) -> Suite {
        let found = Dictionary(document.findings.map { ($0.code, $0) }, uniquingKeysWith: { first, _ in first })
        let known = FindingCode.table.map(\.code)
        let strange = found.keys.filter { !known.contains($0) }.sorted()
        let cases = (known + strange).map { code in
            Case(code, found[code].map { outcome(of: $0, document) } ?? .passed)
        }
        return Suite(name: "findings", cases: cases)
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
            evidence + [finding.meaning] + finding.causes.all(of: finding.likelyCauses).map { "likely: " + $0 }
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
        return Suite(name: "breaks", cases: cases, output: output)
    }

    /// Thresholds judge all viewers together, so the figures of a group are told, not judged.
    private static func groups(_ by: [ReportedResult]) -> Suite {
        let cases = by.flatMap { group in
            group.values.map { value in
                let breaks = value.breaks
                let viewers =
                    "\(breaks.onTime) on time of \(breaks.due) due, \(breaks.late) late, \(breaks.failed) failed"
                let answers = (value.requests ?? [:]).sorted { $0.key < $1.key }.map { kind, answers in
                    let times = answers.times.map { "\($0.key.rawValue) \(answers.cell($0.key) ?? "–")" }
                    let requests = "\(kind): \(TextLayout.counted(answers.count, "request"))"
                    return ([requests, TextLayout.counted(answers.errors, "error")] + times).joined(separator: ", ")
                }
                let message = "not judged: " + ([viewers] + answers).joined(separator: "; ")
                return Case("\(group.name)=\(value.value)", .skipped(message: message))
            }
        }
        return Suite(name: "groups", cases: cases)
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
        return Suite(name: "generator", cases: cases.compactMap(\.self))
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
        return Suite(name: "drift", cases: cases, output: drift.map(\.text))
    }
}

extension ResultDocument {
    fileprivate func held(type: String, message: String, text: String = "") -> JUnitReport.Outcome {
        verdict.outcome == .failed
            ? .init(kind: .failure, type: type, message: message, text: text)
            : .skipped(message: "not counted as a failure of the target (\(verdict.outcome.rawValue)): \(message)")
    }

    fileprivate func undecided(type: String, message: String, text: String = "") -> JUnitReport.Outcome {
        let isJudged = verdict.outcome == .passed || verdict.outcome == .failed
        return isJudged ? .skipped(message: message) : .init(kind: .error, type: type, message: message, text: text)
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

extension JUnitReport {
    /// A failure means a regression, an error an undecided comparison; other open or informational figures are skipped.
    package init(of document: ComparisonDocument) {
        let runs = document.candidate.runs
        let profile = runs.first?.profile ?? "unknown"
        self.init(
            package: "podswarm.comparison." + profile,
            startedAtMicroseconds: runs.first?.startedAtMicroseconds ?? 0,
            properties: [
                ("base", document.base.title), ("base_runs", "\(document.base.runs.count)"),
                ("candidate", document.candidate.title), ("candidate_runs", "\(runs.count)"),
                ("profile", profile), ("profile_digest", runs.first?.profileDigest ?? ""),
                ("podswarm_version", document.podswarmVersion), ("outcome", document.verdict.outcome.rawValue),
                ("exit_code", "\(document.verdict.exitCode)"),
            ],
            suites: [
                Self.comparison(document), Self.comparability(document), Self.metrics(document), Self.rates(document),
                Self.findings(document),
            ]
        )
    }

    private static func comparison(_ document: ComparisonDocument) -> Suite {
        let verdict = document.verdict
        let outcome = Outcome(
            kind: .init(exitCode: verdict.outcome.exitCode),
            type: verdict.outcome.rawValue,
            message: verdict.reasons.first ?? "no reason was given",
            text: (verdict.reasons + [document.counsel].compactMap(\.self)).joined(separator: "\n")
        )
        let output = verdict.improvements.map { "better: " + $0 } + document.notes
        return Suite(name: "verdict", cases: [Case("no regression", outcome)], output: output)
    }

    private static func comparability(_ document: ComparisonDocument) -> Suite {
        let differences = document.comparability.differences.map {
            Case("\($0.aspect): \($0.field)", document.open($0.text, type: "incomparable", isAllowed: $0.allowed))
        }
        let unfit = document.comparability.unfitRuns.map { run in
            let reasons = run.reasons.joined(separator: "\n")
            return Case(run.path, document.open(reasons, type: "unfit_run", isAllowed: run.allowed))
        }
        let skipped = document.comparability.skippedFiles.map { "\($0.path): \($0.reason)" }
        return Suite(name: "comparability", cases: differences + unfit, output: skipped)
    }

    private static func metrics(_ document: ComparisonDocument) -> Suite {
        let cases = document.metrics.map { metric in
            let outcome = document.outcome(metric.verdict, metric.text)
            let isTold = metric.gating || outcome.kind == .passed
            return Case(metric.metric, isTold ? outcome : .skipped(message: metric.text))
        }
        return Suite(name: "metrics", cases: cases, output: document.metrics.map(\.text))
    }

    private static func rates(_ document: ComparisonDocument) -> Suite {
        let cases = document.rates.map { Case($0.metric, document.outcome($0.verdict, $0.text)) }
        return Suite(name: "rates", cases: cases, output: document.rates.map(\.text))
    }

    private static func findings(_ document: ComparisonDocument) -> Suite {
        let cases = document.findings.map { finding in
            guard finding.change != .gone else { return Case(finding.code, .passed) }
            let type = finding.change == .new ? "new_finding" : "finding_beyond_allowance"
            let skipped = Outcome.skipped(message: finding.text)
            return Case(finding.code, finding.isRegression ? document.held(type: type, finding.text) : skipped)
        }
        return Suite(name: "findings", cases: cases, output: document.findings.map(\.text))
    }
}

extension ComparisonDocument {
    fileprivate func outcome(_ verdict: FigureVerdict, _ text: String) -> JUnitReport.Outcome {
        switch verdict {
        case .noRegression, .improvement: .passed
        case .regression: held(type: "regression", text)
        case .inconclusive: open(text, type: "inconclusive", isAllowed: false)
        case .notMeasured: .skipped(message: text)
        }
    }

    fileprivate func held(type: String, _ text: String) -> JUnitReport.Outcome {
        verdict.outcome == .regression ? .init(kind: .failure, type: type, message: text) : .skipped(message: text)
    }

    fileprivate func open(_ text: String, type: String, isAllowed: Bool) -> JUnitReport.Outcome {
        let isUndecided = verdict.outcome == .inconclusive || verdict.outcome == .incomparable
        return isUndecided && !isAllowed ? .init(kind: .error, type: type, message: text) : .skipped(message: text)
    }
}
