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
