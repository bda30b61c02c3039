import Dispatch
package import Foundation
import Glibc
import Synchronization

package protocol JournalInterval: Encodable, Sendable {
    /// Whether more than the interval may be written now without disturbing a measurement.
    var isQuiet: Bool { get }
}

/// Writes on its own thread, so that no measurement waits for a disk; never ends a run.
///
/// Lost intervals are counted, and a later checkpoint contains them. Occasional checkpoints save a reader from folding all
/// intervals.
package final class JournalWriter<Checkpoint: Encodable & Sendable, Interval: JournalInterval>: Sendable {
    private let queue = DispatchQueue(label: "podswarm.journal")
    private let desk: Mutex<JournalDesk>
    private let front: Mutex<JournalFront>
    private let keepsPace: Bool
    private let note: @Sendable (String) -> Void

    /// Begins a journal without waiting for the disk; its name gets a number if `wanted` exists.
    ///
    /// `checkpoint` is the state before the first interval. Intervals beyond `capacity` are lost. With `keepsPace`, for
    /// simulated time, each write ends before the next is begun: equal runs lose and keep the same. `note` gets messages for the
    /// user, seldom on the caller's thread.
    package init(
        at wanted: URL,
        settings: some Encodable & Sendable,
        checkpoint: Checkpoint,
        disk: ResultDisk = .ofThisMachine,
        capacity: Int = 30,
        pace: CheckpointPace = .usual,
        keepsPace: Bool = false,
        note: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        let header = try? JournalCoding.payload(of: JournalHeader(settings: settings))
        let record = JournalRecord(kind: .header, payload: header ?? Data())
        desk = Mutex(JournalDesk(wanted: wanted, header: record, disk: disk, pace: pace))
        front = Mutex(JournalFront(capacity: capacity))
        self.note = note
        self.keepsPace = keepsPace
        write { [self] in
            let reason = failure { writer in try writer.timed { try writer.keep(checkpoint) } }
            if let reason { front.withLock { $0.fail(reason) }.map(note) }
        }
    }

    private func write(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }

    private func keepPace() { if keepsPace { queue.sync {} } }

    /// Waits only if `keepsPace`.
    ///
    /// `checkpoint` has the interval and is evaluated only if written. `kept` is called on the writing thread.
    package func append(
        _ interval: Interval,
        checkpoint: @autoclosure () -> Checkpoint,
        kept: (@Sendable (Bool) -> Void)? = nil
    ) {
        keepPace()
        let (order, news) = front.withLock { $0.admit(isQuiet: interval.isQuiet) }
        news.map(note)
        switch order {
        case .none: if let kept { write { kept(false) } }
        case .interval: enqueue(kept) { try $0.keep(interval) }
        case .intervalAndCheckpoint:
            let checkpoint = checkpoint()
            enqueue(kept) { try $0.keep(interval) }
            write { [self] in sumUp(checkpoint) }
        case .checkpoint:
            let checkpoint = checkpoint()
            enqueue(kept) { try $0.keep(checkpoint) }
        case .rotation:
            let checkpoint = checkpoint()
            enqueue(kept) { try $0.rotate(checkpoint) }
        }
    }

    /// Begins a new file with the next interval; the old one gets a number.
    package func rotate() { front.withLock { $0.rotates = true } }

    /// `checkpoint` goes into a journal with a gap; with `saysItEnded` into every one, because intervals alone look the same
    /// after a crash.
    package func finish(checkpoint: Checkpoint, saysItEnded: Bool = false) async -> JournalResult {
        await onQueue { writer in
            let hadGap = writer.front.withLock { $0.hasGap }
            if hadGap || saysItEnded {
                if let reason = writer.failure(of: { try $0.keep(checkpoint) }) {
                    if !hadGap { writer.front.withLock { $0.fail(reason) }.map(writer.note) }
                } else {
                    writer.front.withLock { $0.closeGap() }.map(writer.note)
                }
            }
            var result = writer.front.withLock { $0.result }
            (result.path, result.bytes) = writer.desk.withLock { ($0.url?.path, $0.bytes) }
            return result
        }
    }

    package var isIncomplete: Bool {
        keepPace()
        return front.withLock(\.hasGap)
    }

    package func remove() async { await onQueue { writer in writer.desk.withLock { $0.remove() } } }

    private func onQueue<Value: Sendable>(_ work: @escaping @Sendable (JournalWriter) -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: work(self)) }
        }
    }

    private func enqueue(
        _ kept: (@Sendable (Bool) -> Void)?,
        _ work: @escaping @Sendable (JournalWriter) throws -> Void
    ) {
        write { [self] in
            var isKept = false
            let news: String?
            do {
                try timed { try work(self) }
                isKept = true
                let wish = desk.withLock { $0.wish }
                news = front.withLock { $0.kept(wish: wish) }
            } catch {
                let reason = error is JournalDesk.Gap ? nil : Self.words(for: error)
                news = front.withLock { $0.lost(reason) }
            }
            news.map(note)
            kept?(isKept)
        }
    }

    private func timed(_ work: () throws -> Void) rethrows {
        // In simulated time nothing takes time.
        guard !keepsPace else { return try work() }
        let start = Self.cpuMicroseconds
        defer {
            let spent = Self.cpuMicroseconds - start
            front.withLock { $0.spent(cpuMicroseconds: spent) }
        }
        try work()
    }

    private static var cpuMicroseconds: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
    }

    private func keep(_ interval: Interval) throws {
        try desk.withLock { try $0.keep(interval: JournalCoding.payload(of: interval)) }
    }

    private func keep(_ checkpoint: Checkpoint) throws {
        let payload = try JournalCoding.payload(of: checkpoint)
        try desk.withLock { try $0.keep(checkpoint: payload) }
    }

    private func sumUp(_ checkpoint: Checkpoint) {
        timed {
            let payload = try? JournalCoding.payload(of: checkpoint)
            desk.withLock { $0.sumUp(payload) }
        }
        let wish = desk.withLock { $0.wish }
        front.withLock { $0.granted(wish: wish) }
    }

    private func rotate(_ checkpoint: Checkpoint) throws {
        let payload = try JournalCoding.payload(of: checkpoint)
        if let error = try desk.withLock({ try $0.rotate(checkpoint: payload) }) {
            note("The journal goes on in the same file: \(error).")
        }
    }

    private func failure(of work: (JournalWriter) throws -> Void) -> String? {
        do {
            try work(self)
            return nil
        } catch {
            return Self.words(for: error)
        }
    }

    private static func words(for error: any Error) -> String {
        error is EncodingError ? "an interval cannot be written as JSON: \(error)" : "\(error)"
    }
}
