import RunResult

/// Holds the newest run of a profile against its history, and finds when that history changed.
///
/// A metric of the newest run is worse, or better, where it lies outside the 99 % prediction interval of the runs
/// before it and differs from their median by more than its margin and floor. Those runs are the last thirty, or only
/// the ones since the last change point, once there are enough of them. So an accepted change is news for some nights
/// and then the new normal.
package struct TrendAnalysis: Sendable {
    /// Margins and floors are those of comparisons between releases.
    package var options: ComparisonOptions
    /// The beginning of the wanted profile's digest; nil for the profile of the newest run.
    package var digest: String?
    /// Runs that are looked at, the newest ones.
    package var runLimit: Int

    /// Runs before the newest that a prediction is made of.
    package static let predictionLimit = 30

    package init(options: ComparisonOptions = ComparisonOptions(), digest: String? = nil, runLimit: Int = 100) {
        self.options = options
        self.digest = digest
        self.runLimit = runLimit
    }

    /// The history of a profile.
    ///
    /// - Parameters:
    ///   - runs: Of any profile, in any order.
    ///   - skipped: Files that are no results.
    /// - Returns: Nil where no run has the wanted profile.
    package func document(of runs: [RunFigures], skipped: [TrendOmission] = []) -> TrendDocument? {
        guard let history = TrendHistory(runs, digest: digest, limit: runLimit) else { return nil }
        let gates = options.gates ?? ComparedQuantile.standardGates
        let runs = history.runs.map(Self.run)
        let metrics = TrendFigure.all(gates: gates, options: options).compactMap { figure -> TrendMetric? in
            let values = history.runs.map { Self.comparable(figure, $0, newest: history.runs.last) }
            let isAsked = figure.isGating && options.gates != nil
            return isAsked || values.contains { $0 != nil } ? metric(figure, values, runs) : nil
        }
        return TrendDocument(
            verdict: verdict(metrics, history),
            group: history.group,
            runs: runs,
            metrics: metrics,
            leftOut: history.leftOut + skipped,
            otherGroups: history.otherGroups
        )
    }

    /// The value of a run; nil where the figure means something else in it than in the newest run.
    private static func comparable(_ figure: TrendFigure, _ run: RunFigures, newest: RunFigures?) -> Double? {
        let versions = [run.schemaVersion, newest?.schemaVersion ?? run.schemaVersion]
        return ChangedMeaning.among(versions).cover(figure.name) ? nil : figure.value(run)
    }

    private static func run(_ figures: RunFigures) -> TrendRun {
        TrendRun(
            path: figures.path,
            startedAt: figures.run.startedAt,
            startedAtMicroseconds: figures.run.startedAtMicroseconds,
            labels: figures.run.labels,
            outcome: figures.verdict.outcome.rawValue
        )
    }

    private func verdict(_ metrics: [TrendMetric], _ history: TrendHistory) -> TrendVerdict {
        if let reason = history.newestLeftOut {
            return TrendVerdict(outcome: .newestLeftOut, reasons: ["the newest run is left out: \(reason)"])
        }
        let gating = metrics.filter(\.gating)
        let worse = gating.filter { $0.verdict == .worse }
        guard worse.isEmpty else { return TrendVerdict(outcome: .worse, reasons: worse.map(\.text)) }
        let undecided = gating.filter { $0.verdict == .tooFewRuns || $0.verdict == .notMeasured }
        guard undecided.isEmpty, !gating.isEmpty else {
            return TrendVerdict(outcome: .tooFewRuns, reasons: undecided.map(\.text))
        }
        return TrendVerdict(outcome: .asExpected, reasons: [])
    }

    /// The history of one figure whose values are known already, however long it is.
    ///
    /// - Parameters:
    ///   - name: As in `metrics` of a document, for example `pod_manifest.response.p99`.
    ///   - values: In the order of time; nil where a run has none.
    ///   - runs: As many.
    /// - Returns: Nil where no figure of a history has that name.
    package func metric(named name: String, values: [Double?], runs: [TrendRun]) -> TrendMetric? {
        guard values.count == runs.count else { return nil }
        let figures = TrendFigure.all(gates: options.gates ?? ComparedQuantile.standardGates, options: options)
        return figures.first { $0.name == name }.map { metric($0, values, runs, pooledTo: Self.pools) }
    }

    /// Longer histories than this are looked through by the medians of neighbours, so that a year takes a moment.
    private static let pools = 120

    private func metric(
        _ figure: TrendFigure,
        _ values: [Double?],
        _ runs: [TrendRun],
        pooledTo pools: Int? = nil
    ) -> TrendMetric {
        let changePoints = TrendChanges(figure: figure, values: values, runs: runs, pools: pools).points()
        var metric = TrendMetric(
            metric: figure.name,
            gating: figure.isGating,
            unit: figure.unit,
            higherIsWorse: figure.higherIsWorse,
            values: values,
            verdict: .tooFewRuns,
            changePoints: changePoints,
            text: ""
        )
        if let (interval, start) = expectation(figure, values, after: changePoints.last?.index) {
            metric.expected = interval
            metric.expectedFrom = start
        }
        metric.verdict = Self.verdict(figure, newest: values.last ?? nil, metric.expected)
        metric.text = TrendSentence.verdict(metric)
        return metric
    }

    private static func verdict(
        _ figure: TrendFigure,
        newest: Double?,
        _ expected: PredictionInterval?
    ) -> TrendMetric.Verdict {
        guard let newest else { return .notMeasured }
        guard let expected else { return .tooFewRuns }
        let isOutside = newest < expected.low || newest > expected.high
        let matters = (newest - expected.median).magnitude > figure.leastEffect(at: expected.median)
        guard isOutside, matters else { return .asExpected }
        return (newest > expected.median) == figure.higherIsWorse ? .worse : .better
    }

    /// Where the newest run is expected, and the first run which that is made of.
    private func expectation(
        _ figure: TrendFigure,
        _ values: [Double?],
        after change: Int?
    ) -> (PredictionInterval, Int)? {
        let earlier = values.dropLast().enumerated().compactMap { index, value in value.map { (index, $0) } }
            .suffix(Self.predictionLimit)
        let since = earlier.filter { $0.0 >= change ?? 0 }
        let used = since.count >= PredictionInterval.fewestRuns ? since : Array(earlier)
        guard let start = used.first?.0,
            var interval = PredictionInterval(of: used.map { figure.scaled($0.1) })
        else { return nil }
        interval.low = figure.unscaled(interval.low)
        interval.median = figure.unscaled(interval.median)
        interval.high = figure.unscaled(interval.high)
        return (interval, start)
    }
}
