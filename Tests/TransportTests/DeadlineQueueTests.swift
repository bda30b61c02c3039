import TestSupport
import Testing
import Values

@testable import Transport

@Suite struct DeadlineQueueTests {
    @Test func aDeadlineBeyondTheClockNeverComes() {
        var queue = DeadlineQueue(timeout: .max)
        queue.start(1, at: Instant(nanoseconds: 5))
        #expect(queue.earliest?.nanoseconds == .max)
        #expect(expired(&queue, at: .max - 1) == [])
    }

    @Test func aStallIsGivenBackToTheSlotsWhoseTimeRanThen() {
        var queue = DeadlineQueue(timeout: 10)
        // From 100 to 120 the loop is kept from its work.
        for (slot, at) in [(1, 95), (2, 105), (3, 120), (4, 121)] as [(Int32, Int64)] {
            queue.start(slot, at: Instant(nanoseconds: at))
        }
        queue.postpone(by: 20, until: Instant(nanoseconds: 120))
        let expirations = [124, 125, 129, 130, 131].map { expired(&queue, at: $0) }
        #expect(expirations == [[], [1], [], [2, 3], [4]])
    }

    /// Slots with one timeout for all, in their order, and slots with timeouts of their own.
    @Test(arguments: 1...20 as ClosedRange<UInt64>, [[20], [20, 5, 60]] as [[Int64]])
    func queuesAgreeWithAList(seed: UInt64, timeouts: [Int64]) {
        var generator = SeededGenerator(seed: seed)
        var queues = DeadlineQueues(timeout: 20)
        var model: [(slot: Int32, deadline: Instant)] = []
        var now = Instant.zero
        for _ in 0..<500 {
            now = now.later(by: Int64.random(in: 0..<5, using: &generator))
            let slot = Int32.random(in: 0..<12, using: &generator)
            switch UInt8.random(in: 0..<3, using: &generator) {
            case 0:
                let timeout = timeouts.randomElement(using: &generator) ?? 20
                queues.start(slot, at: now, timeout: timeout)
                model.removeAll { $0.slot == slot }
                model.append((slot, now.later(by: timeout)))
            case 1:
                queues.remove(slot)
                model.removeAll { $0.slot == slot }
            default:
                var popped: [Int32] = []
                while let slot = queues.popExpired(at: now) { popped.append(slot) }
                let expected = model.filter { $0.deadline <= now }.map(\.slot)
                #expect(timeouts.count == 1 ? popped == expected : Set(popped) == Set(expected), "seed \(seed)")
                model.removeAll { $0.deadline <= now }
            }
            #expect(queues.earliest == model.map(\.deadline).min(), "seed \(seed)")
        }
    }

    private func expired(_ queue: inout DeadlineQueue, at now: Int64) -> [Int32] {
        var slots: [Int32] = []
        while let slot = queue.popExpired(at: Instant(nanoseconds: now)) { slots.append(slot) }
        return slots
    }
}
