import Recording
import Report
import Results
import Viewer

extension Report.Progress {
    /// Progress of a run, from its latest interval, or that of each shard, and the sum.
    init(of latest: [RunInterval], sum: RunCollector) {
        let now = sum.endMicroseconds
        let planned = sum.settings.plannedMicroseconds
        let untilBreak = latest.compactMap { interval in
            interval.nextBreakMicroseconds.map { $0 &- interval.wallMicroseconds }
        }
        self.init(
            profile: sum.settings.run.profile,
            elapsedSeconds: max(Int(clamping: now / 1_000_000), 0),
            secondsLeft: planned.map { max(Int(clamping: ($0 &- now) / 1_000_000), 0) },
            viewers: ViewerMachine.Phase.allCases.enumerated().map { index, phase in
                .init(
                    name: phase.words,
                    count: latest.reduce(0) { sum, interval in
                        let phases = interval.viewersByPhase
                        return sum &+ (phases.indices.contains(index) ? phases[index] : 0)
                    }
                )
            },
            requestsPerSecond: latest.reduce(0) {
                $0 + Double($1.counts.requests) * 1e6 / max(Double($1.durationMicroseconds), 1)
            },
            requests: sum.counts.requests,
            errors: sum.counts.errors,
            findings: sum.counts.findings,
            secondsToNextBreak: untilBreak.min().map { max(Int(clamping: $0 / 1_000_000), 0) },
            lastBreak: sum.wholeTotals.latestBreak.map(Report.Progress.LastBreak.init)
        )
    }
}

extension LiveShard {
    /// The state of each shard, from the shards with data and the states of all in the order of their indices.
    static func all(
        _ shards: [(index: Int, collector: RunCollector)],
        _ states: [FollowedRun.State]
    ) -> [LiveShard] {
        let collectors = Dictionary(shards.map { ($0.index, $0.collector) }) { first, _ in first }
        return states.enumerated().map { index, state in
            guard let collector = collectors[index] else { return LiveShard(index: index, state: State(state)) }
            return LiveShard(
                index: index,
                host: collector.settings.run.host.name,
                state: State(state),
                viewers: state == .running ? collector.counts.activeViewers : 0,
                requests: collector.counts.requests,
                errors: collector.counts.errors,
                latenessMaximumMicroseconds: collector.series.points.last?.latenessMaximumMicroseconds ?? 0,
                limits: collector.generatorVerdict.reasons
            )
        }
    }
}

extension LiveShard.State {
    fileprivate init(_ state: FollowedRun.State) {
        switch state {
        case .awaited: self = .awaited
        case .running: self = .running
        case .ended: self = .ended
        case .lost: self = .lost
        }
    }
}
