/// What a comparison came to, with the exit code that says so.
package struct ComparisonVerdict: Equatable, Codable, Sendable {
    /// The kinds of end a comparison can come to.
    package enum Outcome: String, Codable, CaseIterable, Sendable {
        /// A gating metric or rate is worse beyond its margin, or a finding is new or beyond its allowance.
        case regression
        /// Every gating metric is shown to be no worse than its margin allows, and no rate was seen worse beyond its
        /// tolerance.
        case noRegression = "no_regression"
        /// The runs decide neither; more of them may.
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
    /// Why, gravest first; what decided the outcome and nothing else.
    package var reasons: [String]
    /// What became better beyond its margin; never decides the outcome.
    package var improvements: [String]
    /// Runs on each side that would probably decide what is open; nil where nothing is, or where no number would.
    package var runsNeededPerSide: Int?

    package init(outcome: Outcome, reasons: [String], improvements: [String] = [], runsNeededPerSide: Int? = nil) {
        self.outcome = outcome
        exitCode = outcome.exitCode
        self.reasons = reasons
        self.improvements = improvements
        self.runsNeededPerSide = runsNeededPerSide
    }
}

/// The verdict on one figure.
package enum FigureVerdict: String, Codable, CaseIterable, Sendable {
    case regression
    case improvement
    case noRegression = "no_regression"
    case inconclusive
    /// One of the sides, or both, has no such figure.
    case notMeasured = "not_measured"
}

/// The limits and levels that a comparison was made with.
package struct ComparisonMethod: Equatable, Codable, Sendable {
    /// What counts as one observation: `run`, or `break` where each side has a single run.
    package enum Unit: String, Codable, Sendable {
        case run
        case singleBreak = "break"
    }

    package var unit: Unit
    /// podswarm's viewers never wait for one another, so every workload is open (Schroeder and others, NSDI 2006).
    package var workload: String
    /// Of the intervals shown.
    package var confidencePercent: Double
    /// Chance of a false regression, over all gating metrics together.
    package var significance: Double
    /// `holm`.
    package var correction: String
    /// Absolute change of a quantile below which no relative one counts.
    package var floorMicroseconds: Double
    /// Absolute change of a rate that must be exceeded.
    package var rateTolerancePoints: Double
    /// Aspects that may differ because the user said so.
    package var allowedDifferences: [String]

    package init(
        unit: Unit = .run,
        workload: String = "open",
        confidencePercent: Double = 90,
        significance: Double = 0.05,
        correction: String = "holm",
        floorMicroseconds: Double,
        rateTolerancePoints: Double,
        allowedDifferences: [String] = []
    ) {
        self.unit = unit
        self.workload = workload
        self.confidencePercent = confidencePercent
        self.significance = significance
        self.correction = correction
        self.floorMicroseconds = floorMicroseconds
        self.rateTolerancePoints = rateTolerancePoints
        self.allowedDifferences = allowedDifferences
    }
}
