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

        package init(path: String, aspect: String?, allowed: Bool, reasons: [String]) {
            self.path = path
            self.aspect = aspect
            self.allowed = allowed
            self.reasons = reasons
        }
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

    package init(_ run: Comparability.UnfitRun) {
        self.init(path: run.path, reason: run.reasons.joined(separator: "; "))
    }
}
