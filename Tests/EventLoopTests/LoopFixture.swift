import EventLoop
import Glibc
import Testing
import Time

/// Collects what a loop tells, and wakes whoever waits for a number of entries.
///
/// `@unchecked Sendable`: `entries` and `waiter` are touched on the loop only.
final class Journal: TimerHandler, ReadinessHandler, TurnHandler, @unchecked Sendable {
    var entries: [String] = []
    var onTimer: ((UInt64) -> Void)?
    var onReady: ((Int32, Readiness) -> Void)?
    /// Called at the end of the next turn, once.
    var onTurn: (() -> Void)?
    var extraTurns = 0
    private var waiter: (count: Int, continuation: CheckedContinuation<Void, Never>)?

    func note(_ entry: String) {
        entries.append(entry)
        guard let waiter, entries.count >= waiter.count else { return }
        self.waiter = nil
        waiter.continuation.resume()
    }

    func wait(for count: Int, _ continuation: CheckedContinuation<Void, Never>) {
        guard entries.count < count else {
            continuation.resume()
            return
        }
        waiter = (count, continuation)
    }

    func timerFired(token: UInt64, deadline: Instant) {
        onTimer?(token)
        note("timer \(token)")
    }

    func descriptorReady(_ descriptor: Int32, _ readiness: Readiness) {
        onReady?(descriptor, readiness)
        note("ready \(readiness.rawValue)")
    }

    func turnEnded() -> Bool {
        if let onTurn {
            self.onTurn = nil
            onTurn()
        }
        guard extraTurns > 0 else { return false }
        extraTurns -= 1
        note("turn")
        return extraTurns > 0
    }
}

/// A loop, a journal, and a pipe whose ends close with it.
struct LoopFixture: Sendable {
    let loop: EventLoop
    let journal = Journal()

    init(spin: Duration = .zero) throws {
        loop = try EventLoop(label: "test", index: 0, spin: spin)
    }

    @discardableResult
    func onLoop<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            loop.execute { continuation.resume(with: Result { try work() }) }
        }
    }

    func entries(_ count: Int) async throws -> [String] {
        await withCheckedContinuation { continuation in
            loop.execute { [journal] in journal.wait(for: count, continuation) }
        }
        return try await onLoop { [journal] in journal.entries }
    }

    func registrationError(_ descriptor: Int32) async throws -> EventLoopError? {
        try await onLoop { [loop, journal] in
            do throws(EventLoopError) {
                _ = try loop.register(descriptor: descriptor, interest: .readable, handler: journal)
                return nil
            } catch {
                return error
            }
        }
    }

    func shutDown() async {
        await withCheckedContinuation { continuation in loop.shutDown { continuation.resume() } }
    }
}

func makePipe() throws -> (reader: Int32, writer: Int32) {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    return (ends[0], ends[1])
}
