package import Foundation
import Results
import Values

/// Versioned result of a comparison between the runs of two releases.
///
/// Units are in the names: `_us` microseconds, `_percent` 0 to 100, `_points` percentage points. The shipped JSON Schema
/// (`ComparisonDocument.jsonSchema()`) describes every field.
package struct ComparisonDocument: Equatable, Codable, JSONDocument, Sendable {
    package static let schemaName = "podswarm.comparison"
    package static let schemaVersion = 1

    package var schema: String = schemaName
    package var schemaVersion: Int = Self.schemaVersion
    package var podswarmVersion: String = PodswarmVersion.current
    package var verdict: ComparisonVerdict
    /// Method of the verdict, with every limit that was declared in advance.
    package var method: ComparisonMethod
    package var base: ComparedSide
    package var candidate: ComparedSide
    package var comparability: Comparability
    /// Gating metrics first, then the informational ones, each in the order of `MetricCatalogue`.
    package var metrics: [MetricComparison] = []
    /// Punctuality first, then the errors of each request kind.
    package var rates: [RateComparison] = []
    /// New ones first, then by severity.
    package var findings: [FindingComparison] = []
    /// Comparison of single runs; nil with more than one run on either side.
    package var withinRun: WithinRunComparison?
    /// Percentile curves of the gating metrics; empty unless requested.
    package var curves: [CurveComparison] = []
    /// Remarks for the reader, as sentences.
    package var notes: [String] = []
}

extension ComparisonDocument {
    /// The shipped JSON Schema of this version's documents, in UTF-8.
    ///
    /// - Throws: An error of the file system if the resource is missing.
    package static func jsonSchema() throws -> Data {
        try SchemaTable.json(at: Bundle.module.bundleURL.appending(path: "Schema/comparison.fields"))
    }
}

package struct ComparedSide: Equatable, Codable, Sendable {
    /// Display name: the label that all runs of only this side share, or else the input.
    package var title: String
    package var inputs: [String]
    /// Runs that count, oldest first.
    package var runs: [ComparedRun]
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
    /// The run's own outcome, for example `passed`.
    package var outcome: String
}

/// Whether the sides were measured in the same way, and which runs and files were excluded.
package struct Comparability: Equatable, Codable, Sendable {
    /// A field that all runs should share and do not.
    package struct Difference: Equatable, Codable, Sendable {
        /// The value for `--allow-different`.
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
        /// The value for `--allow-different`; nil for an aspect that cannot be allowed.
        package var aspect: String?
        package var allowed: Bool
        package var reasons: [String]
    }

    /// False with a difference or an unfit run that is not allowed.
    package var comparable: Bool
    package var differences: [Difference] = []
    package var unfitRuns: [UnfitRun] = []
    package var skippedFiles: [LeftOutFile] = []
}

/// A result or another file without figures for a comparison, a history or a list of runs.
package struct LeftOutFile: Equatable, Codable, Sendable {
    /// In a list of runs, relative to their folder.
    package var path: String
    package var reason: String

    package init(path: String, reason: String) { (self.path, self.reason) = (path, reason) }

    init(_ run: Comparability.UnfitRun) {
        self.init(path: run.path, reason: run.reasons.joined(separator: "; "))
    }
}

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
