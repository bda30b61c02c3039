import Dispatch
import Synchronization
import Transport

/// Makes a value that is confined to a loop reachable from other threads.
///
/// `@unchecked Sendable`: each access checks that it is on the loop.
final class LoopBound<Value>: @unchecked Sendable {
    let loop: any LoopClock
    private var confined: Value

    /// Call on the loop.
    init(_ value: Value, loop: any LoopClock) {
        loop.assertOnLoop()
        self.loop = loop
        confined = value
    }

    var value: Value {
        get {
            loop.assertOnLoop()
            return confined
        }
        set {
            loop.assertOnLoop()
            confined = newValue
        }
    }

    /// Returns once the work has called its second argument, or patience has ended.
    func wait(
        _ patience: LoopPatience,
        _ work: @escaping @Sendable (Value, _ done: @escaping () -> Void) -> Void
    ) async {
        await withCheckedContinuation { continuation in
            let wait = patience.begin { continuation.resume() }
            loop.execute { work(self.value) { if patience.claim(wait) { continuation.resume() } } }
        }
    }

    /// nil where patience ended before the loop began the work, which is then left out.
    func read<Result: Sendable>(
        _ patience: LoopPatience,
        _ body: @escaping @Sendable (Value) -> Result
    ) async -> Result? {
        await withCheckedContinuation { continuation in
            let wait = patience.begin {
                patience.note(silent: self.loop.label)
                continuation.resume(returning: nil)
            }
            loop.execute { if patience.claim(wait) { continuation.resume(returning: body(self.value)) } }
        }
    }
}

/// Ends the waits for loops that hold a run beyond its time; safe to use from any thread.
final class LoopPatience: Sendable {
    private struct State {
        var isOver = false
        var begun = 0
        var open: [Int: @Sendable () -> Void] = [:]
        var silentLoop: String?
    }

    private let state = Mutex(State())

    /// Time of an idle loop to answer after the end.
    private static let grace = DispatchTimeInterval.milliseconds(200)

    var silentLoop: String? { state.withLock { $0.silentLoop } }

    /// The first counts.
    func note(silent loop: String) { state.withLock { $0.silentLoop = $0.silentLoop ?? loop } }

    /// Returns the number of a wait, which ends by `claim` or by a call of `giveUp`.
    func begin(_ giveUp: @escaping @Sendable () -> Void) -> Int {
        let (number, isOver) = state.withLock { state in
            state.begun += 1
            state.open[state.begun] = giveUp
            return (state.begun, state.isOver)
        }
        if isOver {
            DispatchQueue.global().asyncAfter(deadline: .now() + Self.grace) {
                if self.claim(number) { giveUp() }
            }
        }
        return number
    }

    /// False where the wait has ended.
    func claim(_ number: Int) -> Bool { state.withLock { $0.open.removeValue(forKey: number) != nil } }

    func end() {
        let open = state.withLock { state in
            defer { state.open = [:] }
            state.isOver = true
            return state.open
        }
        for giveUp in open.values { giveUp() }
    }
}
