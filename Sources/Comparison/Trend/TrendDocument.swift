import Results
import Rules
import Values

/// The versioned history of one profile on one class of machine, with a verdict on its newest run.
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
    /// Runs of the group without certain information, and files that are not results.
    package var leftOut: [LeftOutFile]
    /// Other groups in the folders, newest first.
    package var otherGroups: [TrendGroup]
}

package struct TrendVerdict: Equatable, Codable, Sendable {
    package enum Outcome: String, Codable, CaseIterable, Sendable {
        /// Every gating metric is within or better than its prediction.
        case asExpected = "as_expected"
        /// A gating metric lies outside, to the worse.
        case worse
        case tooFewRuns = "too_few_runs"
        /// The newest run itself gives no certain information.
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

    package init(
        path: String,
        startedAt: String,
        startedAtMicroseconds: Int64,
        labels: [String: String],
        outcome: String
    ) {
        self.path = path
        self.startedAt = startedAt
        self.startedAtMicroseconds = startedAtMicroseconds
        self.labels = labels
        self.outcome = outcome
    }
}
