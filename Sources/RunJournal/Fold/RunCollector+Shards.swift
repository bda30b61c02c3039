import Recording
package import RunResult

extension RunCollector {
    /// The run with how it ended, for its journal.
    ///
    /// - Parameter ending: How.
    /// - Returns: The same run.
    package func ended(_ ending: RunEnding) -> RunCollector {
        var ended = self
        ended.ending = ending
        return ended
    }

    /// Takes what was measured of the shard's clock, at its end too.
    ///
    /// - Parameter clock: All of it.
    package mutating func note(clock: ShardClock) { settings.run.shard?.clock = clock }

    /// The shard ready to have others added: its loops are put into one, because none of them changes any more.
    ///
    /// One ledger of all loops takes the room of the run, and one for each loop that of all shards.
    ///
    /// - Parameter index: Of the shard.
    /// - Returns: The same run.
    func readyForOthers(shard index: Int) -> RunCollector {
        var ready = self
        ready.ending = nil
        ready.clock = clock.naming(shard: index)
        ready.loops = [0: loops.values.reduce(into: LoopLedger()) { $0.add($1) }]
        ready.loops[0]?.closeShutOuts(at: endedAtMicroseconds)
        return ready
    }

    /// Adds another shard of the same run, with the same start: everything that was at the same time is put together.
    ///
    /// Intervals may not be folded afterwards.
    ///
    /// - Parameter other: One that is ready for others.
    mutating func addInParallel(_ other: RunCollector) {
        settings.run = settings.run.joined(with: other.settings.run)
        settings.judgesDrift = settings.judgesDrift || other.settings.judgesDrift
        settings.loopCores = settings.loopCores &+ other.settings.loopCores
        settings.descriptorLimit = settings.descriptorLimit &+ other.settings.descriptorLimit
        intervals = max(intervals, other.intervals)
        endMicroseconds = max(endMicroseconds, other.endMicroseconds)
        counts = counts + other.counts
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

    /// All shards of a run as one, as far as they have come; intervals may not be folded into it.
    ///
    /// - Parameter shards: With their indices.
    /// - Returns: Nil without any.
    package static func sum(of shards: [(index: Int, collector: RunCollector)]) -> RunCollector? {
        var sum: RunCollector?
        for shard in shards { sum.addInParallel(shard.collector.readyForOthers(shard: shard.index)) }
        return sum
    }

    /// Adds what only showed when shards were held against each other; they must be put together already.
    mutating func found(_ entry: FindingEntry, as key: FindingLedger.Key) {
        loops[0, default: LoopLedger()].found(entry, as: key)
    }

    /// Takes out viewers of a break whose pods turned out to be held against nobody's; shards must be put together already.
    mutating func leaveOut(_ pods: LeakedPods, of breakKey: String) { loops[0]?.leaveOut(pods, of: breakKey) }

    /// Takes out viewers that were due when the process was lost, and of whom nobody knows what became.
    ///
    /// - Returns: How many they were.
    @discardableResult
    package mutating func leaveOutUnresolved() -> UInt64 {
        var left: UInt64 = 0
        for loop in loops.keys { left &+= loops[loop]?.leaveOutUnresolved() ?? 0 }
        breakSums.leaveOut(due: left)
        return left
    }
}

extension RunCollector? {
    /// Adds a shard that is ready for others; the first one is the sum.
    mutating func addInParallel(_ ready: RunCollector) {
        if self == nil { self = ready } else { self?.addInParallel(ready) }
    }
}
