import Dispatch
import Foundation
import Recording
import RunResult
import Synchronization

/// Reads the journals of shards, several at once.
package enum ShardReading {
    /// What the journal of one shard gives.
    enum Part: Sendable {
        case done(DoneShard)
        /// Not a single interval was whole.
        case empty(ShardResult)
    }

    /// More would not be faster: each waits for its turn to be added, and takes memory meanwhile.
    private static let mostWorkers = 8

    /// One for each core.
    package static var usualWorkers: Int { min(ProcessInfo.processInfo.activeProcessorCount, mostWorkers) }

    /// Reads all, and hands over what each gives in the order of shards, so that sums do not depend on how many are read at
    /// once.
    ///
    /// Nobody reads a journal before what it read last was taken: memory holds one for each worker.
    ///
    /// - Parameters:
    ///   - shards: In the order in which they are taken.
    ///   - workers: How many are read at once.
    ///   - take: Called with one after the other, until one cannot be read.
    /// - Throws: `ShardJournals.Refusal` of the first shard that cannot be read.
    static func each(
        of shards: [ShardJournals.Shard],
        workers: Int,
        take: @Sendable (Part) -> Void
    ) throws(ShardJournals.Refusal) {
        let turns = (0...shards.count).map { _ in DispatchSemaphore(value: 0) }
        let next = Atomic(0)
        let refusal = Mutex<ShardJournals.Refusal?>(nil)
        turns[0].signal()
        DispatchQueue.concurrentPerform(iterations: max(1, min(workers, shards.count))) { _ in
            while true {
                let place = next.wrappingAdd(1, ordering: .relaxed).oldValue
                guard place < shards.count else { return }
                let isNeeded = refusal.withLock { $0 == nil }
                let part = isNeeded ? Result { () throws(ShardJournals.Refusal) in try read(shards[place]) } : nil
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

    private static func read(_ shard: ShardJournals.Shard) throws(ShardJournals.Refusal) -> Part {
        var emptied: JournalLines.Ending?
        for file in shard.files {
            do throws(JournalReadingError) {
                let run = try RecoveredRun(of: file, isBrief: true)
                return .done(DoneShard(run.checkpoint, index: shard.mark.index, recovered: mark(of: run)))
            } catch {
                guard case .empty(let ending) = error else {
                    throw ShardJournals.Refusal(problems: ["\(file.relativePath): \(error)"])
                }
                emptied = emptied ?? ending
            }
        }
        var result = ShardResult(missing: shard.mark.index)
        result.host = shard.header.settings.run.host
        result.state = .cutOff
        result.recovered = RecoveredMark(intervals: 0, droppedBytes: 0, reason: "\(emptied ?? .complete)")
        return .empty(result)
    }

    /// Nil where the journal says how the run ended.
    private static func mark(of run: RecoveredRun) -> RecoveredMark? {
        guard run.checkpoint.ending == nil || run.ending != .complete else { return nil }
        return RecoveredMark(
            intervals: run.checkpoint.intervals,
            droppedBytes: run.droppedBytes,
            reason: run.ending == .complete ? "its journal does not say that the run ended" : "\(run.ending)"
        )
    }
}
