import Recording

struct DoneShard: Sendable {
    let result: ShardResult
    let host: HostFacts
    /// Nil if the journal has no ending.
    let ending: RunEnding?
    let ready: RunCollector

    /// `recovered` is nil if the journal shows a regular end.
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
