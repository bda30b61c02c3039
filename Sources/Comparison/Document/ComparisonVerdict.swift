package struct ComparisonVerdict: Equatable, Codable, Sendable {
    package enum Outcome: String, Codable, CaseIterable, Sendable {
        /// A gating metric or rate is worse beyond its margin, or a finding is new or beyond its allowance.
        case regression
        /// Every gating metric is shown to be no worse than its margin, and no rate was worse beyond its tolerance.
        case noRegression = "no_regression"
        /// The runs do not decide; more runs may.
        case inconclusive
        /// The two sides were not measured in the same way.
        case incomparable

        package var exitCode: Int {
            switch self {
            case .noRegression: 0
            case .regression: 1
            case .inconclusive, .incomparable: 3
            }
        }
    }

    package var outcome: Outcome
    package var exitCode: Int
    /// Reasons for the outcome, gravest first.
    package var reasons: [String]
    /// Improvements beyond the margin; they never decide the outcome.
    package var improvements: [String]
    /// Runs on each side that would probably decide; nil if nothing is open or no number would decide.
    package var runsNeededPerSide: Int?

    package init(outcome: Outcome, reasons: [String], improvements: [String] = [], runsNeededPerSide: Int? = nil) {
        self.outcome = outcome
        exitCode = outcome.exitCode
        self.reasons = reasons
        self.improvements = improvements
        self.runsNeededPerSide = runsNeededPerSide
    }
}

package enum FigureVerdict: String, Codable, CaseIterable, Sendable {
    case regression
    case improvement
    case noRegression = "no_regression"
    case inconclusive
    /// At least one side has no such figure.
    case notMeasured = "not_measured"
}

package struct ComparisonMethod: Equatable, Codable, Sendable {
    /// One observation: `run`, or `break` if each side has a single run.
    package enum Unit: String, Codable, Sendable {
        case run
        case singleBreak = "break"
    }

    package var unit: Unit = .run
    /// Always `open`: podswarm's viewers never wait for one another (Schroeder and others, NSDI 2006).
    package var workload: String = "open"
    package var confidencePercent: Double = 90
    /// Probability of a false regression, over all gating metrics together.
    package var significance: Double = 0.05
    /// `holm`.
    package var correction: String = "holm"
    /// Absolute change of a quantile below which no relative one counts.
    package var floorMicroseconds: Double
    /// Absolute change of a rate that must be exceeded.
    package var rateTolerancePoints: Double
    package var allowedDifferences: [String] = []
}
