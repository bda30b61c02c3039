/// What a list of runs says of one result.
package struct RunRow: Equatable, Codable, Sendable {
    /// What a result is of.
    package enum Kind: String, Codable, Sendable {
        case run
        /// A run that was long enough, or meant, to be judged for drift.
        case soak
        /// One shard's own part of a run.
        case shard
        /// A run of several shards as a whole.
        case merged
        /// A run that a search for a capacity made.
        case searched
        /// What a search for a capacity came to.
        case capacity
    }

    /// From the folder of the results on.
    package var path: String
    package var kind: Kind
    package var profile: String
    package var profileDigest: String
    /// Tells workloads apart whatever their target is; nil where the result has none.
    package var workloadDigest: String?
    /// See `RunStanding.hostClass`.
    package var hostClass: String
    package var startedAtMicroseconds: Int64
    package var endedAtMicroseconds: Int64
    package var labels: [String: String]
    /// Of a run how it ended, as results spell it; of a capacity what kind of answer it is.
    package var outcome: String
    /// The gravest reason against the run, or a capacity's answer in words; nil where there is none.
    package var reason: String?
    package var isInterrupted: Bool
    /// Whether it was made from the journal of a run that was cut off.
    package var isRecovered: Bool
    /// How many were asked for; nil for a capacity, and where the result does not say.
    package var viewers: Int64?
    package var breaks: Int64
    /// Viewers due for breaks, and those who had their pod in time.
    package var due: Int64
    package var onTime: Int64
    /// Occurrences of all findings but advice.
    package var findings: Int64
    /// The codes of those, each once.
    package var findingCodes: [String]
    package var requests: Int64
    package var errors: Int64
    /// Microseconds by names of `figureNames`; only those that were measured.
    package var figures: [String: Double]
    /// Why its figures stand in no history; nil where they do.
    package var doubt: String?
    /// Whether its page lies beside it.
    package var hasPage = false

    /// Figures that are followed over releases.
    package static let figureNames = ["pod_manifest.response.p99", "playlist.response.p99", "asset_list.response.p99"]

    /// Nil where no viewer was due.
    package var onTimePercent: Double? { due > 0 ? Double(onTime) * 100 / Double(due) : nil }

    /// Where its page lies, or would.
    package var pagePath: String { path.dropLast(".json".count) + ".html" }

    private enum CodingKeys: String, CodingKey {
        case path
        case kind
        case profile
        case profileDigest = "profile_digest"
        case workloadDigest = "workload_digest"
        case hostClass = "host_class"
        case startedAtMicroseconds = "started_at_us"
        case endedAtMicroseconds = "ended_at_us"
        case labels
        case outcome
        case reason
        case isInterrupted = "interrupted"
        case isRecovered = "recovered"
        case viewers
        case breaks
        case due
        case onTime = "on_time"
        case findings
        case findingCodes = "finding_codes"
        case requests
        case errors
        case figures = "figures_us"
        case doubt
        case hasPage = "page"
    }
}

/// A file that is in no list, and why.
package struct LeftOutFile: Equatable, Codable, Sendable {
    /// From the folder of the results on.
    package var path: String
    package var reason: String

    package init(path: String, reason: String) {
        self.path = path
        self.reason = reason
    }
}
