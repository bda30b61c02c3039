package import Comparison

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
        let type = verdict.outcome.rawValue
        let message = verdict.reasons.first ?? "no reason was given"
        let needed = verdict.runsNeededPerSide.map { ["about \($0) runs on each side would decide"] } ?? []
        let text = (verdict.reasons + needed).joined(separator: "\n")
        let outcome: Outcome =
            switch verdict.outcome {
            case .noRegression: .passed
            case .regression: .failure(type: type, message: message, text: text)
            case .inconclusive, .incomparable: .error(type: type, message: message, text: text)
            }
        return Suite(
            "verdict",
            [Case("no regression", outcome)],
            output: verdict.improvements.map { "better: " + $0 } + document.notes
        )
    }

    private static func comparability(_ document: ComparisonDocument) -> Suite {
        let differences = document.comparability.differences.map { difference in
            Case(
                "\(difference.aspect): \(difference.field)",
                document.open(difference.text, type: "incomparable", isAllowed: difference.allowed)
            )
        }
        let unfit = document.comparability.unfitRuns.map { run in
            let reasons = run.reasons.joined(separator: "\n")
            return Case(run.path, document.open(reasons, type: "unfit_run", isAllowed: run.allowed))
        }
        let skipped = document.comparability.skippedFiles.map { "\($0.path): \($0.reason)" }
        return Suite("comparability", differences + unfit, output: skipped)
    }

    private static func metrics(_ document: ComparisonDocument) -> Suite {
        let cases = document.metrics.map { metric in
            let outcome = document.outcome(metric.verdict, metric.text)
            return Case(metric.metric, metric.gating || outcome == .passed ? outcome : .skipped(message: metric.text))
        }
        return Suite("metrics", cases, output: document.metrics.map(\.text))
    }

    private static func rates(_ document: ComparisonDocument) -> Suite {
        let cases = document.rates.map { Case($0.metric, document.outcome($0.verdict, $0.text)) }
        return Suite("rates", cases, output: document.rates.map(\.text))
    }

    private static func findings(_ document: ComparisonDocument) -> Suite {
        let cases = document.findings.map { finding in
            let outcome: Outcome =
                switch finding.change {
                case .gone: .passed
                case .new where finding.isRegression: document.held(type: "new_finding", finding.text)
                case .beyondAllowance where finding.isRegression:
                    document.held(type: "finding_beyond_allowance", finding.text)
                case .new, .beyondAllowance, .persisting: .skipped(message: finding.text)
                }
            return Case(finding.code, outcome)
        }
        return Suite("findings", cases, output: document.findings.map(\.text))
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
        verdict.outcome == .regression ? .failure(type: type, message: text) : .skipped(message: text)
    }

    fileprivate func open(_ text: String, type: String, isAllowed: Bool) -> JUnitReport.Outcome {
        let isUndecided = verdict.outcome == .inconclusive || verdict.outcome == .incomparable
        return isUndecided && !isAllowed ? .error(type: type, message: text) : .skipped(message: text)
    }
}
