import HLS
import NIOCore
import Synchronization

/// Holds requests back until an instant; all that wait for one instant share a timer.
///
/// Safe for any thread.
final class HeldAnswers: Sendable {
    private struct Waiter {
        let number: UInt64
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct Waiting {
        var last: UInt64 = 0
        /// Keys are instants in microseconds; waiters are in order of arrival.
        var queues: [Int64: [Waiter]] = [:]
        var cancelled: Set<UInt64> = []
    }

    private let waiting = Mutex(Waiting())

    /// Returns at `instant`, which is `remaining` from now, or at once if the task is cancelled.
    func wait(until instant: WallTime, remaining: Duration, on loop: any EventLoop) async {
        guard remaining > .zero else { return }
        let number = waiting.withLock { waiting in
            waiting.last += 1
            return waiting.last
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                enqueue(Waiter(number: number, continuation: continuation), instant, remaining, loop)
            }
        } onCancel: {
            cancel(number, instant)
        }
        waiting.withLock { _ = $0.cancelled.remove(number) }
    }

    private func enqueue(_ waiter: Waiter, _ instant: WallTime, _ remaining: Duration, _ loop: any EventLoop) {
        let isFirst = waiting.withLock { waiting -> Bool? in
            guard waiting.cancelled.remove(waiter.number) == nil else { return nil }
            let isFirst = waiting.queues[instant.microseconds] == nil
            waiting.queues[instant.microseconds, default: []].append(waiter)
            return isFirst
        }
        guard let isFirst else { return waiter.continuation.resume() }
        guard isFirst else { return }
        loop.scheduleTask(in: .microseconds(remaining.wholeMicroseconds)) { self.release(instant) }
    }

    private func release(_ instant: WallTime) {
        let queue = waiting.withLock { $0.queues.removeValue(forKey: instant.microseconds) } ?? []
        for waiter in queue { waiter.continuation.resume() }
    }

    private func cancel(_ number: UInt64, _ instant: WallTime) {
        let waiter = waiting.withLock { waiting -> Waiter? in
            guard let place = waiting.queues[instant.microseconds]?.firstIndex(where: { $0.number == number }) else {
                waiting.cancelled.insert(number)
                return nil
            }
            return waiting.queues[instant.microseconds]?.remove(at: place)
        }
        waiter?.continuation.resume()
    }
}
