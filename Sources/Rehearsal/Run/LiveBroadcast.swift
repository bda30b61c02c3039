import Foundation
import Report
package import Results
import Viewer

/// A run that is served to Prometheus or a dashboard.
package struct LiveBroadcast: Sendable {
    package let server: LiveServer
    package let linger: Duration

    /// Publishes the state of the run; the state is computed on the server's thread.
    ///
    /// The collector is a value: while it is read, the run copies what it changes. `shards` is empty for an undivided run.
    func publish(_ progress: Report.Progress, of collector: RunCollector, shards: [LiveShard] = []) {
        server.publish(at: Double(collector.endMicroseconds) / 1_000_000) {
            let run = collector.settings.run
            let totals = collector.wholeTotals
            let hasWarmUp = collector.settings.warmUpMilliseconds > 0
            return LiveState(
                profile: run.profile,
                labels: run.labels,
                target: run.target,
                startedAtMicroseconds: run.startedAtMicroseconds,
                progress: progress,
                // A warm-up is shown too, as the present state of the run.
                totals: totals,
                health: collector.wholeHealth,
                // Without a warm-up the totals need not be computed twice.
                generator: LiveShard.verdict(of: shards)
                    ?? (hasWarmUp ? collector.generatorVerdict : collector.generatorVerdict(for: totals)),
                series: collector.series,
                shards: shards
            ) {
                collector.document(
                    RunEnding(endedAtMicroseconds: collector.endedAtMicroseconds),
                    isOver: false,
                    drift: RunSession.drift
                )
            }
        }
    }

    /// Publishes the end, and serves on until readers have it or the user stops the run.
    package func end(_ document: ResultDocument, output: RunOutput, requests: RunRequests) async {
        let before = requests.end
        await server.end(document, report: Self.page(document))
        // An open page fetches its report at once; only a longer wait is worth a line.
        let moment = min(.seconds(1), linger)
        await server.linger(atMost: moment) { requests.end != before }
        let awaited = server.awaited
        if !awaited.isEmpty, linger > moment, requests.end == before {
            let limit = linger.formatted(.units(allowed: [.minutes, .seconds], width: .narrow))
            output.note("Waiting up to \(limit) for \(awaited.joined(separator: " and ")).")
            await server.linger(atMost: linger - moment) { requests.end != before }
        }
        await server.stop()
    }

    private static func page(_ document: ResultDocument) -> String {
        if let page = try? document.html() { return page }
        let text = TextSummary(of: document, path: nil).render()
            .replacing("&", with: "&amp;").replacing("<", with: "&lt;")
        return "<!doctype html><html lang=\"en\"><title>podswarm</title><pre>\(text)</pre></html>\n"
    }
}

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

extension ViewerMachine.Phase {
    var words: String {
        switch self {
        case .waiting: "waiting"
        case .joining: "joining"
        case .watching: "watching"
        case .inBreak: "in a break"
        case .leaving: "leaving"
        case .gone: "gone"
        }
    }
}
