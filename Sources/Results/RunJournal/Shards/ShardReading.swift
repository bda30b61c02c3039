import Dispatch
import Foundation
import Synchronization

package enum ShardReading {
    /// More would not be faster: each waits for its turn to be added and uses memory meanwhile.
    private static let mostWorkers = 8

    package static var usualWorkers: Int { min(ProcessInfo.processInfo.activeProcessorCount, mostWorkers) }

    /// Takes in the order of shards, so that sums do not depend on `workers`, of which each holds one journal.
    static func each(
        of shards: [ShardJournals.Shard],
        workers: Int,
        take: @Sendable (DoneShard) -> Void
    ) throws(Problems) {
        let turns = (0...shards.count).map { _ in DispatchSemaphore(value: 0) }
        let next = Atomic(0)
        let refusal = Mutex<Problems?>(nil)
        turns[0].signal()
        DispatchQueue.concurrentPerform(iterations: max(1, min(workers, shards.count))) { _ in
            while true {
                let place = next.wrappingAdd(1, ordering: .relaxed).oldValue
                guard place < shards.count else { return }
                let isNeeded = refusal.withLock { $0 == nil }
                let part = isNeeded ? Result { () throws(Problems) in try read(shards[place]) } : nil
                turns[place].wait()
                defer { turns[place + 1].signal() }
                guard let part, refusal.withLock({ $0 == nil }) else { continue }
                switch part {
                case .success(let part): take(part)
                case .failure(let error): refusal.withLock { $0 = error }
                }
            }
        }
        if let refusal = refusal.withLock(\.self) { throw refusal }
    }

    private static func read(_ shard: ShardJournals.Shard) throws(Problems) -> DoneShard {
        if shard.files.isEmpty, !shard.run.checkpoint.isEmpty { return done(shard.run, shard) }
        var emptied: JournalLines.Ending?
        for file in shard.files {
            do throws(JournalReadingError) {
                return done(try RecoveredRun(of: file), shard)
            } catch {
                guard case .empty(let ending) = error else { throw Problems(["\(file.relativePath): \(error)"]) }
                emptied = emptied ?? ending
            }
        }
        var result = ShardResult(missing: shard.mark.index)
        result.host = shard.settings.run.host
        result.state = .cutOff
        result.recovered = RecoveredMark(intervals: 0, droppedBytes: 0, reason: "\(emptied ?? shard.run.ending)")
        return DoneShard(empty: result)
    }

    private static func done(_ run: RecoveredRun, _ shard: ShardJournals.Shard) -> DoneShard {
        DoneShard(run.checkpoint, index: shard.mark.index, droppedBytes: run.droppedBytes, journal: run.ending)
    }
}

struct DoneShard: Sendable {
    let result: ShardResult
    let ending: RunEnding?
    /// nil without a whole interval.
    let ready: RunCollector?

    init(empty result: ShardResult) { (self.result, ending, ready) = (result, nil, nil) }

    /// The journal may end before its run did.
    init(_ shard: RunCollector, index: Int, droppedBytes: Int64 = 0, journal: JournalLines.Ending = .complete) {
        let ending = journal == .complete ? shard.ending : nil
        var ready = shard.readyForOthers(shard: index)
        let left = ending?.interrupted == false ? 0 : ready.leaveOutUnresolved()
        let end: ShardResult.State = ending?.abortedBy == nil ? .ended : .aborted
        var result = ShardResult(
            index: index,
            state: ending == nil ? .cutOff : ending?.interrupted == true ? .interrupted : end,
            run: shard.settings.run,
            endedAtMicroseconds: ending?.endedAtMicroseconds ?? shard.endedAtMicroseconds,
            totals: ready.totals,
            health: shard.health,
            ownFailure: ending?.ownFailure
        )
        result.unresolvedLeftOut = left > 0 ? left : nil
        result.abortedBy = ending?.abortedBy
        if ending == nil {
            let reason = journal == .complete ? "its journal does not say that the run ended" : "\(journal)"
            result.recovered = RecoveredMark(intervals: shard.intervals, droppedBytes: droppedBytes, reason: reason)
        }
        (self.result, self.ending, self.ready) = (result, ending, ready)
    }
}
