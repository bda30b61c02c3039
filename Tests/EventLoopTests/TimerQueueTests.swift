import TestSupport
import Testing
import Values

@testable import Transport

/// Ignores what it is told: the queue only stores it.
private final class SilentHandler: TimerHandler { func timerFired(token: UInt64, deadline: Instant) {} }

// Here a moment is a small number.
extension TimerQueue {
    fileprivate mutating func schedule(at nanoseconds: Int64, token: UInt64, handler: any TimerHandler) -> TimerID {
        schedule(at: Instant(nanoseconds: nanoseconds), token: token, handler: handler)
    }

    fileprivate mutating func popDue(at nanoseconds: Int64) -> Due? { popDue(at: Instant(nanoseconds: nanoseconds)) }
}

@Suite struct TimerQueueTests {
    private let handler = SilentHandler()

    private func drain(_ queue: inout TimerQueue, at now: Int64) -> [UInt64] {
        var tokens: [UInt64] = []
        while let due = queue.popDue(at: now) { tokens.append(due.token) }
        return tokens
    }

    private func earliest(_ queue: inout TimerQueue) -> Int64? { queue.earliest()?.nanoseconds }

    private func cancel(_ queue: inout TimerQueue, _ id: TimerID) -> Bool { queue.cancel(id) }

    @Test func cancellingAnIDThatFiredOrWasCancelledOrNeverWasDoesNothing() {
        var queue = TimerQueue()
        let id = queue.schedule(at: 1, token: 1, handler: handler)
        #expect(!cancel(&queue, .none))
        #expect(drain(&queue, at: 1) == [1])
        #expect(!cancel(&queue, id))
        let reused = queue.schedule(at: 2, token: 2, handler: handler)
        #expect(reused.slot == id.slot)
        #expect(!cancel(&queue, id), "an old name must not cancel the slot's next timer")
        #expect(cancel(&queue, reused))
        #expect(!cancel(&queue, reused))
    }

    @Test func manyCancelledTimersDoNotStayInMemory() {
        var queue = TimerQueue()
        let kept = queue.schedule(at: .max, token: 0, handler: handler)
        for round in 0..<50 {
            let ids = (0..<1000).map { queue.schedule(at: Int64($0), token: UInt64(round), handler: handler) }
            for id in ids { queue.cancel(id) }
        }
        #expect(queue.count == 1)
        #expect(queue.storedEntries <= 2048)
        #expect(cancel(&queue, kept))
    }

    /// Timers fire by deadline, equal ones in the order scheduled, none early and none that was cancelled.
    @Test(arguments: 1...20) func itAgreesWithASortedList(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var queue = TimerQueue()
        var model: [(deadline: Int64, order: Int, id: TimerID, token: UInt64)] = []
        var order = 0
        for _ in 0..<500 {
            switch UInt8.random(in: 0..<4, using: &generator) {
            case 0, 1:
                let deadline = Int64.random(in: 0..<50, using: &generator)
                let id = queue.schedule(at: deadline, token: UInt64(order), handler: handler)
                model.append((deadline, order, id, UInt64(order)))
                order += 1
            case 2:
                guard let victim = model.indices.randomElement(using: &generator) else { continue }
                #expect(cancel(&queue, model[victim].id), "seed \(seed)")
                model.remove(at: victim)
            default:
                let now = Int64.random(in: 0..<50, using: &generator)
                let expected = model.filter { $0.deadline <= now }.sorted {
                    ($0.deadline, $0.order) < ($1.deadline, $1.order)
                }
                #expect(drain(&queue, at: now) == expected.map(\.token), "seed \(seed)")
                model.removeAll { $0.deadline <= now }
            }
            #expect(queue.count == model.count, "seed \(seed)")
            #expect(earliest(&queue) == model.map(\.deadline).min(), "seed \(seed)")
        }
    }

    @Test func whatIsScheduledForThePastOfARoundWaitsForItsEnd() {
        var queue = TimerQueue()
        for token in 1...3 { _ = queue.schedule(at: 10, token: UInt64(token), handler: handler) }
        queue.beginRound(at: Instant(nanoseconds: 10))
        let first = queue.popDue(at: 10)
        #expect(first?.token == 1)
        let past = queue.schedule(at: .min, token: 4, handler: handler)
        _ = queue.schedule(at: 10, token: 5, handler: handler)
        _ = queue.schedule(at: 11, token: 6, handler: handler)
        let cancelled = queue.schedule(at: 0, token: 7, handler: handler)
        #expect(cancel(&queue, cancelled))
        #expect(drain(&queue, at: 10) == [2, 3])
        #expect(queue.count == 3)
        queue.endRound()
        #expect(earliest(&queue) == .min)
        #expect(drain(&queue, at: 11) == [4, 5, 6])
        #expect(!cancel(&queue, past))
    }

    @Test(arguments: 1...5) func thousandsOfTimersComeOutSorted(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var queue = TimerQueue()
        var expected: [(deadline: Int64, token: UInt64)] = []
        for token in 0..<UInt64(5000) {
            let deadline = Int64.random(in: -1000...1000, using: &generator)
            let id = queue.schedule(at: deadline, token: token, handler: handler)
            if token % 3 == 0 { queue.cancel(id) } else { expected.append((deadline, token)) }
        }
        expected.sort { ($0.deadline, $0.token) < ($1.deadline, $1.token) }
        #expect(drain(&queue, at: .max) == expected.map(\.token), "seed \(seed)")
        #expect(queue.count == 0)
    }

    @Test func aTimerLetsGoOfItsHandlerWhenItFiresOrIsCancelled() {
        var queue = TimerQueue()
        weak var observed: SilentHandler?
        do {
            let handler = SilentHandler()
            observed = handler
            _ = queue.schedule(at: 1, token: 1, handler: handler)
            queue.cancel(queue.schedule(at: 2, token: 2, handler: handler))
        }
        #expect(observed != nil)
        #expect(drain(&queue, at: 1) == [1])
        #expect(observed == nil)
    }
}
