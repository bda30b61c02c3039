import EventLoop
import Testing
import Time

/// The virtual clock fires timers in order and never goes back.
struct VirtualClockTests {
    private final class Sleeper: TimerHandler {
        private(set) var woken: [(token: UInt64, at: Instant)] = []
        private let clock: VirtualClock
        /// What it does when it is woken.
        var then: (UInt64) -> Void = { _ in }

        init(_ clock: VirtualClock) { self.clock = clock }

        func timerFired(token: UInt64, deadline: Instant) {
            woken.append((token, clock.now))
            then(token)
        }
    }

    private static let start = Instant(nanoseconds: 1_000)

    @Test func theEarliestComesFirstAndEqualOnesAsTheyAsked() {
        let clock = VirtualClock(at: Self.start)
        let sleeper = Sleeper(clock)
        for (token, after) in [(1, 30), (2, 10), (3, 30), (4, 20)] {
            clock.wake(sleeper, at: Self.start &+ Int64(after), token: UInt64(token))
        }
        clock.run(until: Self.start &+ 30)
        #expect(sleeper.woken.map(\.token) == [2, 4])
        clock.run(until: .distantFuture)
        #expect(sleeper.woken.map(\.token) == [2, 4, 1, 3])
        #expect(sleeper.woken.map(\.at) == [10, 20, 30, 30].map { Self.start &+ $0 })
    }

    @Test func thePastIsAtOnceAndTimeDoesNotGoBack() {
        let clock = VirtualClock(at: Self.start)
        let sleeper = Sleeper(clock)
        sleeper.then = { token in
            if token == 1 { clock.wake(sleeper, at: .distantPast, token: 2) }
        }
        clock.wake(sleeper, at: Self.start &+ 50, token: 1)
        clock.wake(sleeper, at: Self.start &+ 50, token: 3)
        clock.run(until: .distantFuture)
        #expect(sleeper.woken.map(\.token) == [1, 2, 3])
        #expect(sleeper.woken.allSatisfy { $0.at == Self.start &+ 50 })
        #expect(clock.now == Self.start &+ 50)
    }

    @Test func aHundredThousandAtOneInstantAreWokenInOrder() {
        let clock = VirtualClock(at: Self.start)
        let sleeper = Sleeper(clock)
        for token in 0..<100_000 { clock.wake(sleeper, at: Self.start, token: UInt64(token)) }
        clock.run(until: Self.start &+ 1)
        #expect(sleeper.woken.map(\.token).elementsEqual(0..<100_000))
    }
}
