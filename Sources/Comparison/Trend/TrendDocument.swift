import Results
import Rules
import Values

/// The history of one profile on one class of machine, with a verdict on its newest run.
package struct TrendDocument: Equatable, Codable, JSONDocument, Sendable {
    package static let schemaName = "podswarm.trend"
    package static let schemaVersion = 1

    package var schema: String = schemaName
    package var schemaVersion: Int = Self.schemaVersion
    package var podswarmVersion: String = PodswarmVersion.current
    package var verdict: TrendVerdict
    package var group: TrendGroup
    /// Oldest first; every list of values is aligned with it.
    package var runs: [TrendRun]
    /// Gating ones first.
    package var metrics: [TrendMetric]
    /// Runs without certain information, and files that are not results.
    package var leftOut: [LeftOutFile]
    /// Newest first.
    package var otherGroups: [TrendGroup]
}

package struct TrendVerdict: Equatable, Codable, Sendable {
    package enum Outcome: String, Codable, CaseIterable, Sendable {
        /// Every gating metric is within or better than its prediction.
        case asExpected = "as_expected"
        case worse
        case tooFewRuns = "too_few_runs"
        /// The newest run gives no certain information.
        case newestLeftOut = "newest_left_out"

        package var exitCode: Int {
            switch self {
            case .asExpected: 0
            case .worse: 1
            case .tooFewRuns, .newestLeftOut: 3
            }
        }
    }

    package var outcome: Outcome
    package var exitCode: Int
    package var reasons: [String]

    package init(outcome: Outcome, reasons: [String]) {
        self.outcome = outcome
        exitCode = outcome.exitCode
        self.reasons = reasons
    }
}

/// Comparable runs: one profile, one class of machine.
package struct TrendGroup: Equatable, Codable, Sendable {
    package var profile: String
    package var profileDigest: String
    package var hostClass: String
    package var runs: Int
    package var newest: String
}

package struct TrendRun: Equatable, Codable, Sendable {
    package var path: String
    package var startedAt: String
    package var startedAtMicroseconds: Int64
    package var labels: [String: String]
    package var outcome: String
}

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

    package var metric: String
    package var gating: Bool
    package var unit: Unit
    package var higherIsWorse: Bool
    /// Nil for a run without the figure.
    package var values: [Double?]
    /// Nil with too few earlier runs.
    package var expected: PredictionInterval?
    /// Index of the first run that `expected` uses.
    package var expectedFrom: Int?
    package var verdict = Verdict.tooFewRuns
    package var changePoints: [TrendChangePoint] = []
    package var text = ""
}

package struct TrendChangePoint: Equatable, Codable, Sendable {
    package var index: Int
    /// Medians of the runs between this change and its neighbours.
    package var before: Double
    package var after: Double
    /// Nil if the figure was zero before.
    package var changePercent: Double?
    package var isWorse: Bool
    package var pValue: Double
    package var text = ""

    private enum CodingKeys: String, CodingKey {
        case index, before, after, changePercent, pValue, text
        case isWorse = "is_worse"
    }
}
