import Glibc
import Synchronization
import Testing
import Transport
import Values

/// Collects what a loop tells, and wakes the test that waits for a number of entries.
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

/// A loop, its journal, and pipes that close with it.
final class LoopFixture: Sendable {
    struct Pipe: Sendable {
        let reader: Int32
        let writer: Int32

        func send() { write(writer, "x", 1) }
    }

    let loop: EventLoop
    let journal = Journal()
    private let pipes = Mutex<[Pipe]>([])

    private init(spin: Duration) throws { loop = try EventLoop(label: "test", spin: spin) }

    @discardableResult static func run<Outcome>(spin: Duration = .zero, _ body: (LoopFixture) async throws -> Outcome)
        async throws -> Outcome
    {
        let fixture = try LoopFixture(spin: spin)
        let outcome = try await body(fixture)
        await fixture.shutDown()
        fixture.pipes.withLock { pipes in for pipe in pipes { for end in [pipe.reader, pipe.writer] { close(end) } } }
        return outcome
    }

    func pipe() throws -> Pipe {
        var ends: [Int32] = [-1, -1]
        try #require(Glibc.pipe(&ends) == 0)
        let pipe = Pipe(reader: ends[0], writer: ends[1])
        pipes.withLock { $0.append(pipe) }
        return pipe
    }

    @discardableResult func onLoop<Value: Sendable>(_ work: @escaping @Sendable (EventLoop, Journal) throws -> Value)
        async throws -> Value
    {
        try await withCheckedThrowingContinuation { continuation in
            loop.execute { [loop, journal] in continuation.resume(with: Result { try work(loop, journal) }) }
        }
    }

    func entries(_ count: Int) async throws -> [String] {
        await withCheckedContinuation { continuation in
            loop.execute { [journal] in journal.wait(for: count, continuation) }
        }
        return try await onLoop { $1.entries }
    }

    func watchError(_ descriptor: Int32) async throws -> EventLoopError? {
        try await onLoop { loop, journal in
            do throws(EventLoopError) {
                try loop.watch(descriptor, for: .readable, journal)
                return nil
            } catch { return error }
        }
    }

    func shutDown() async { await withCheckedContinuation { continuation in loop.shutDown { continuation.resume() } } }
}
