import Results

/// Decides whether the runs of one release are worse than those of another; see the page ComparingReleases.
package struct ReleaseComparison: Sendable {
    package struct Side: Sendable {
        package var inputs: [String]
        package var runs: [RunFigures]

        package init(inputs: [String], runs: [RunFigures]) {
            self.inputs = inputs
            self.runs = runs
        }
    }

    package var options: ComparisonOptions

    package init(options: ComparisonOptions = .standard) {
        self.options = options
    }

    /// Compares two sides; the document has no figures if they are not comparable.
    ///
    /// `skipped` are files that are not results; `unreadable` are results that cannot be read, which is an objection.
    package func compare(
        _ base: Side,
        against candidate: Side,
        skipped: [LeftOutFile] = [],
        unreadable: [Comparability.UnfitRun] = []
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
            method: method(isSingle: selection.isSingle),
            base: side(base, selection.base, selection.candidate),
            candidate: side(candidate, selection.candidate, selection.base),
            comparability: selection.comparability,
            notes: selection.notes
        )
        guard selection.comparability.comparable else { return document }
        let leftOut = fill(&document, selection.base, selection.candidate)
        let judge = VerdictJudge(document: document, isSingle: selection.isSingle, gatesLeftOut: leftOut)
        document.verdict = judge.judge()
        return document
    }

    /// Adds all figures; returns the gates that decide nothing, because their meaning changed between result versions.
    private func fill(
        _ document: inout ComparisonDocument,
        _ base: [RunFigures],
        _ candidate: [RunFigures]
    ) -> [String] {
        let changed = ChangedMeaning.among((base + candidate).map(\.schemaVersion))
        let wanted = options.gates ?? measuredGates(base + candidate)
        // Two meanings of one name can be shown side by side, but they decide nothing.
        let gates = wanted.filter { !changed.cover($0.name) }
        let leftOut = wanted.filter { changed.cover($0.name) }
        let others = leftOut + ComparedQuantile.informational.filter { !wanted.contains($0) }
        var metrics = MetricJudge(base: base, candidate: candidate, options: options)
        document.metrics = metrics.judge(gates: gates, others: others)
        document.rates = RateJudge(base: base, candidate: candidate, options: options, changed: changed).judge()
        document.findings = FindingJudge(base: base, candidate: candidate).judge()
            .filter { !changed.cover("findings.\($0.code)") }
        var curves = CurveBuilder(base: base, candidate: candidate)
        document.curves = curves.curves(of: gates.map(\.distribution).uniqued())
        document.notes += curves.notes
        if let first = base.first, let second = candidate.first, base.count == 1, candidate.count == 1 {
            document.withinRun = WithinRunJudge(options: options).judge(first, second)
        }
        return leftOut.map(\.name)
    }

    /// A profile without pods has no pod latency, but its other gates are judged.
    private func measuredGates(_ runs: [RunFigures]) -> [ComparedQuantile] {
        ComparedQuantile.standardGates.filter { gate in
            runs.contains { gate.microseconds(in: $0) != nil }
        }
    }

    private func method(isSingle: Bool) -> ComparisonMethod {
        ComparisonMethod(
            unit: isSingle ? .singleBreak : .run,
            confidencePercent: options.confidence * 100,
            significance: options.significance,
            floorMicroseconds: options.floorMicroseconds,
            rateTolerancePoints: options.rateTolerancePoints,
            allowedDifferences: options.allowed.map(\.rawValue).sorted()
        )
    }

    private func side(_ side: Side, _ runs: [RunFigures], _ others: [RunFigures]) -> ComparedSide {
        ComparedSide(
            title: runs.title(apartFrom: others) ?? side.inputs.joined(separator: ", "),
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

extension [String] {
    fileprivate func uniqued() -> [String] {
        var seen: Set<String> = []
        return filter { seen.insert($0).inserted }
    }
}
