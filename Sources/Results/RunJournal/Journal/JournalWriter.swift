import CLinux
import Dispatch
package import Foundation
import Glibc
import Synchronization

package protocol JournalInterval: Codable, Sendable {
    /// Whether more than the interval may be written now without disturbing a measurement.
    var isQuiet: Bool { get }
}

/// Writes on its own thread, so that no measurement waits for a disk; a checkpoint makes up for lost intervals.
package final class JournalWriter<State: JournalledState>: Sendable {
    private let queue = DispatchQueue(label: "podswarm.journal")
    private let desk: Mutex<JournalDesk>
    private let front: Mutex<JournalFront>
    private let keepsPace: Bool
    private let note: @Sendable (String) -> Void

    /// Begins a journal without waiting for the disk; intervals beyond `capacity` are lost.
    ///
    /// With `keepsPace`, for simulated time, each write ends before the next is begun: equal runs keep the same.
    package init(
        at wanted: URL,
        checkpoint: State,
        disk: ResultDisk = .ofThisMachine,
        capacity: Int = 30,
        pace: CheckpointPace = .usual,
        keepsPace: Bool = false,
        note: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        let header = try? JournalRecord(.header, JournalHeader())
        let record = header ?? JournalRecord(kind: .header, payload: Data())
        desk = Mutex(JournalDesk(wanted: wanted, header: record, disk: disk))
        front = Mutex(JournalFront(capacity: capacity, pace: pace))
        (self.note, self.keepsPace) = (note, keepsPace)
        queue.async { [self] in
            if let reason = failure(keeping: checkpoint) { tell { $0.fail(reason) } }
        }
    }

    /// `checkpoint` has the interval and is evaluated only if written; `kept` is called on the writing thread.
    package func append(
        _ interval: State.Interval,
        checkpoint: @autoclosure () -> State,
        kept: (@Sendable (Bool) -> Void)? = nil
    ) {
        keepPace()
        let (order, news) = front.withLock { $0.admit(isQuiet: interval.isQuiet) }
        news.map(note)
        guard let order else {
            // A disk that hangs must not make memory grow by what is lost.
            if let kept { queue.async { kept(false) } }
            return
        }
        let state = order == .interval ? nil : checkpoint()
        queue.async { [self] in
            let isKept = keep(order, interval, state)
            kept?(isKept)
            if order == .intervalAndCheckpoint, let state { sumUp(state) }
        }
    }

    /// Begins a new file with the next interval; the old one gets a number.
    package func rotate() { front.withLock { $0.rotates = true } }

    /// With `saysItEnded`, `checkpoint` is written without a gap too: intervals alone look the same after a crash.
    package func finish(checkpoint: State, saysItEnded: Bool = false) async -> JournalResult {
        await onQueue { writer in
            let hadGap = writer.front.withLock { $0.hasGap }
            if hadGap || saysItEnded {
                if let reason = writer.failure(keeping: checkpoint) {
                    if !hadGap { writer.tell { $0.fail(reason) } }
                } else {
                    writer.tell { $0.closeGap() }
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

    private func keepPace() { if keepsPace { queue.sync {} } }

    private func onQueue<Value: Sendable>(_ work: @escaping @Sendable (JournalWriter) -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: work(self)) }
        }
    }

    private func tell(_ news: (inout JournalFront) -> String?) { front.withLock { news(&$0) }.map(note) }

    private func keep(_ order: JournalFront.Order, _ interval: State.Interval, _ state: State?) -> Bool {
        do {
            try timed {
                if let state, order != .intervalAndCheckpoint { return try keep(state, rotates: order == .rotation) }
                let bytes = try desk.withLock { try $0.keep(interval: JournalRecord(.interval, interval)) }
                front.withLock { $0.wrote(.interval, bytes: bytes) }
            }
            tell { $0.kept() }
            return true
        } catch {
            let reason = error is JournalDesk.Gap ? nil : Self.words(for: error)
            tell { $0.lost(reason) }
            return false
        }
    }

    private func keep(_ state: State, rotates: Bool = false) throws {
        let record = try JournalRecord(.checkpoint, state)
        let (bytes, problem) = try desk.withLock { try $0.keep(checkpoint: record, anew: rotates) }
        front.withLock { $0.wrote(.checkpoint, bytes: bytes) }
        if let problem { note("The journal goes on in the same file: \(problem).") }
    }

    private func sumUp(_ state: State) {
        timed {
            let record = try? JournalRecord(.checkpoint, state)
            let bytes = record.flatMap { record in desk.withLock { $0.sumUp(record) } }
            front.withLock { $0.wrote(.checkpoint, bytes: bytes) }
        }
    }

    private func timed(_ work: () throws -> Void) rethrows {
        // In simulated time nothing takes time.
        guard !keepsPace else { return try work() }
        let start = Self.cpuMicroseconds
        defer {
            let spent = Self.cpuMicroseconds - start
            front.withLock { $0.result.cpuMicroseconds += spent }
        }
        try work()
    }

    private static var cpuMicroseconds: Int64 { podswarm_nanoseconds(CLOCK_THREAD_CPUTIME_ID) / 1_000 }

    private func failure(keeping state: State) -> String? {
        do {
            try timed { try keep(state) }
            return nil
        } catch {
            return Self.words(for: error)
        }
    }

    private static func words(for error: any Error) -> String {
        error is EncodingError ? "an interval cannot be written as JSON: \(error)" : "\(error)"
    }
}
