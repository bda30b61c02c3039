import Rules

/// One quantile, judged by run.
///
/// `Schema/comparison.fields` describes the fields of this and the following types.
package struct MetricComparison: Equatable, Codable, Sendable {
    package struct Side: Equatable, Codable, Sendable {
        package var runsMicroseconds: [Double?]
        package var medianMicroseconds: Double?
        package var spread: Double?
    }

    package var metric: String
    package var gating: Bool
    package var base: Side
    package var candidate: Side
    package var marginPercent: Double
    package var appliedMarginPercent: Double
    /// Above 1 the candidate is slower.
    package var ratio: Double?
    package var ratioLow: Double?
    package var ratioHigh: Double?
    package var achievedConfidencePercent: Double?
    package var regressionP: Double?
    package var regressionAdjustedP: Double?
    package var improvementP: Double?
    package var improvementAdjustedP: Double?
    package var verdict: FigureVerdict
    package var runsNeededPerSide: Int?
    package var text: String
}

package struct RateComparison: Equatable, Codable, Sendable {
    package enum Polarity: String, Codable, Sendable {
        case higherIsBetter = "higher_is_better"
        case lowerIsBetter = "lower_is_better"
    }

    /// Counts over all runs of the side.
    package struct Side: Equatable, Codable, Sendable {
        package var events: UInt64
        package var outOf: UInt64
        package var percent: Double?
        package var lowPercent: Double?
        package var highPercent: Double?
        package var runsPercent: [Double?]
    }

    package var metric: String
    package var polarity: Polarity
    package var base: Side
    package var candidate: Side
    package var differencePoints: Double?
    package var dispersion: Double?
    package var regressionP: Double?
    package var regressionAdjustedP: Double?
    package var improvementP: Double?
    package var improvementAdjustedP: Double?
    package var verdict: FigureVerdict
    package var runsNeededPerSide: Int?
    package var text: String
}

/// One finding code on both sides; new findings and those beyond their allowance have zero tolerance and no statistics.
package struct FindingComparison: Equatable, Codable, Sendable {
    package enum Change: String, Codable, CaseIterable, Sendable {
        /// In no run of the base: a regression unless the profile allows it.
        case new
        /// Within its allowance in every run of the base and beyond it in one of the candidate's: a regression.
        case beyondAllowance = "beyond_allowance"
        case persisting
        case gone
    }

    package struct Side: Equatable, Codable, Sendable {
        package var runs: Int
        package var count: UInt64
        package var viewersPercentMaximum: Double
    }

    package var code: String
    package var severity: String
    package var meaning: String
    package var change: Change
    package var allowed: Bool
    package var base: Side
    package var candidate: Side
    package var text: String

    package var isRegression: Bool {
        (change == .new || change == .beyondAllowance) && !allowed && severity != Severity.advice.rawValue
    }
}

/// Percentile curves of one distribution on both sides, for an overlaid chart.
package struct CurveComparison: Equatable, Codable, Sendable {
    package struct Point: Equatable, Codable, Sendable {
        package var percentile: Double
        package var microseconds: Double

        private enum CodingKeys: String, CodingKey {
            case percentile
            case microseconds = "us"
        }
    }

    package struct Side: Equatable, Codable, Sendable {
        package var count: UInt64
        package var merged: [Point]
        package var runs: [[Point]]
    }

    package var distribution: String
    package var base: Side
    package var candidate: Side
}
