package import Results

/// The state of a run under way, for live displays.
///
/// A value: taking it neither stops nor slows the loops, beyond the copy of their measurements.
package struct LiveState: Sendable {
    package var profile: String
    package var labels: [String: String]
    package var target: String
    /// Microseconds since the Unix epoch.
    package var startedAtMicroseconds: Int64
    package var progress: Progress
    package var totals: RunTotals
    package var health: HealthLog
    /// The verdict on the generator if the run ended now.
    package var generator: GeneratorVerdict
    package var series: TimeSeries
    /// In the order of their indices; empty without shards.
    package var shards: [LiveShard]
    /// The result if the run ended now.
    package var document: @Sendable () -> ResultDocument
    /// The finished result; nil during the run.
    package var result: ResultDocument?

    package init(
        profile: String,
        labels: [String: String],
        target: String,
        startedAtMicroseconds: Int64,
        progress: Progress,
        totals: RunTotals,
        health: HealthLog,
        generator: GeneratorVerdict,
        series: TimeSeries,
        shards: [LiveShard] = [],
        document: @escaping @Sendable () -> ResultDocument
    ) {
        self.profile = profile
        self.labels = labels
        self.target = target
        self.startedAtMicroseconds = startedAtMicroseconds
        self.progress = progress
        self.totals = totals
        self.health = health
        self.generator = generator
        self.series = series
        self.shards = shards
        self.document = document
    }
}

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
