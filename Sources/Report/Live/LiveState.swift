import Comparison
package import Results

/// Its creation neither stops nor slows the loops, beyond the copy of their measurements.
package struct LiveState: Sendable {
    var run: RunDescription
    package var progress: Progress
    /// Includes the warm-up.
    package var totals: RunTotals
    var health: HealthResult
    /// If the run ended now.
    var isGeneratorLimited: Bool
    var series: TimeSeries
    /// In the order of their indices; empty without shards.
    var shards: [LiveShard] = []
    /// If the run ended now.
    var document: @Sendable () -> ResultDocument
    /// Nil during the run.
    package var result: ResultDocument?
}

extension LiveState {
    package init(_ progress: Progress, of collector: RunCollector, shards: [LiveShard]) {
        self.init(
            run: collector.settings.run,
            progress: progress,
            totals: collector.wholeTotals,
            health: collector.wholeHealth,
            isGeneratorLimited: !progress.limits.isEmpty,
            series: collector.series,
            shards: shards
        ) {
            collector.document(
                RunEnding(endedAtMicroseconds: collector.endedAtMicroseconds),
                isOver: false,
                drift: DriftJudge.verdicts
            )
        }
    }
}

package struct LiveShard: Equatable, Sendable {
    var index: Int
    /// Nil before its first report.
    var host: String?
    var state: FollowedRun.State
    var viewers: Int64 = 0
    var requests: UInt64 = 0
    var errors: UInt64 = 0
    /// In the last interval.
    var latenessMaximumMicroseconds: Int64 = 0
    /// Reasons why the shard is limited by its generator.
    var limits: [String] = []

    /// `shards` are those with data; `states` are all, in the order of their indices.
    package static func all(
        _ shards: [(index: Int, collector: RunCollector)],
        _ states: [FollowedRun.State]
    ) -> [LiveShard] {
        let collectors = Dictionary(shards.map { ($0.index, $0.collector) }) { first, _ in first }
        return states.enumerated().map { index, state in
            guard let collector = collectors[index] else { return LiveShard(index: index, state: state) }
            return LiveShard(
                index: index,
                host: collector.settings.run.host.name,
                state: state,
                viewers: state == .running ? collector.counts.activeViewers : 0,
                requests: collector.counts.requests,
                errors: collector.counts.errors,
                latenessMaximumMicroseconds: collector.series.points.last?.latenessMaximumMicroseconds ?? 0,
                limits: collector.generatorLimits
            )
        }
    }
}

extension FollowedRun.State {
    var name: String {
        switch self {
        case .awaited: "awaited"
        case .running: "running"
        case .ended: "ended"
        case .lost: "lost"
        }
    }

    static let names = [Self.awaited, .running, .ended, .lost("")].map(\.name)
}
