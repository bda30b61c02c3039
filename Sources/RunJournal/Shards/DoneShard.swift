import Recording
import RunResult

/// What one shard did, ready to be added to what the others did.
struct DoneShard: Sendable {
    let result: ShardResult
    let host: HostFacts
    /// How it ended, where its journal says so.
    let ending: RunEnding?
    let ready: RunCollector

    /// - Parameters:
    ///   - shard: With its ending, where it had one.
    ///   - index: From 0.
    ///   - recovered: How its journal ends, where that does not say that the run ended by itself.
    init(_ shard: RunCollector, index: Int, recovered: RecoveredMark?) {
        let ending = recovered == nil ? shard.ending : nil
        var ready = shard.readyForOthers(shard: index)
        let isWhole = ending.map { !$0.interrupted } ?? false
        let left = isWhole ? 0 : ready.leaveOutUnresolved()
        let state: ShardResult.State =
            switch ending {
            case nil: .cutOff
            case .some(let ending): ending.interrupted ? .interrupted : ending.abortedBy == nil ? .ended : .aborted
            }
        var result = ShardResult(
            index: index,
            state: state,
            run: shard.settings.run,
            endedAtMicroseconds: ending?.endedAtMicroseconds ?? shard.endedAtMicroseconds,
            totals: ready.totals,
            health: shard.health,
            ownFailure: ending?.ownFailure
        )
        result.unresolvedLeftOut = left > 0 ? left : nil
        result.abortedBy = ending?.abortedBy
        result.recovered = recovered ?? (ending == nil ? Self.mark(of: shard) : nil)
        self.result = result
        self.ending = ending
        self.ready = ready
        host = shard.settings.run.host
    }

    private static func mark(of shard: RunCollector) -> RecoveredMark {
        RecoveredMark(intervals: shard.intervals, droppedBytes: 0, reason: "it does not say that its run ended")
    }
}
