import Foundation
import RunJournal
import RunResult
import Synchronization
import TestSupport

/// The smallest run that a journal can be kept of: intervals are numbers, and the state is their sum and count.
enum TinyRun {
    struct Settings: Codable, Equatable, Sendable {
        var name = "tiny"
    }

    struct State: Codable, Equatable, Sendable {
        var count = 0
        var sum = 0
        var last = ""

        mutating func fold(_ interval: Interval) {
            count += 1
            sum &+= interval.amount
            last = interval.text
        }

        func folding(_ intervals: some Sequence<Interval>) -> State {
            intervals.reduce(into: self) { $0.fold($1) }
        }
    }

    struct Interval: Codable, Equatable, JournalInterval {
        var amount: Int
        var text: String

        var isQuiet: Bool { text != "busy" }
    }

    typealias Writer = JournalWriter<State, Interval>
    typealias Recovered = RecoveredJournal<Settings, State>

    static func intervals(_ count: Int, seed: UInt64) -> [Interval] {
        var generator = SeededGenerator(seed: seed)
        return (0..<count).map { _ in
            let text = (0..<Int.random(in: 0..<40, using: &generator)).map { _ in
                Character(Unicode.Scalar(UInt8.random(in: 1..<128, using: &generator)))
            }
            return Interval(amount: Int.random(in: -1_000_000...1_000_000, using: &generator), text: String(text))
        }
    }

    static func recover(_ file: URL, isBrief: Bool = false) throws(JournalReadingError) -> Recovered {
        try Recovered(contentsOf: file, intervals: Interval.self, isBrief: isBrief) { $0.fold($1) }
    }
}

/// Runs a tiny run against a journal in a folder of its own.
struct JournalBench: ~Copyable {
    let folder: URL
    let writer: TinyRun.Writer
    private(set) var state = TinyRun.State()
    private let notes = Notes()

    init(
        disk: JournalDisk = .withoutSync,
        capacity: Int = 1_000,
        pace: CheckpointPace = .usual,
        in folder: URL? = nil
    ) throws {
        let own = folder ?? FileManager.default.temporaryDirectory.appending(path: "podswarm-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
        self.folder = own
        let notes = notes
        writer = TinyRun.Writer(
            at: own.appending(path: "run.journal"),
            settings: TinyRun.Settings(),
            checkpoint: state,
            disk: disk,
            capacity: capacity,
            pace: pace,
            note: { notes.add($0) }
        )
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    var journal: URL { folder.appending(path: "run.journal") }
    var told: [String] { notes.all }
    var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted() }

    /// Hands an interval over, and says whether it came to lie on the disk.
    @discardableResult mutating func append(_ interval: TinyRun.Interval) async -> Bool {
        state.fold(interval)
        let state = state
        return await withCheckedContinuation { continuation in
            writer.append(interval, checkpoint: state) { continuation.resume(returning: $0) }
        }
    }

    /// Hands an interval over and does not ask what became of it.
    mutating func hand(over interval: TinyRun.Interval) {
        state.fold(interval)
        writer.append(interval, checkpoint: state)
    }

    mutating func append(_ intervals: [TinyRun.Interval]) async {
        for interval in intervals { await append(interval) }
    }

    @discardableResult func finish() async -> JournalResult {
        await writer.finish(checkpoint: state)
    }

    /// What a crash at this instant would leave, under another name because the writer holds its own locked.
    func copy(_ name: String = "copy.journal", of original: String = "run.journal") throws -> URL {
        let copy = folder.appending(path: name)
        try Data(contentsOf: folder.appending(path: original)).write(to: copy)
        return copy
    }
}

extension JournalDisk {
    /// The disk of this machine for tests that do not pull its plug, and are not to wait for it.
    static let withoutSync = JournalDisk(
        write: JournalDisk.ofThisMachine.write,
        sync: { _ in 0 },
        truncate: JournalDisk.ofThisMachine.truncate
    )
}

/// What a journal said, from whatever thread.
final class Notes: Sendable {
    private let lines = Mutex<[String]>([])

    func add(_ line: String) { lines.withLock { $0.append(line) } }

    var all: [String] { lines.withLock { $0 } }
}
