import Foundation
import Rendezvous
import Synchronization
import TestSupport
import Testing
import Time

/// A place's clock is told within the bound that is said, whatever its stamps and the way to it are like.
@Suite struct PlaceTripTests {
    /// A place whose clock is ahead of this machine's and moves in ticks; each trip to it takes a while, and so does each rest.
    private final class TickingPlace: RendezvousPlace {
        private struct State {
            var chance: SeededGenerator
            var now: Int64 = 1_000_000_000
            var trips = 0
        }

        let ahead: Int64
        let tick: Int64
        /// Of a hundred stamps those that come a whole tick late.
        let late: Int
        /// What the clock is put forward by, after half of the trips.
        let jump: Int64
        private let state: Mutex<State>

        init(seed: UInt64, ahead: Int64, tick: Int64, late: Int = 0, jump: Int64 = 0) {
            (self.ahead, self.tick, self.late, self.jump) = (ahead, tick, late, jump)
            state = Mutex(State(chance: SeededGenerator(seed: seed)))
        }

        func now() -> Instant { Instant(nanoseconds: state.withLock(\.now)) }

        func rest(_ duration: Duration) { state.withLock { $0.now += duration.wholeMicroseconds * 1_000 } }

        func time() -> PlaceTime {
            state.withLock { state in
                state.trips += 1
                // The way there and the way back are not alike.
                state.now += Int64.random(in: 5_000...300_000, using: &state.chance)
                let isLate = Int.random(in: 0..<100, using: &state.chance) < late
                let wall = state.now + ahead + (state.trips > PlaceClock.trips / 2 ? jump : 0) - (isLate ? tick : 0)
                let stamp = tick > 0 ? wall - wall % tick : wall
                state.now += Int64.random(in: 5_000...100_000, using: &state.chance)
                return PlaceTime(wall: WallTime(microseconds: stamp / 1_000), granularity: .nanoseconds(tick))
            }
        }

        func put(_ content: Data, in group: String, as name: String) -> Bool { true }

        func list(_ group: String, after name: String?) -> RendezvousListing {
            RendezvousListing(entries: [], isWhole: true)
        }

        /// How far what was measured is from the truth, and how far it says that it may be; in microseconds.
        func measured() async throws -> (error: Int64, bound: Int64) {
            let clock = try await PlaceClock.measured(by: self, now: { self.now() }, rest: { self.rest($0) })
            let now = self.now()
            let truth = (now.nanoseconds + ahead + jump) / 1_000
            return (abs(clock.reading(at: now).microseconds - truth), clock.bound.wholeMicroseconds)
        }
    }

    @Test(arguments: 0..<200 as Range<UInt64>) func theTruthIsWithinTheBound(seed: UInt64) async throws {
        let ahead = (Int64(seed % 7) - 3) * 100_000_000
        let exact = try await TickingPlace(seed: seed, ahead: ahead, tick: 0).measured()
        #expect(exact.error <= exact.bound + 1 && exact.bound < 203)
        let ticking = try await TickingPlace(seed: seed, ahead: ahead, tick: 4_000_000).measured()
        #expect(ticking.error <= ticking.bound + 1 && ticking.bound < 2_200)
    }

    /// A tick that came late says less than the truth, and mostly less than others prove; by how much it is off where
    /// nothing contradicts it, is little.
    @Test(arguments: 0..<200 as Range<UInt64>) func lateTicksAreFound(seed: UInt64) async throws {
        let late = try await TickingPlace(seed: seed, ahead: 77_000_000, tick: 4_000_000, late: 10).measured()
        #expect(late.error <= max(late.bound, 1_000) && late.bound < 2_400)
    }

    /// A clock that jumps while it is looked at is off by no more than the jump.
    @Test(arguments: 0..<50 as Range<UInt64>) func aJumpInTheMiddleIsNoMoreThanTheJump(seed: UInt64) async throws {
        let jumping = try await TickingPlace(seed: seed, ahead: 0, tick: 0, jump: 2_000_000_000).measured()
        #expect(jumping.error <= 2_000_000 + 203)
    }
}
