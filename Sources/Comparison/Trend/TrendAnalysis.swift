import Results
import Rules
import Values

/// Compares the newest run of a profile with its history, and finds the changes of that history.
///
/// A metric is worse or better outside the 99 % prediction interval of earlier runs and beyond margin and floor from their
/// median. Runs before the last change point are ignored once there are enough: an accepted change soon becomes normal.
package struct TrendAnalysis: Sendable {
    package var options: ComparisonOptions
    /// A prefix; nil for the profile of the newest run.
    package var digest: String?
    package var runLimit: Int

    package static let predictionLimit = 30

    package init(options: ComparisonOptions = .standard, digest: String? = nil, runLimit: Int = 100) {
        (self.options, self.digest, self.runLimit) = (options, digest, runLimit)
    }

    /// Nil if no run has the wanted profile; `skipped` are files that are not results.
    package func document(of runs: [RunFigures], skipped: [LeftOutFile] = []) -> TrendDocument? {
        guard let history = TrendHistory(runs, digest: digest, limit: runLimit) else { return nil }
        let gates = options.gates ?? ComparedQuantile.standardGates
        let runs = history.runs.map { TrendRun($0) }
        let metrics = TrendFigure.all(gates: gates, options: options).compactMap { figure -> TrendMetric? in
            let values = history.runs.map { Self.comparable(figure, $0, newest: history.runs.last) }
            let isAsked = figure.isGating && options.gates != nil
            return isAsked || values.contains { $0 != nil }
                ? Self.metric(figure, values, TrendChanges(figure: figure, values: values, runs: runs).points()) : nil
        }
        return TrendDocument(history, "run", metrics, skipped)
    }

    /// Nil if no search has the wanted profile.
    package func document(of searches: [CapacityFigures], skipped: [LeftOutFile] = []) -> TrendDocument? {
        guard let history = TrendHistory(searches, digest: digest, limit: runLimit) else { return nil }
        let metric = Self.metric(.capacity(history.newest.asked.quantity), history.runs.map(\.answer.value))
        return TrendDocument(history, "search", [metric], skipped)
    }

    /// Nil if the figure's meaning differs from that in the newest run.
    private static func comparable(_ figure: TrendFigure, _ run: RunFigures, newest: RunFigures?) -> Double? {
        let versions = [run.schemaVersion, newest?.schemaVersion ?? run.schemaVersion]
        return ChangedMeaning.among(versions).cover(figure.name) ? nil : figure.value(run)
    }

    /// The history of one figure, however long; nil for an unknown name.
    ///
    /// `values` has one entry for each run, in the order of time.
    package func metric(named name: String, values: [Double?], runs: [TrendRun]) -> TrendMetric? {
        guard values.count == runs.count else { return nil }
        let figures = TrendFigure.all(gates: options.gates ?? ComparedQuantile.standardGates, options: options)
        return figures.first { $0.name == name }.map { figure in
            let changes = TrendChanges(figure: figure, values: values, runs: runs, pools: Self.pools)
            return Self.metric(figure, values, changes.points())
        }
    }

    /// Medians of neighbours pool longer histories, so that a year takes a moment.
    private static let pools = 120

    private static func metric(_ figure: TrendFigure, _ values: [Double?], _ changePoints: [TrendChangePoint] = [])
        -> TrendMetric
    {
        var metric = TrendMetric(
            metric: figure.name,
            gating: figure.isGating,
            unit: figure.unit,
            higherIsWorse: figure.higherIsWorse,
            values: values,
            changePoints: changePoints
        )
        if let (interval, start) = expectation(figure, values, after: changePoints.last?.index) {
            metric.expected = interval
            metric.expectedFrom = start
        }
        metric.verdict = verdict(figure, newest: values.last ?? nil, metric.expected)
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

    /// With the index of the first run that it uses.
    private static func expectation(
        _ figure: TrendFigure,
        _ values: [Double?],
        after change: Int?
    ) -> (PredictionInterval, Int)? {
        let earlier = values.dropLast().enumerated().compactMap { index, value in value.map { (index, $0) } }
            .suffix(predictionLimit)
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

extension TrendDocument {
    fileprivate init<Dated>(
        _ history: TrendHistory<Dated>,
        _ noun: String,
        _ metrics: [TrendMetric],
        _ skipped: [LeftOutFile]
    ) {
        let gating = metrics.filter(\.gating)
        let worse = gating.filter { $0.verdict == .worse }
        let undecided = gating.filter { $0.verdict == .tooFewRuns || $0.verdict == .notMeasured }
        let runs = history.runs.map { TrendRun($0) }
        let release = runs.last.flatMap { TrendSentence.release($0.labels) }.map { " (\($0))" } ?? ""
        let verdict =
            if let doubt = history.newest.doubt {
                TrendVerdict(
                    outcome: .newestLeftOut,
                    reasons: ["the newest \(noun) is left out: \(history.newest.path): \(doubt)"]
                )
            } else if !worse.isEmpty {
                TrendVerdict(outcome: .worse, reasons: worse.map { $0.text + release })
            } else if !undecided.isEmpty || gating.isEmpty {
                TrendVerdict(outcome: .tooFewRuns, reasons: undecided.map(\.text))
            } else {
                TrendVerdict(outcome: .asExpected, reasons: [])
            }
        self.init(
            verdict: verdict,
            group: history.group,
            runs: runs,
            metrics: metrics,
            leftOut: history.leftOut + skipped,
            otherGroups: history.otherGroups
        )
    }
}

enum TrendSentence {
    static func verdict(_ metric: TrendMetric) -> String {
        let name = metric.metric
        guard let newest = metric.values.last ?? nil else { return "\(name): the newest run has no such figure" }
        let found = amount(newest, metric.unit)
        guard let expected = metric.expected else {
            let before = metric.values.dropLast().count { $0 != nil }
            let runs = GroupedDigits.counted(before, "earlier run")
            return "\(name): \(found); \(runs), \(PredictionInterval.fewestRuns) are needed"
        }
        let interval = "\(amount(expected.low, metric.unit)) to \(amount(expected.high, metric.unit))"
        let basis = "expected from \(expected.runs) runs: \(interval)"
        return switch metric.verdict {
        case .worse: "\(name) is worse: \(found), \(basis)"
        case .better: "\(name) is better: \(found), \(basis)"
        default: "\(name): \(found), \(basis)"
        }
    }

    static func change(_ point: TrendChangePoint, _ unit: TrendMetric.Unit, _ run: TrendRun) -> String {
        let percent = point.changePercent.map { " (\(MetricText.change(ratio: 1 + $0 / 100)))" } ?? ""
        let label = release(run.labels).map { ", \($0)" } ?? ""
        let values = "\(amount(point.before, unit)) to \(amount(point.after, unit))"
        return "\(point.isWorse ? "worse" : "better") from \(run.startedAt.prefix(10))\(label) on: \(values)\(percent)"
    }

    fileprivate static func release(_ labels: [String: String]) -> String? {
        ["release", "version", "commit"].first { labels[$0] != nil }.map { "\($0)=\(labels[$0] ?? "")" }
    }

    /// For example `12.3 ms`.
    private static func amount(_ value: Double, _ unit: TrendMetric.Unit) -> String {
        switch unit {
        case .microseconds: MetricText.time(microseconds: value)
        case .percent: MetricText.percent(value)
        case .count: MetricText.number(value)
        }
    }
}

struct TrendChanges {
    let figure: TrendFigure
    let values: [Double?]
    let runs: [TrendRun]
    /// Medians of neighbours pool a longer series.
    var pools: Int?

    /// Removes changes below the margin, the smallest first: each removal makes the neighbouring stretches longer.
    func points() -> [TrendChangePoint] {
        let measured = values.indices.filter { values[$0] != nil }
        let series = measured.compactMap { values[$0] }
        var found = divided(series)
        while true {
            let medians = Self.medians(series, found.map(\.index))
            let changes = found.indices.map { position in
                let (before, after) = (medians[position], medians[position + 1])
                return (after - before).magnitude / max(figure.leastEffect(at: before), .leastNormalMagnitude)
            }
            guard let least = changes.indices.min(by: { changes[$0] < changes[$1] }), changes[least] <= 1 else {
                return found.enumerated().map { position, point in
                    changePoint(
                        at: measured[point.index],
                        from: medians[position],
                        to: medians[position + 1],
                        pValue: point.pValue
                    )
                }
            }
            found.remove(at: least)
        }
    }

    private func divided(_ series: [Double]) -> [EnergyDivision.ChangePoint] {
        let scaled = series.map(figure.scaled)
        guard let pools, scaled.count > pools, pools > 0 else { return EnergyDivision().changePoints(of: scaled) }
        let width = (scaled.count + pools - 1) / pools
        let coarse = EnergyDivision().changePoints(of: OrderStatistics.medians(scaled, ofEach: width))
        let bounds = [0] + coarse.map { $0.index * width } + [scaled.count]
        return coarse.indices.map { position in
            var point = coarse[position]
            point.index = Self.split(scaled, bounds[position], bounds[position + 1], bounds[position + 2], width)
            return point
        }
    }

    /// The value at which one stretch becomes the other, within a pool's width of the boundary.
    private static func split(_ values: [Double], _ start: Int, _ middle: Int, _ end: Int, _ width: Int) -> Int {
        let before = OrderStatistics.median(Array(values[start..<middle])) ?? 0
        let after = OrderStatistics.median(Array(values[middle..<end])) ?? 0
        let near = max(start + 1, middle - width)...min(end - 1, middle + width)
        let costs = near.map { split in
            (near.lowerBound..<split).reduce(0) { $0 + (values[$1] - before).magnitude }
                + (split...near.upperBound).reduce(0) { $0 + (values[$1] - after).magnitude }
        }
        guard let best = costs.indices.min(by: { costs[$0] < costs[$1] }) else { return middle }
        return near.lowerBound + best
    }

    private static func medians(_ series: [Double], _ indices: [Int]) -> [Double] {
        let bounds = [0] + indices + [series.count]
        return zip(bounds, bounds.dropFirst()).map { OrderStatistics.median(Array(series[$0..<$1])) ?? 0 }
    }

    private func changePoint(at index: Int, from before: Double, to after: Double, pValue: Double) -> TrendChangePoint {
        var point = TrendChangePoint(
            index: index,
            before: before,
            after: after,
            changePercent: before != 0 ? (after / before - 1) * 100 : nil,
            isWorse: (after > before) == figure.higherIsWorse,
            pValue: pValue
        )
        point.text = TrendSentence.change(point, figure.unit, runs[index])
        return point
    }
}
