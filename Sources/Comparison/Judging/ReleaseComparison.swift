import Results
import Rules

/// Decides whether the runs of one release are worse; see the page Comparing.
package struct ReleaseComparison: Sendable {
    package typealias Side = InputSide<RunFigures>

    package var options: ComparisonOptions

    package init(options: ComparisonOptions = .standard) { self.options = options }

    /// The document has no figures if the sides are not comparable.
    ///
    /// `skipped` are files that are not results; `unreadable` results are an objection.
    package func compare(
        _ base: Side,
        against candidate: Side,
        skipped: [LeftOutFile] = [],
        unreadable: [LeftOutFile] = []
    ) -> ComparisonDocument {
        let selection = RunSelection(
            base: base.runs,
            candidate: candidate.runs,
            options: options,
            skipped: skipped,
            unreadable: unreadable
        )
        var document = ComparisonDocument(
            verdict: ComparisonVerdict(outcome: .incomparable, reasons: selection.objections),
            method: method,
            base: side(base, selection.base, selection.candidate),
            candidate: side(candidate, selection.candidate, selection.base),
            comparability: selection.comparability,
            notes: selection.notes
        )
        document.notes += [document.swapDoubt].compactMap(\.self)
        guard selection.comparability.comparable else { return document }
        let leftOut = selection.fill(&document)
        document.verdict = document.judged(gatesLeftOut: leftOut)
        return document
    }

    private var method: ComparisonMethod {
        ComparisonMethod(
            floorMicroseconds: options.floorMicroseconds,
            rateTolerancePoints: options.rateTolerancePoints,
            allowedDifferences: options.allowed.map(\.rawValue).sorted()
        )
    }

    private func side(_ side: Side, _ runs: [RunFigures], _ others: [RunFigures]) -> ComparedSide {
        ComparedSide(
            title: Side(inputs: side.inputs, runs: runs).title(apartFrom: others),
            inputs: side.inputs,
            runs: runs.map(ComparedRun.init)
        )
    }
}

extension RunSelection {
    /// Returns the gates whose meaning changed between result versions.
    fileprivate func fill(_ document: inout ComparisonDocument) -> [String] {
        let changed = ChangedMeaning.among((base + candidate).map(\.schemaVersion))
        // A profile without pods has no pod latency, but its other gates are judged.
        let measured = ComparedQuantile.standardGates.filter { gate in
            (base + candidate).contains { gate.microseconds(in: $0) != nil }
        }
        let wanted = options.gates ?? measured
        let gates = wanted.filter { !changed.cover($0.name) }
        let leftOut = wanted.filter { changed.cover($0.name) }
        let others = leftOut + ComparedQuantile.informational.filter { !wanted.contains($0) }
        var metrics = MetricJudge(base: base, candidate: candidate, options: options)
        document.metrics = metrics.judge(gates: gates, others: others)
        document.rates = rates(without: changed)
        document.findings = findings.filter { !changed.cover("findings.\($0.code)") }
        return leftOut.map(\.name)
    }
}

extension ComparedRun {
    init(_ run: RunFigures) {
        self.init(
            path: run.path,
            profile: run.run.profile,
            profileDigest: run.run.profileDigest,
            target: run.run.target,
            labels: run.run.labels,
            startedAt: run.run.startedAt,
            startedAtMicroseconds: run.run.startedAtMicroseconds,
            endedAtMicroseconds: run.run.endedAtMicroseconds,
            podswarmVersion: run.podswarmVersion,
            outcome: run.verdict.outcome.rawValue
        )
    }
}

extension ComparisonDocument {
    private static let single = "One run per side cannot separate a release from chance: no verdict."

    private var gates: [MetricComparison] { metrics.filter(\.gating) }

    private func texts(_ verdicts: FigureVerdict...) -> [String] {
        (rates.map { ($0.verdict, $0.text) } + gates.map { ($0.verdict, $0.text) })
            .filter { verdicts.contains($0.0) }.map(\.1)
    }

    fileprivate func judged(gatesLeftOut: [String]) -> ComparisonVerdict {
        let regressions = regressions
        guard regressions.isEmpty else {
            return ComparisonVerdict(outcome: .regression, reasons: regressions, improvements: improvements)
        }
        let doubts = doubts(gatesLeftOut)
        guard doubts.isEmpty else {
            return ComparisonVerdict(
                outcome: .inconclusive,
                reasons: doubts,
                improvements: improvements,
                runsNeededPerSide: gatesLeftOut.isEmpty ? runsNeeded : nil
            )
        }
        let shown = gates.map(\.text)
        return ComparisonVerdict(outcome: .noRegression, reasons: shown, improvements: improvements)
    }

    private var regressions: [String] { findings.filter(\.isRegression).map(\.text) + texts(.regression) }

    private func doubts(_ gatesLeftOut: [String]) -> [String] {
        let leftOut = gatesLeftOut.map { "left out, its meaning changed between the versions: \($0)" }
        // Single runs on each side are compared for new findings only.
        guard base.runs.count > 1 || candidate.runs.count > 1 else {
            let isCounselled = gatesLeftOut.isEmpty && runsNeeded != nil
            return [isCounselled ? Self.single : Self.single + " Make five of each."] + leftOut
                + gates.filter { $0.unprovedChange != nil }.map(\.text)
        }
        let isNoneMeasured = gates.isEmpty && leftOut.isEmpty
        let none = isNoneMeasured ? ["no gating metric was measured; name one that was"] : leftOut
        return none + texts(.inconclusive, .notMeasured)
    }

    private var improvements: [String] { findings.filter { $0.change == .gone }.map(\.text) + texts(.improvement) }

    /// Nil if no practical number decides one of the open metrics and rates.
    private var runsNeeded: Int? {
        let verdicts = gates.map(\.verdict) + rates.map(\.verdict)
        guard !gates.isEmpty, !verdicts.contains(.notMeasured) else { return nil }
        let open =
            gates.filter { $0.verdict == .inconclusive }.map(\.runsNeededPerSide)
            + rates.filter { $0.verdict == .inconclusive }.map(\.runsNeededPerSide)
        return open.contains(nil) ? nil : open.compactMap(\.self).max()
    }
}

extension RunSelection {
    /// A code is a regression, whatever its count, if the base never had it, or never had it beyond its allowance.
    private var findings: [FindingComparison] {
        let seen = (base + candidate).flatMap(\.findings)
        let codes = Dictionary(seen.map { ($0.code, $0) }) { first, _ in first }
        let order = FindingComparison.Change.allCases
        let severities = Severity.allCases.map(\.rawValue)
        func rank(_ finding: FindingComparison) -> (Int, Int, String) {
            (
                order.firstIndex(of: finding.change) ?? order.count,
                severities.firstIndex(of: finding.severity) ?? severities.count,
                finding.code
            )
        }
        return codes.values.map(compare).sorted { rank($0) < rank($1) }
    }

    private func compare(_ finding: RunFigures.Finding) -> FindingComparison {
        let (before, after) = (side(finding.code, base), side(finding.code, candidate))
        let allowed = isAllowed(finding.code, in: after.runs > 0 ? candidate : base)
        let change: FindingComparison.Change =
            switch (before.runs, after.runs) {
            case (0, _): .new
            case (_, 0): .gone
            default: isAllowed(finding.code, in: base) && !allowed ? .beyondAllowance : .persisting
            }
        var comparison = FindingComparison(
            code: finding.code,
            severity: finding.severity,
            meaning: finding.meaning,
            change: change,
            allowed: allowed,
            base: before,
            candidate: after
        )
        comparison.text = sentence(comparison, isAdvice: finding.isAdvice)
        return comparison
    }

    private func isAllowed(_ code: String, in runs: [RunFigures]) -> Bool {
        runs.flatMap(\.findings).filter { $0.code == code }.allSatisfy(\.allowed)
    }

    private func side(_ code: String, _ runs: [RunFigures]) -> FindingComparison.Side {
        let found = runs.map { $0.findings.filter { $0.code == code } }.filter { !$0.isEmpty }
        return FindingComparison.Side(
            runs: found.count,
            count: found.joined().reduce(0) { $0 &+ $1.count },
            viewersPercentMaximum: found.joined().map(\.viewersPercent).max() ?? 0
        )
    }

    private func sentence(_ finding: FindingComparison, isAdvice: Bool) -> String {
        let (code, after) = (finding.code, finding.candidate)
        let runs = "in \(after.runs) of \(candidate.count) candidate runs"
        let earlier = "in \(finding.base.runs) of \(base.count) base runs"
        let viewers = "at most \(MetricText.percent(after.viewersPercentMaximum)) of viewers"
        return switch finding.change {
        case .new where finding.allowed: "finding \(code) is new, \(runs), and allowed by the profile"
        case .new where isAdvice: "finding \(code) is new, \(runs), and no more than advice"
        case .new: "finding \(code) is new: \(runs), \(viewers); no base run has it"
        case .beyondAllowance where isAdvice:
            "finding \(code) is beyond its allowance, \(runs), and no more than advice"
        case .beyondAllowance:
            "finding \(code) is beyond its allowance: \(runs), \(viewers); every base run that has it was within it"
        case .persisting: "finding \(code) is on both sides: \(earlier), \(runs), \(viewers)"
        case .gone: "finding \(code) is gone: \(earlier), not in a candidate run"
        }
    }
}
