package import Results

package struct LiveShard: Equatable, Sendable {
    package enum State: String, CaseIterable, Sendable {
        case awaited
        case running
        case ended
        case lost
    }

    package var index: Int
    /// Nil before its first report.
    package var host: String?
    package var state: State
    package var viewers: Int64
    package var requests: UInt64
    package var errors: UInt64
    /// Maximum lateness of a request in its last interval.
    package var latenessMaximumMicroseconds: Int64
    /// Reasons why the shard is limited by its generator; empty if it is not.
    package var limits: [String]

    package init(
        index: Int,
        host: String? = nil,
        state: State,
        viewers: Int64 = 0,
        requests: UInt64 = 0,
        errors: UInt64 = 0,
        latenessMaximumMicroseconds: Int64 = 0,
        limits: [String] = []
    ) {
        self.index = index
        self.host = host
        self.state = state
        self.viewers = viewers
        self.requests = requests
        self.errors = errors
        self.latenessMaximumMicroseconds = latenessMaximumMicroseconds
        self.limits = limits
    }

    package static func verdict(of shards: [LiveShard]) -> GeneratorVerdict? {
        guard !shards.isEmpty else { return nil }
        let reasons = shards.flatMap { shard in shard.limits.map { "shard \(shard.index): \($0)" } }
        return reasons.isEmpty ? .withinBudget : .clientLimited(reasons: reasons)
    }
}
