package import RunResult

/// A shard of a run under way, as far as its live display shows it.
package struct LiveShard: Equatable, Sendable {
    /// How it fares.
    package enum State: String, CaseIterable, Sendable {
        case awaited
        case running
        case ended
        case lost
    }

    package var index: Int
    /// Nil before it said anything.
    package var host: String?
    package var state: State
    /// Viewers that are there now.
    package var viewers: Int64
    package var requests: UInt64
    package var errors: UInt64
    /// The longest that a request left late in its last interval.
    package var latenessMaximumMicroseconds: Int64
    /// Why it says more of its generator than of the target; empty while it does not.
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

    /// What limits the shards, each by itself; nil for a run that is its whole plan.
    ///
    /// - Parameter shards: All of them.
    /// - Returns: Within its budget, where each is.
    package static func verdict(of shards: [LiveShard]) -> GeneratorVerdict? {
        guard !shards.isEmpty else { return nil }
        let reasons = shards.flatMap { shard in shard.limits.map { "shard \(shard.index): \($0)" } }
        return reasons.isEmpty ? .withinBudget : .clientLimited(reasons: reasons)
    }
}
