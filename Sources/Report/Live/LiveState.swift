package import RunResult

/// A run as it stands, for whoever looks at it while it goes.
///
/// A value: taking it neither stops nor slows the loops, beyond the copy of what they measured.
package struct LiveState: Sendable {
    package var profile: String
    /// The labels of the user, as given.
    package var labels: [String: String]
    package var target: String
    /// Microseconds since the Unix epoch.
    package var startedAtMicroseconds: Int64
    package var progress: Progress
    package var totals: RunTotals
    package var health: HealthLog
    /// How the generator would be judged if the run ended now.
    package var generator: GeneratorVerdict
    package var series: TimeSeries
    /// In the order of their indices; empty for a run that is its whole plan.
    package var shards: [LiveShard]
    /// What the run would come to if it ended now.
    package var document: @Sendable () -> ResultDocument
    /// The finished result; nil while the run goes.
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
