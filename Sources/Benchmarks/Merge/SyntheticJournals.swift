import Dispatch
import Foundation
import Glibc
import RunJournal
import RunResult
import Synchronization

/// The journals that the shards of a run leave, in a folder.
struct SyntheticJournals {
    let folder: URL
    /// Of all of them together.
    private(set) var bytes: Int64 = 0
    /// Processor time that writing them took.
    private(set) var cpuMicroseconds: Int64 = 0
    private let run: SyntheticRun

    /// Makes them, on all cores.
    init(of run: SyntheticRun, in folder: URL) throws {
        self.folder = folder
        self.run = run
        let outcome = Mutex<Result<[JournalResult], any Error>?>(nil)
        let ended = DispatchSemaphore(value: 0)
        Task {
            do {
                let results = try await Self.write(run, in: folder)
                outcome.withLock { $0 = .success(results) }
            } catch {
                outcome.withLock { $0 = .failure(error) }
            }
            ended.signal()
        }
        ended.wait()
        for journal in try outcome.withLock({ try $0?.get() }) ?? [] {
            bytes += journal.bytes
            cpuMicroseconds += journal.cpuMicroseconds
        }
        // A writer lets go of its file a moment after it has said that all is written.
        while JournalFolder.runs(in: folder).contains(where: \.isBeingWritten) { usleep(1_000) }
    }

    private static func write(_ run: SyntheticRun, in folder: URL) async throws -> [JournalResult] {
        let polls = SyntheticShard.Polls(of: run)
        return try await withThrowingTaskGroup(of: JournalResult.self) { group in
            var results: [JournalResult] = []
            for shard in 0..<run.shards {
                if shard >= ProcessInfo.processInfo.activeProcessorCount, let result = try await group.next() {
                    results.append(result)
                }
                group.addTask { try await write(shard, of: run, polls, in: folder) }
            }
            for try await result in group { results.append(result) }
            return results
        }
    }

    private static func write(
        _ index: Int,
        of run: SyntheticRun,
        _ polls: SyntheticShard.Polls,
        in folder: URL
    ) async throws -> JournalResult {
        var shard = SyntheticShard(index, of: run, polls: polls)
        let journal = RunJournalWriter(
            at: folder.appending(path: "shard-\(index).journal"),
            settings: run.settings(of: index),
            checkpoint: shard.collector,
            disk: unsynced,
            capacity: .max
        )
        for _ in 0..<run.seconds {
            let interval = shard.next()
            journal.append(interval, checkpoint: shard.collector)
        }
        let result = await journal.finish(checkpoint: shard.collector.ended(shard.ending()), saysItEnded: true)
        guard result.intervalsKept == run.seconds, result.error == nil else {
            throw BenchmarkError.file("\(folder.path): \(result.error ?? "\(result.intervalsLost) intervals are lost")")
        }
        return result
    }

    /// What is lost with the machine need not be waited for.
    private static let unsynced = JournalDisk(
        write: JournalDisk.ofThisMachine.write,
        sync: { _ in 0 },
        truncate: JournalDisk.ofThisMachine.truncate
    )

    /// Takes the last record from each, which says how the run ended.
    func cutOff() throws {
        for shard in 0..<run.shards {
            let file = folder.appending(path: "shard-\(shard).journal")
            var lines = try JournalLines.opened(file)
            var ends: [Int64] = []
            while lines.next() != nil { ends.append(lines.wholeBytes) }
            guard let end = ends.dropLast().last, truncate(file.path, off_t(end)) == 0 else {
                throw BenchmarkError.file("\(file.path): its last record cannot be taken away")
            }
        }
    }
}
