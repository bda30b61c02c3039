package struct TrendMetric: Equatable, Codable, Sendable {
    package enum Unit: String, Codable, Sendable {
        case microseconds = "us"
        case percent
        case count
    }

    package enum Verdict: String, Codable, Sendable {
        case asExpected = "as_expected"
        case worse
        case better
        case tooFewRuns = "too_few_runs"
        case notMeasured = "not_measured"
    }

    /// Spelled as in `MetricCatalogue`.
    package var metric: String
    package var gating: Bool
    package var unit: Unit
    package var higherIsWorse: Bool
    /// One for each run; nil for a run without the figure.
    package var values: [Double?]
    /// Nil with too few runs before the newest.
    package var expected: PredictionInterval?
    /// Index of the first run that `expected` uses: older ones are too long ago, or before a change.
    package var expectedFrom: Int?
    package var verdict: Verdict
    package var changePoints: [TrendChangePoint] = []
    package var text: String
}

package struct TrendChangePoint: Equatable, Codable, Sendable {
    package var index: Int
    /// Medians of the runs between this change and its neighbours.
    package var before: Double
    package var after: Double
    /// Nil if it was zero before.
    package var changePercent: Double?
    package var isWorse: Bool
    package var pValue: Double
    package var text: String

    private enum CodingKeys: String, CodingKey {
        case index, before, after, changePercent, pValue, text
        case isWorse = "is_worse"
    }
}
