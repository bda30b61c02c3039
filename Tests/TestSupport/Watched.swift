import Synchronization

/// A value that one side of a test changes while the other waits for it.
package final class Watched<Value: Sendable>: Sendable {
    private struct State {
        var value: Value
        var waiters: [Int: (condition: @Sendable (Value) -> Bool, continuation: CheckedContinuation<Void, Never>)] = [:]
        var nextWaiter = 0
    }

    private let state: Mutex<State>

    package init(_ value: Value) { state = Mutex(State(value: value)) }

    package var value: Value { state.withLock(\.value) }

    /// Changes the value and wakes those whose condition holds now.
    @discardableResult
    package func change<Outcome: Sendable>(_ body: (inout Value) -> Outcome) -> Outcome {
        let (outcome, ready) = state.withLock { state in
            let outcome = body(&state.value)
            let ready = state.waiters.filter { $0.value.condition(state.value) }
            for waiter in ready.keys { state.waiters[waiter] = nil }
            return (outcome, ready.values.map(\.continuation))
        }
        for continuation in ready { continuation.resume() }
        return outcome
    }

    /// Returns as soon as the condition holds.
    package func wait(until condition: @escaping @Sendable (Value) -> Bool) async throws {
        let number = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if condition(state.value) || Task.isCancelled { return true }
                    state.waiters[number] = (condition, continuation)
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: number)?.continuation }?.resume()
        }
        guard condition(value) else { throw CancellationError() }
    }
}
