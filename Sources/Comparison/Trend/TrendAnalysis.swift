import Results

/// Compares the newest run of a profile with its history, and finds the changes of that history.
///
/// A metric of the newest run is worse or better if it lies outside the 99 % prediction interval of the runs before it and
/// differs from their median by more than its margin and floor. The prediction uses the last thirty runs, or only those since
/// the last change point, once there are enough of them. An accepted change is therefore reported for some nights and is then
/// normal.
package struct TrendAnalysis: Sendable {
    package var options: ComparisonOptions
    /// Prefix of the profile's digest; nil for the profile of the newest run.
    package var digest: String?
    package var runLimit: Int

    /// Number of runs before the newest that a prediction uses.
    package static let predictionLimit = 30

    package init(options: ComparisonOptions = ComparisonOptions(), digest: String? = nil, runLimit: Int = 100) {
        self.options = options
        self.digest = digest
        self.runLimit = runLimit
    }

    /// The history of a profile; nil if no run has the wanted profile.
    ///
    /// `runs` may be of any profile, in any order; `skipped` are files that are not results.
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

    /// The value of a run; nil if the figure's meaning differs from that in the newest run.
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

    /// The history of one figure with known values, however long; nil if no figure has that name.
    ///
    /// `name` is for example `pod_manifest.response.p99`; `values` has one entry for each run, in the order of time.
    package func metric(named name: String, values: [Double?], runs: [TrendRun]) -> TrendMetric? {
        guard values.count == runs.count else { return nil }
        let figures = TrendFigure.all(gates: options.gates ?? ComparedQuantile.standardGates, options: options)
        return figures.first { $0.name == name }.map { metric($0, values, runs, pooledTo: Self.pools) }
    }

    /// Longer histories are pooled by the medians of neighbours, so that a year takes a moment.
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

    /// Prediction for the newest run, and the index of the first run that it uses.
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
