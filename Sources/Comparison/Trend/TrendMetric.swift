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
    package var changePoints: [TrendChangePoint]
    package var text: String

    package init(
        metric: String,
        gating: Bool,
        unit: Unit,
        higherIsWorse: Bool,
        values: [Double?],
        expected: PredictionInterval? = nil,
        expectedFrom: Int? = nil,
        verdict: Verdict,
        changePoints: [TrendChangePoint] = [],
        text: String
    ) {
        self.metric = metric
        self.gating = gating
        self.unit = unit
        self.higherIsWorse = higherIsWorse
        self.values = values
        self.expected = expected
        self.expectedFrom = expectedFrom
        self.verdict = verdict
        self.changePoints = changePoints
        self.text = text
    }
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

    package init(
        index: Int,
        before: Double,
        after: Double,
        changePercent: Double?,
        isWorse: Bool,
        pValue: Double,
        text: String
    ) {
        self.index = index
        self.before = before
        self.after = after
        self.changePercent = changePercent
        self.isWorse = isWorse
        self.pValue = pValue
        self.text = text
    }

    private enum CodingKeys: String, CodingKey {
        case index
        case before
        case after
        case changePercent = "change_percent"
        case isWorse = "is_worse"
        case pValue = "p_value"
        case text
    }
}
