import Testing
import Transport
import Values

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
        sleeper.then = { token in if token == 1 { clock.wake(sleeper, at: .distantPast, token: 2) } }
        clock.wake(sleeper, at: Self.start &+ 50, token: 1)
        clock.wake(sleeper, at: Self.start &+ 50, token: 3)
        clock.run(until: .distantFuture)
        #expect(sleeper.woken.map(\.token) == [1, 2, 3])
        #expect(sleeper.woken.allSatisfy { $0.at == Self.start &+ 50 })
        #expect(clock.now == Self.start &+ 50)
    }

    @Test func aMillionAtOneInstantAreWokenInOrder() {
        let clock = VirtualClock(at: Self.start)
        let sleeper = Sleeper(clock)
        for token in 0..<1_000_000 { clock.wake(sleeper, at: Self.start, token: UInt64(token)) }
        clock.run(until: Self.start &+ 1)
        #expect(sleeper.woken.map(\.token).elementsEqual(0..<1_000_000))
    }

    @Test func timePassesToAnInstantWhateverElseIsDue() {
        let clock = VirtualClock(at: Self.start)
        let sleeper = Sleeper(clock)
        for after: Int64 in [5, 10, 11] { clock.wake(sleeper, at: Self.start &+ after, token: UInt64(after)) }
        clock.advance(to: Self.start &+ 10)
        #expect(sleeper.woken.map(\.token) == [5] && clock.now == Self.start &+ 10 && clock.defect == nil)
        clock.advance(to: Self.start &+ 20)
        #expect(sleeper.woken.map(\.token) == [5, 10, 11] && clock.now == Self.start &+ 20)
    }

    @Test func goingBackIsADefectAndChangesNothing() {
        let clock = VirtualClock(at: Self.start)
        clock.advance(to: Self.start &+ 10)
        clock.advance(to: Self.start &+ 4)
        #expect(clock.now == Self.start &+ 10)
        #expect(clock.defect == "the virtual clock was asked to go back by 6e-09 seconds")
    }

    @Test func aRunEndsWhenWhoWatchesItHasSeenEnough() {
        let clock = VirtualClock(at: Self.start)
        let sleeper = Sleeper(clock)
        for token: UInt64 in 1...3 { clock.wake(sleeper, at: Self.start &+ Int64(token), token: token) }
        clock.run(until: .distantFuture) { sleeper.woken.count < 2 }
        #expect(sleeper.woken.map(\.token) == [1, 2] && clock.now == Self.start &+ 2)
    }
}
