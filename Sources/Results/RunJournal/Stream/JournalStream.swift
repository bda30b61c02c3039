import Foundation
import Synchronization
import Values

/// Streams a shard's journal through the meeting place; never fails a run and never makes one wait.
///
/// The joined pieces are a journal. While the place does not answer, intervals wait; a checkpoint replaces them if they become
/// too many.
package final class JournalStream: IntervalSink {
    package struct Timing: Sendable {
        package var period = Duration.seconds(1)
        /// Before the next attempt, if the place did not answer.
        package var pause = Duration.seconds(1)
        /// For the last piece, after the run.
        package var patience = Duration.seconds(30)

        /// Limits the number of pieces of long runs.
        package static func forRun(lasting duration: Duration) -> Timing {
            Timing(period: min(max(duration / 3_600, .seconds(1)), .seconds(10)))
        }
    }

    private let timing: Timing
    private let backlog: JournalBacklog
    /// Whether the end was sent.
    private let sending: Task<Bool, Never>

    package init(to place: any RendezvousPlace, shard: Int, settings: CollectorSettings, timing: Timing = Timing()) {
        let backlog = JournalBacklog(RunCollector(settings))
        let group = JournalPieces.group(ofShard: shard)
        sending = Task {
            do {
                var pieces = try JournalPieces()
                while true {
                    let isLast = try pieces.append(backlog.take())
                    for piece in pieces.take() {
                        guard await backlog.put(piece, in: group, of: place, timing.pause) else { return false }
                    }
                    if isLast || Task.isCancelled { return isLast }
                    await backlog.rest(timing.period)
                }
            } catch {
                backlog.fail("its records cannot be written as JSON: \(error)")
            }
            return false
        }
        (self.timing, self.backlog) = (timing, backlog)
    }

    package func telling(_ interval: RunInterval, of collector: RunCollector) -> @Sendable (_ isKept: Bool) -> Void {
        backlog.add(interval, of: collector)
        return { _ in }
    }

    package func rotate() {}

    /// Sends the ending and waits until it has arrived or the patience is over.
    package func finish(_ checkpoint: RunCollector) async {
        backlog.state.withLock { $0.batch.end = checkpoint }
        let giveUp = Task { [sending, timing] in
            try await Task.sleep(for: timing.patience)
            sending.cancel()
        }
        let isTold = await sending.value
        giveUp.cancel()
        if !isTold {
            let trouble = backlog.state.withLock(\.trouble) ?? "\(timing.patience) were not enough"
            backlog.fail("the rendezvous does not answer: \(trouble)")
        }
    }

    package var problems: [String] {
        backlog.state.withLock(\.failure).map {
            ["Followers of this shard miss its end: \($0). Its own journal has all."]
        } ?? []
    }
}

/// A checkpoint stands in place of too many intervals.
private final class JournalBacklog: Sendable {
    struct Batch: Sendable {
        /// State before the intervals; nil if already sent.
        var checkpoint: RunCollector?
        var intervals: [RunInterval] = []
        /// Nothing follows the end.
        var end: RunCollector?
    }

    struct State {
        var batch: Batch
        /// Reason why nothing more is accepted.
        var failure: String?
        var trouble: String?
    }

    private static let capacity = 120

    let state: Mutex<State>

    init(_ checkpoint: RunCollector) { state = Mutex(State(batch: Batch(checkpoint: checkpoint))) }

    func add(_ interval: RunInterval, of collector: RunCollector) {
        state.withLock { state in
            guard state.failure == nil else { return }
            if state.batch.intervals.count < Self.capacity {
                state.batch.intervals.append(interval)
            } else {
                state.batch = Batch(checkpoint: collector)
            }
        }
    }

    func take() -> Batch {
        state.withLock { state in
            defer { state.batch = Batch() }
            return state.batch
        }
    }

    func fail(_ reason: String) {
        state.withLock { $0 = State(batch: Batch(), failure: $0.failure ?? reason, trouble: $0.trouble) }
    }

    /// False if cancelled; a taken name is from a put whose answer was lost.
    func put(
        _ piece: RendezvousListing.Entry,
        in group: String,
        of place: any RendezvousPlace,
        _ pause: Duration
    ) async -> Bool {
        while !Task.isCancelled {
            do {
                _ = try await place.put(piece.content, in: group, as: piece.name)
                state.withLock { $0.trouble = nil }
                return true
            } catch {
                state.withLock { $0.trouble = "\(error)" }
                try? await Task.sleep(for: pause)
            }
        }
        return false
    }

    /// Returns early at the end of the run.
    func rest(_ period: Duration) async {
        let clock = ContinuousClock()
        let end = clock.now + period
        while state.withLock({ $0.batch.end == nil }), !Task.isCancelled, clock.now < end {
            try? await clock.sleep(for: min(period, .milliseconds(50)))
        }
    }
}

/// Pieces are named in their order.
package struct JournalPieces {
    package static func group(ofShard index: Int) -> String { "journal-\(index)" }

    private var bytes = Data()
    private var checksum: UInt32 = 0
    private var number = 0

    init() throws { try append(.header, JournalHeader()) }

    private mutating func append(_ kind: JournalRecord.Kind, _ value: some Encodable) throws {
        bytes.append(contentsOf: try JournalRecord(kind, value).line(continuing: &checksum))
    }

    /// Returns whether the batch is the last.
    fileprivate mutating func append(_ batch: JournalBacklog.Batch) throws -> Bool {
        if let checkpoint = batch.checkpoint { try append(.checkpoint, checkpoint) }
        for interval in batch.intervals { try append(.interval, interval) }
        if let end = batch.end { try append(.checkpoint, end) }
        return batch.end != nil
    }

    /// Each piece must be put, or later ones cannot be read.
    mutating func take() -> [RendezvousListing.Entry] {
        var pieces: [RendezvousListing.Entry] = []
        var rest = bytes[...]
        bytes = Data()
        while !rest.isEmpty {
            pieces.append(.init(name: Self.name(number), content: Data(rest.prefix(RendezvousListing.longestContent))))
            rest = rest.dropFirst(RendezvousListing.longestContent)
            number += 1
        }
        return pieces
    }

    /// Zero-padded, so that names sort as numbers.
    private static func name(_ number: Int) -> String { String(number).leftPadded(to: 10) }
}
