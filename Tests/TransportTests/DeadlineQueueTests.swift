import TestSupport
import Testing
import Time

@testable import Transport

// Here a moment is a small number.
extension DeadlineQueue {
    fileprivate mutating func start(_ slot: Int32, at nanoseconds: Int64) {
        start(slot, at: Instant(nanoseconds: nanoseconds))
    }
}

@Suite struct DeadlineQueueTests {
    @Test func slotsExpireInTheOrderTheyStarted() {
        var queue = DeadlineQueue(timeout: 10)
        queue.start(3, at: 100)
        queue.start(0, at: 101)
        queue.start(7, at: 105)
        #expect(queue.earliest?.nanoseconds == 110)
        #expect(expired(&queue, at: 109) == [])
        #expect(expired(&queue, at: 111) == [3, 0])
        #expect(queue.earliest?.nanoseconds == 115)
        #expect(expired(&queue, at: .max) == [7])
        #expect(queue.earliest?.nanoseconds == nil)
    }

    @Test func startingAgainMovesASlotToTheEnd() {
        var queue = DeadlineQueue(timeout: 10)
        queue.start(1, at: 0)
        queue.start(2, at: 1)
        queue.start(1, at: 2)
        #expect(expired(&queue, at: 100) == [2, 1])
    }

    @Test func aDeadlineBeyondTheClockNeverComes() {
        var queue = DeadlineQueue(timeout: .max)
        queue.start(1, at: 5)
        #expect(queue.earliest?.nanoseconds == .max)
        #expect(expired(&queue, at: .max - 1) == [])
    }

    @Test func aStallIsGivenBackToTheSlotsWhoseTimeRanThen() {
        var queue = DeadlineQueue(timeout: 10)
        queue.start(1, at: 95)
        // From 100 to 120 the loop is kept from its work.
        queue.start(2, at: 105)
        queue.start(3, at: 120)
        queue.start(4, at: 121)
        queue.postpone(by: 20, until: Instant(nanoseconds: 120))
        #expect(expired(&queue, at: 124) == [])
        #expect(expired(&queue, at: 125) == [1])
        #expect(expired(&queue, at: 129) == [])
        #expect(expired(&queue, at: 130) == [2, 3])
        #expect(expired(&queue, at: 131) == [4])
    }

    @Test(arguments: 1...20) func itAgreesWithAList(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var queue = DeadlineQueue(timeout: 20)
        var model: [(slot: Int32, deadline: Int64)] = []
        var now: Int64 = 0
        for _ in 0..<500 {
            now += Int64.random(in: 0..<5, using: &generator)
            let slot = Int32.random(in: 0..<12, using: &generator)
            switch UInt8.random(in: 0..<3, using: &generator) {
            case 0:
                queue.start(slot, at: now)
                model.removeAll { $0.slot == slot }
                model.append((slot, now + 20))
            case 1:
                queue.remove(slot)
                model.removeAll { $0.slot == slot }
            default:
                #expect(expired(&queue, at: now) == model.filter { $0.deadline <= now }.map(\.slot), "seed \(seed)")
                model.removeAll { $0.deadline <= now }
            }
            #expect(queue.earliest?.nanoseconds == model.first?.deadline, "seed \(seed)")
        }
    }

    private func expired(_ queue: inout DeadlineQueue, at now: Int64) -> [Int32] {
        var slots: [Int32] = []
        while let slot = queue.popExpired(at: Instant(nanoseconds: now)) { slots.append(slot) }
        return slots
    }
}
