import Foundation
import Rehearsal
import Synchronization
import TestSupport
import Testing
import Transport
import Values

@testable import Results

/// A place that says the time only, on a clock of the test's own: each way to it and back takes as long as is told.
private final class DistantClock: RendezvousPlace {
    struct Trip {
        var there, back: Int64
        /// Whether the clock's reading is a whole tick old.
        var isLate = false
    }

    private struct State {
        var now: Int64 = 1_000_000_000
        var offset: Int64
        var trips = 0
    }

    private let state: Mutex<State>
    /// Nanoseconds by which it moves at once.
    private let tick: Int64
    private let jump: (afterTrips: Int, nanoseconds: Int64)?
    private let trip: @Sendable (Int) -> Trip

    init(
        offset: Int64 = 1_764_000_000_300_000_000,
        tick: Int64 = 1_000,
        jump: (afterTrips: Int, nanoseconds: Int64)? = nil,
        trip: @escaping @Sendable (Int) -> Trip
    ) {
        state = Mutex(State(offset: offset))
        (self.tick, self.jump, self.trip) = (tick, jump, trip)
    }

    /// With trips of uneven lengths, of which some read a late tick.
    convenience init(
        seed: UInt64,
        tick: Int64 = 1_000,
        latePercent: Int = 0,
        jump: (afterTrips: Int, nanoseconds: Int64)? = nil
    ) {
        let chance = Mutex(SeededGenerator(seed: seed))
        self.init(tick: tick, jump: jump) { _ in
            chance.withLock { chance in
                let there = Int64.random(in: 5_000...300_000, using: &chance)
                let back = Int64.random(in: 5_000...100_000, using: &chance)
                return Trip(there: there, back: back, isLate: Int.random(in: 0..<100, using: &chance) < latePercent)
            }
        }
    }

    var now: Instant { Instant(nanoseconds: state.withLock(\.now)) }
    var trips: Int { state.withLock(\.trips) }
    /// What its clock reads, in nanoseconds since the Unix epoch.
    var truth: Int64 { state.withLock { $0.now + $0.offset } }

    func pass(_ duration: Duration) { state.withLock { $0.now += duration.nanosecondsHeld } }

    func time() throws(RendezvousError) -> PlaceTime {
        state.withLock { state in
            let trip = trip(state.trips)
            state.trips += 1
            state.now += trip.there
            let reading = (state.now + state.offset) / tick * tick - (trip.isLate ? tick : 0)
            state.now += trip.back
            if state.trips == jump?.afterTrips { state.offset += jump?.nanoseconds ?? 0 }
            return PlaceTime(wall: WallTime(microseconds: reading / 1_000), granularity: .nanoseconds(tick))
        }
    }

    func put(_ content: Data, in group: String, as name: String) throws(RendezvousError) -> Bool { false }

    func list(_ group: String, after name: String?) throws(RendezvousError) -> RendezvousListing {
        RendezvousListing(entries: [], isWhole: true)
    }

    func measured() async throws -> PlaceClock {
        try await PlaceClock.measured(by: self, now: { self.now }, rest: { self.pass($0) })
    }

    /// Microseconds by which a measured clock is off, and by how many it says that it may be.
    func error(of clock: PlaceClock) -> (off: Int64, bound: Int64) {
        (abs(clock.reading(at: now).microseconds - truth / 1_000), clock.bound.wholeMicroseconds)
    }
}

@Suite struct PlaceClockTests {
    private static let epoch: Int64 = 1_764_000_000_000_000_000

    /// However long either way takes and however coarse the clock is, the truth lies within what is claimed.
    @Test(arguments: 0..<400) func theTruthLiesWithinTheBound(seed: Int) async throws {
        var chance = SplitMix64(seed: UInt64(seed))
        let tick: Int64 = [1_000, 1_000, 4_000_000, 10_000_000, 1_000_000_000][seed % 5]
        let ways = (0..<PlaceClock.trips).map { _ in
            DistantClock.Trip(
                there: Int64(chance.next() % 9_000_000),
                back: Int64(chance.next() % (seed.isMultiple(of: 2) ? 90_000 : 9_000_000))
            )
        }
        let offset = Self.epoch + Int64(chance.next() % 600_000_000) - 300_000_000
        let place = DistantClock(offset: offset, tick: tick) { ways[$0 % ways.count] }
        let clock = try await place.measured()
        let error = clock.reading(at: place.now).microseconds - place.truth / 1_000
        #expect(abs(error) <= clock.bound.wholeMicroseconds + 1, "off by \(error) us, claimed \(clock.bound)")
        // What all trips allow is no wider than the shortest one.
        let shortest = ways.map { $0.there + $0.back }.min() ?? 0
        #expect(clock.bound <= .nanoseconds((shortest + tick) / 2 + 3_000))
        place.pass(.seconds(60))
        let later = clock.reading(at: place.now).microseconds - place.truth / 1_000
        #expect(abs(later - error) <= 1)
        #expect(abs(clock.moment(of: clock.reading(at: place.now)) &- place.now) <= 1_000)
    }

    /// Trips that tell another part of a coarse clock's step each tell more together than one of them.
    @Test func aCoarseClockIsToldMoreNarrowlyThanItsStep() async throws {
        let place = DistantClock(tick: 4_000_000) { _ in .init(there: 50_000, back: 50_000) }
        let clock = try await place.measured()
        #expect(clock.bound < .milliseconds(1))
    }

    @Test func aClockThatJumpsMeanwhileIsToldByTheShortestTrip() async throws {
        let place = DistantClock(jump: (8, 5_000_000_000)) { trip in
            .init(there: trip == 12 ? 100_000 : 900_000, back: 100_000)
        }
        let error = place.error(of: try await place.measured())
        #expect(error.off <= error.bound + 1 && error.bound < 1_000)
    }

    @Test(arguments: 0..<50 as Range<UInt64>) func aJumpInTheMiddleIsNoMoreThanTheJump(seed: UInt64) async throws {
        let place = DistantClock(seed: seed, jump: (PlaceClock.trips / 2, 2_000_000_000))
        #expect(place.error(of: try await place.measured()).off <= 2_000_000 + 203)
    }

    /// A tick that came late says less than the truth, and mostly less than others prove; where nothing contradicts it, the
    /// error is small.
    @Test(arguments: 0..<200 as Range<UInt64>) func lateTicksAreFound(seed: UInt64) async throws {
        let place = DistantClock(seed: seed, tick: 4_000_000, latePercent: 10)
        let error = place.error(of: try await place.measured())
        #expect(error.off <= max(error.bound, 1_000) && error.bound < 2_400)
    }

    @Test func aPlaceThatIsSlowIsNotAskedForLong() async throws {
        let place = DistantClock { _ in .init(there: 2_000_000_000, back: 1_000_000) }
        let error = place.error(of: try await place.measured())
        #expect(place.trips < 4)
        #expect(error.off <= error.bound + 1)
    }

    @Test func aPlaceOutOfReachTellsNothing() async throws {
        let place = MemoryPlace()
        place.isReachable = false
        await #expect(throws: RendezvousError.self) { try await ShardTimekeeper.measured(by: place) }
    }
}

@Suite struct ShardTimekeeperTests {
    @Test(arguments: [-300, 0, 300, 86_400_000]) func anOffsetIsMeasuredWithinItsBound(milliseconds: Int64) async throws
    {
        let place = MemoryPlace()
        place.clockOffset = .milliseconds(milliseconds)
        let began = MonotonicClock.now()
        let keeper = try await ShardTimekeeper.measured(by: place)
        // The wall clock is read within that time, beside the monotonic one.
        let elapsed = (MonotonicClock.now() &- began) / 1_000 + 2
        let (offset, bound) = (keeper.facts.start.offsetMicroseconds, keeper.facts.start.boundMicroseconds)
        #expect(bound > 0)
        #expect(abs(offset - milliseconds * 1_000) <= bound + elapsed, "\(offset) ±\(bound)")
        let (now, before, after) = Self.bracketed { keeper.now().microseconds - milliseconds * 1_000 }
        #expect((before - bound - 2...after + bound + 2).contains(now))
        let (wall, earliest, latest) = Self.bracketed { keeper.reading().wall - offset }
        #expect((earliest...latest).contains(wall))
        let start = keeper.now() + .seconds(15)
        let timebase = keeper.timebase(start: start)
        #expect(timebase.wallStart == start && keeper.clock.reading(at: timebase.start) == start)
    }

    /// Reading of a place's clock, between two of this machine's wall clock.
    private static func bracketed(_ read: () -> Int64) -> (reading: Int64, before: Int64, after: Int64) {
        let before = MonotonicClock.wallMicroseconds()
        let reading = read()
        return (reading, before, MonotonicClock.wallMicroseconds())
    }

    @Test func theEndIsMeasuredWhereThePlaceStillAnswers() async throws {
        let place = MemoryPlace()
        place.clockOffset = .milliseconds(300)
        let keeper = try await ShardTimekeeper.measured(by: place)
        let end = try #require(await keeper.factsAtEnd(by: place).end)
        let drift = try #require(end.driftMicroseconds)
        #expect(abs(drift) <= keeper.facts.start.boundMicroseconds + end.boundMicroseconds + 100)
        place.isReachable = false
        let facts = await keeper.factsAtEnd(by: place)
        #expect(facts.end == nil && facts.start == keeper.facts.start)
    }

    /// The kernel of every machine that runs this says something.
    @Test func theKernelSaysHowWellItsClockIsKept() throws {
        let clock = try #require(KernelClock.now())
        #expect(clock.maximumErrorMicroseconds >= 0)
    }
}
