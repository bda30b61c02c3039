import Results

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
        let leftOut = fill(&document, selection.base, selection.candidate)
        document.verdict = VerdictJudge(document: document, gatesLeftOut: leftOut).judge()
        return document
    }

    /// Returns the gates whose meaning changed between result versions.
    private func fill(
        _ document: inout ComparisonDocument,
        _ base: [RunFigures],
        _ candidate: [RunFigures]
    ) -> [String] {
        let changed = ChangedMeaning.among((base + candidate).map(\.schemaVersion))
        let wanted = options.gates ?? measuredGates(base + candidate)
        let gates = wanted.filter { !changed.cover($0.name) }
        let leftOut = wanted.filter { changed.cover($0.name) }
        let others = leftOut + ComparedQuantile.informational.filter { !wanted.contains($0) }
        var metrics = MetricJudge(base: base, candidate: candidate, options: options)
        document.metrics = metrics.judge(gates: gates, others: others)
        document.rates = RateJudge(base: base, candidate: candidate, options: options, changed: changed).judge()
        document.findings = FindingJudge(base: base, candidate: candidate).judge()
            .filter { !changed.cover("findings.\($0.code)") }
        var curves = CurveBuilder(base: base, candidate: candidate)
        var known: Set<String> = []
        document.curves = curves.curves(of: gates.map(\.distribution).filter { known.insert($0).inserted })
        document.notes += curves.notes
        return leftOut.map(\.name)
    }

    /// A profile without pods has no pod latency, but its other gates are judged.
    private func measuredGates(_ runs: [RunFigures]) -> [ComparedQuantile] {
        ComparedQuantile.standardGates.filter { gate in
            runs.contains { gate.microseconds(in: $0) != nil }
        }
    }

    private var method: ComparisonMethod {
        ComparisonMethod(
            confidencePercent: options.confidence * 100,
            significance: options.significance,
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

struct VerdictJudge {
    let document: ComparisonDocument
    let gatesLeftOut: [String]

    private static let single =
        "One run per side cannot separate a release from chance: no verdict. Make five of each."

    private var gates: [MetricComparison] { document.metrics.filter(\.gating) }

    func judge() -> ComparisonVerdict {
        let regressions = regressions()
        guard regressions.isEmpty else {
            return ComparisonVerdict(outcome: .regression, reasons: regressions, improvements: improvements())
        }
        let doubts = doubts()
        guard doubts.isEmpty else {
            return ComparisonVerdict(
                outcome: .inconclusive,
                reasons: doubts,
                improvements: improvements(),
                runsNeededPerSide: runsNeeded()
            )
        }
        let shown = gates.map(\.text)
        return ComparisonVerdict(outcome: .noRegression, reasons: shown, improvements: improvements())
    }

    private func regressions() -> [String] {
        let findings = document.findings.filter(\.isRegression).map(\.text)
        let rates = document.rates.filter { $0.verdict == .regression }.map(\.text)
        return findings + rates + gates.filter { $0.verdict == .regression }.map(\.text)
    }

    private func doubts() -> [String] {
        let leftOut = gatesLeftOut.map { "left out, its meaning changed between the versions: \($0)" }
        // Single runs on each side are compared for new findings only.
        guard document.base.runs.count > 1 || document.candidate.runs.count > 1 else { return [Self.single] + leftOut }
        let isNoneMeasured = gates.isEmpty && leftOut.isEmpty
        let none = isNoneMeasured ? ["no gating metric was measured; name one that was"] : leftOut
        let open: [FigureVerdict] = [.inconclusive, .notMeasured]
        let rates = document.rates.filter { open.contains($0.verdict) }.map(\.text)
        return none + rates + gates.filter { open.contains($0.verdict) }.map(\.text)
    }

    private func improvements() -> [String] {
        let gone = document.findings.filter { $0.change == .gone }.map(\.text)
        let rates = document.rates.filter { $0.verdict == .improvement }.map(\.text)
        return gone + rates + gates.filter { $0.verdict == .improvement }.map(\.text)
    }

    /// Nil if no practical number decides one of the open metrics and rates.
    private func runsNeeded() -> Int? {
        let verdicts = gates.map(\.verdict) + document.rates.map(\.verdict)
        guard !gates.isEmpty, gatesLeftOut.isEmpty, !verdicts.contains(.notMeasured) else { return nil }
        let open =
            gates.filter { $0.verdict == .inconclusive }.map(\.runsNeededPerSide)
            + document.rates.filter { $0.verdict == .inconclusive }.map(\.runsNeededPerSide)
        return open.contains(nil) ? nil : open.compactMap(\.self).max()
    }
}
