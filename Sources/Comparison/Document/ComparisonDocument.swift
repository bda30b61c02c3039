import Results
import Rules
import Values

/// Result of a comparison between the runs of two releases; `Schema/comparison.fields` describes every field.
package struct ComparisonDocument: Equatable, Codable, JSONDocument, Sendable {
    package static let schemaName = "podswarm.comparison"
    package static let schemaVersion = 2

    package var schema: String = schemaName
    package var schemaVersion: Int = Self.schemaVersion
    package var podswarmVersion: String = PodswarmVersion.current
    package var verdict: ComparisonVerdict
    package var method: ComparisonMethod
    package var base: ComparedSide
    package var candidate: ComparedSide
    package var comparability: Comparability
    package var metrics: [MetricComparison] = []
    package var rates: [RateComparison] = []
    package var findings: [FindingComparison] = []
    package var notes: [String] = []

    package var swapDoubt: String? { SwapDoubt.text(base.startTimes, candidate.startTimes) }
}

/// Asks whether the sides are swapped: then a regression would read as an improvement.
enum SwapDoubt {
    /// Microseconds at which runs started; nil unless all of the candidate's are older than all of the base's.
    static func text(_ base: [Int64], _ candidate: [Int64]) -> String? {
        guard let first = base.min(), let last = candidate.max(), last < first else { return nil }
        return
            "The candidate's runs are older than the base's: are the sides swapped? --base names the release to compare "
            + "with, --candidate the one in question."
    }
}

package struct ComparedSide: Equatable, Codable, Sendable {
    package var title: String
    package var inputs: [String]
    package var runs: [ComparedRun]

    fileprivate var startTimes: [Int64] { runs.map(\.startedAtMicroseconds) }
}

package struct ComparedRun: Equatable, Codable, Sendable {
    package var path: String
    package var profile: String
    package var profileDigest: String
    package var target: String
    package var labels: [String: String]
    package var startedAt: String
    package var startedAtMicroseconds: Int64
    package var endedAtMicroseconds: Int64
    package var podswarmVersion: String
    package var outcome: String
}

/// Whether the sides were measured in the same way, and which runs and files were excluded.
package struct Comparability: Equatable, Codable, Sendable {
    /// A field that all runs should share and do not.
    package struct Difference: Equatable, Codable, Sendable {
        package var aspect: String
        package var field: String
        /// Each value with the number of runs, for example `AMD EPYC (5 runs)`.
        package var base: [String]
        package var candidate: [String]
        package var allowed: Bool
        package var text: String
    }

    /// A run that gives no certain information on its target.
    package struct UnfitRun: Equatable, Codable, Sendable {
        package var path: String
        package var aspect: String?
        package var allowed: Bool
        package var reasons: [String]
    }

    package var comparable: Bool
    package var differences: [Difference] = []
    package var unfitRuns: [UnfitRun] = []
    package var skippedFiles: [LeftOutFile] = []
}

/// A file without figures for a comparison, a history or a list of runs.
package struct LeftOutFile: Equatable, Codable, Sendable {
    /// Relative to the folder in a list of runs.
    package var path: String
    package var reason: String

    package init(path: String, reason: String) { (self.path, self.reason) = (path, reason) }

    init(_ run: Comparability.UnfitRun) { self.init(path: run.path, reason: run.reasons.joined(separator: "; ")) }
}

package struct ComparisonVerdict: Equatable, Codable, Sendable {
    package enum Outcome: String, Codable, CaseIterable, Sendable {
        case regression
        /// Every gating metric is shown to be no worse than its margin, and no rate was worse beyond its tolerance.
        case noRegression = "no_regression"
        case inconclusive
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
    package var reasons: [String]
    package var improvements: [String]
    package var runsNeededPerSide: Int?

    package init(outcome: Outcome, reasons: [String], improvements: [String] = [], runsNeededPerSide: Int? = nil) {
        self.outcome = outcome
        exitCode = outcome.exitCode
        (self.reasons, self.improvements, self.runsNeededPerSide) = (reasons, improvements, runsNeededPerSide)
    }
}

package enum FigureVerdict: String, Codable, CaseIterable, Sendable {
    case regression
    case improvement
    case noRegression = "no_regression"
    case inconclusive
    case notMeasured = "not_measured"
}

package struct ComparisonMethod: Equatable, Codable, Sendable {
    static let confidence = 0.9
    package static let significance = 0.05

    /// One observation.
    package var unit: String = "run"
    /// Always `open`: viewers never wait for one another (Schroeder and others, NSDI 2006).
    package var workload: String = "open"
    package var confidencePercent = confidence * 100
    package var significance = Self.significance
    package var correction: String = "holm"
    package var floorMicroseconds: Double
    package var rateTolerancePoints: Double
    package var allowedDifferences: [String] = []
}

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
    package var verdict = FigureVerdict.notMeasured
    package var runsNeededPerSide: Int?
    package var text = ""
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
    package var verdict = FigureVerdict.notMeasured
    package var runsNeededPerSide: Int?
    package var text = ""
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
    package var text = ""

    package var isRegression: Bool {
        (change == .new || change == .beyondAllowance) && !allowed && severity != Severity.advice.rawValue
    }
}
