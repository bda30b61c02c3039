import Swarm
import Testing
import Time

@Suite struct PollSlotsTests {
    @Test(arguments: [
        (1, 5_000_000, 5_000_000), (1, 5_000_001, 6_000_000), (1, 5_999_999, 6_000_000), (4, 5_000_000, 8_000_000),
        (0, 5_000_001, 5_000_001), (-1, 5_000_001, 5_000_001),
    ])
    func aPollIsPutOffToTheNextSlot(milliseconds: Int, wanted: Int64, slot: Int64) {
        let slots = PollSlots(length: .milliseconds(milliseconds))
        #expect(slots.slot(for: Instant(nanoseconds: wanted)) == Instant(nanoseconds: slot))
    }

    /// A slot must not turn what never comes, or has come already, into something else.
    @Test(arguments: [Instant.zero, .distantPast, .distantFuture]) func whatHasNoInstantHasNoSlot(instant: Instant) {
        #expect(PollSlots(length: .milliseconds(7)).slot(for: instant) == instant)
    }

    @Test func theLastSlotOfTheClockDoesNotTrap() {
        let slots = PollSlots(length: .milliseconds(100))
        #expect(slots.slot(for: Instant(nanoseconds: .max - 1)) >= Instant(nanoseconds: .max - 1))
    }

    /// A cadence of whole slots stays what it is: nothing is put off a second time.
    @Test func aCadenceDoesNotDrift() {
        let slots = PollSlots(length: .milliseconds(1))
        let first = slots.slot(for: Instant(nanoseconds: 1_234_567))
        for seconds in 1...100 {
            let next = first.later(by: .seconds(seconds))
            #expect(slots.slot(for: next) == next)
        }
    }
}
