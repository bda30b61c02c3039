struct VerdictJudge {
    let document: ComparisonDocument
    /// Whether each side is a single run, which decides nothing but new findings.
    let isSingle: Bool
    var gatesLeftOut: [String] = []

    private var gates: [MetricComparison] { document.metrics.filter(\.gating) }

    /// A regression if any figure got worse, "no regression" if every figure is shown not to have, else inconclusive.
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
        guard !isSingle else { return [WithinRunJudge.text] + leftOut }
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

    /// The maximum over all open metrics and rates.
    ///
    /// Nil if no practical number decides one of them, for example if a side has no such figure or a gate was omitted.
    private func runsNeeded() -> Int? {
        let verdicts = gates.map(\.verdict) + document.rates.map(\.verdict)
        guard !gates.isEmpty, gatesLeftOut.isEmpty, !verdicts.contains(.notMeasured) else { return nil }
        let open =
            gates.filter { $0.verdict == .inconclusive }.map(\.runsNeededPerSide)
            + document.rates.filter { $0.verdict == .inconclusive }.map(\.runsNeededPerSide)
        return open.contains(nil) ? nil : open.compactMap(\.self).max()
    }
}
