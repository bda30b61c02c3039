import Foundation
import Synchronization
import TestSupport

@testable import Results

/// A run against a journal in a folder of its own.
struct JournalBench<State: JournalledState & Equatable> {
    private let lent: TemporaryFolder
    private let notes = Notes()
    let writer: JournalWriter<State>
    private(set) var state: State

    init(
        _ state: State,
        disk: ResultDisk = .withoutSync,
        capacity: Int = 1_000,
        pace: CheckpointPace = .usual
    ) throws {
        lent = try TemporaryFolder()
        self.state = state
        let notes = notes
        writer = JournalWriter(
            at: lent.file("run.journal"),
            checkpoint: state,
            disk: disk,
            capacity: capacity,
            pace: pace,
            note: { notes.add($0) }
        )
    }

    var folder: URL { lent.url }
    var journal: URL { lent.file("run.journal") }
    var bytes: Data { get throws { try Data(contentsOf: journal) } }
    var told: [String] { notes.all }
    var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted() }

    /// Hands an interval over, and says whether it came to lie on the disk.
    @discardableResult mutating func append(_ interval: State.Interval) async -> Bool {
        state.fold(interval)
        let state = state
        return await withCheckedContinuation { continuation in
            writer.append(interval, checkpoint: state) { continuation.resume(returning: $0) }
        }
    }

    /// Hands an interval over and does not ask what became of it.
    mutating func hand(over interval: State.Interval) {
        state.fold(interval)
        writer.append(interval, checkpoint: state)
    }

    mutating func append(_ intervals: some Sequence<State.Interval>) async {
        for interval in intervals { await append(interval) }
    }

    @discardableResult func finish() async -> JournalResult { await writer.finish(checkpoint: state) }

    /// What a crash at this instant would leave, under another name because the writer holds its own locked.
    func copy(_ name: String = "copy.journal", of original: String = "run.journal") throws -> URL {
        try lent.write(Data(contentsOf: lent.file(original)), to: name)
        return lent.file(name)
    }
}

extension JournalBench<TinyRun.State> {
    init(disk: ResultDisk = .withoutSync, capacity: Int = 1_000, pace: CheckpointPace = .usual) throws {
        try self.init(TinyRun.State(), disk: disk, capacity: capacity, pace: pace)
    }
}

extension JournalBench<RunCollector> {
    /// The journal of a run with these settings.
    init(_ settings: CollectorSettings, pace: CheckpointPace = .usual) throws {
        try self.init(RunCollector(settings), pace: pace)
    }
}

extension ResultDisk {
    /// The disk of this machine for tests that do not pull its plug, and are not to wait for it.
    static let withoutSync = ResultDisk(
        write: ResultDisk.ofThisMachine.write,
        sync: { _ in 0 },
        truncate: ResultDisk.ofThisMachine.truncate
    )
}

/// What a journal said, from whatever thread.
final class Notes: Sendable {
    private let lines = Mutex<[String]>([])

    func add(_ line: String) { lines.withLock { $0.append(line) } }

    var all: [String] { lines.withLock { $0 } }
}
