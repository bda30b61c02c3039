import Recording

extension RunCollector: Summable {
    /// Copy with its ending, for the journal.
    package func ended(_ ending: RunEnding) -> RunCollector {
        var ended = self
        ended.ending = ending
        return ended
    }

    package mutating func note(clock: ShardClock) { settings.run.shard?.clock = clock }

    /// Prepares a shard for the sum: merges its loops into one, because none of them changes any more.
    ///
    /// One ledger of all loops takes the memory of one run; separate ledgers would take that of all shards.
    func readyForOthers(shard index: Int) -> RunCollector {
        var ready = self
        ready.ending = nil
        ready.clock = clock.naming(shard: index)
        ready.loops = [0: loops.values.reduce(into: LoopLedger()) { $0.add($1) }]
        ready.loops[0]?.closeShutOuts(at: endedAtMicroseconds)
        return ready
    }

    /// Adds another prepared shard of the same run and start, interval by interval.
    ///
    /// No intervals may be folded afterwards.
    package mutating func add(_ other: RunCollector) {
        settings.run = settings.run.joined(with: other.settings.run)
        settings.judgesDrift = settings.judgesDrift || other.settings.judgesDrift
        settings.loopCores = settings.loopCores &+ other.settings.loopCores
        settings.descriptorLimit = settings.descriptorLimit &+ other.settings.descriptorLimit
        intervals = max(intervals, other.intervals)
        endMicroseconds = max(endMicroseconds, other.endMicroseconds)
        counts.add(other.counts)
        breakSums.add(other.breakSums)
        health = health.addingInParallel(other.health)
        series.addInParallel(other.series)
        measured.add(other.measured)
        if let own = warmUp, let theirs = other.warmUp {
            warmUp?.sums.add(theirs.sums)
            warmUp?.health = own.health.addingInParallel(theirs.health)
        } else {
            warmUp = warmUp ?? other.warmUp
        }
        for (_, theirs) in other.loops { loops[0, default: LoopLedger()].add(theirs) }
        windows.addInParallel(other.windows)
        clock.addInParallel(other.clock)
    }

    /// Sum of all shards so far, nil without shards; no intervals may be folded into it.
    package static func sum(of shards: [(index: Int, collector: RunCollector)]) -> RunCollector? {
        shards.reduce(into: nil) { $0.add($1.collector.readyForOthers(shard: $1.index)) }
    }

    /// Adds a finding from the comparison of shards, after they were summed.
    mutating func found(_ entry: FindingEntry, as key: FindingLedger.Key) {
        loops[0, default: LoopLedger()].found(entry, as: key)
    }

    /// Removes viewers of a break whose pods must not be compared, after the shards were summed.
    mutating func leaveOut(_ pods: LeakedPods, of breakKey: String) { loops[0]?.leaveOut(pods, of: breakKey) }

    /// Removes viewers that were due when the process was lost and whose outcome is unknown; returns their number.
    @discardableResult
    package mutating func leaveOutUnresolved() -> UInt64 {
        var left: UInt64 = 0
        for loop in loops.keys { left &+= loops[loop]?.leaveOutUnresolved() ?? 0 }
        breakSums.leaveOut(due: left)
        return left
    }
}
