/// One result in a list of runs.
package struct RunRow: Equatable, Codable, Sendable {
    package enum Kind: String, Codable, Sendable {
        case run
        /// A run that was long enough, or meant, to be judged for drift.
        case soak
        /// One shard's own part of a run.
        case shard
        /// A run of several shards as a whole.
        case merged
        case searched
        case capacity
    }

    /// Relative to the folder of the results.
    package var path: String
    package var kind: Kind
    package var profile: String
    package var profileDigest: String
    /// Identifies a workload whatever its target; nil if the result has none.
    package var workloadDigest: String?
    /// See `RunStanding.hostClass`.
    package var hostClass: String
    package var startedAtMicroseconds: Int64
    package var endedAtMicroseconds: Int64
    package var labels: [String: String]
    /// The verdict of a run, spelled as in results, or the kind of a capacity's answer.
    package var outcome: String
    /// The gravest reason against the run, or a capacity's answer in words.
    package var reason: String?
    package var isInterrupted: Bool
    /// Whether it was made from the journal of an interrupted run.
    package var isRecovered: Bool
    /// Requested viewers; nil for a capacity, and if the result does not say.
    package var viewers: Int64?
    package var breaks: Int64
    /// Viewers due for breaks, and those with their pod in time.
    package var due: Int64
    package var onTime: Int64
    /// Occurrences of all findings but advice.
    package var findings: Int64
    package var findingCodes: [String]
    package var requests: Int64
    package var errors: Int64
    /// Measured figures by their names in `figureNames`.
    package var figuresMicroseconds: [String: Double]
    /// The reason why its figures are excluded from histories; nil if they are included.
    package var doubt: String?
    /// Whether its page is in the same folder.
    package var hasPage = false

    package static let figureNames = ["pod_manifest.response.p99", "playlist.response.p99", "asset_list.response.p99"]

    /// Nil if no viewer was due.
    package var onTimePercent: Double? { due > 0 ? Double(onTime) * 100 / Double(due) : nil }

    /// Path of its page, whether it exists or not.
    package var pagePath: String { path.dropLast(".json".count) + ".html" }
}

/// Runs of a folder, newest first, and its other JSON files.
package struct RunList: Equatable, Sendable {
    package var rows: [RunRow]
    /// JSON files that are not results, by path.
    package var leftOut: [LeftOutFile]

    package init(rows: [RunRow], leftOut: [LeftOutFile]) {
        self.rows = rows.sorted {
            ($0.startedAtMicroseconds, Spelling($0.path)) > ($1.startedAtMicroseconds, Spelling($1.path))
        }
        self.leftOut = leftOut.sorted { $0.path < $1.path }
    }

    package func filtered(by filter: RunFilter) -> RunList {
        var list = self
        list.rows.removeAll { !filter.matches($0) }
        return list
    }
}
