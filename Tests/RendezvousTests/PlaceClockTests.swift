import Chance
import EventLoop
import Foundation
import Rendezvous
import RendezvousClient
import RunResult
import Synchronization
import TestSupport
import Testing
import Time

/// A place that says the time only, on a clock of the test's own: each way to it and back takes as long as is told.
private final class DistantClock: RendezvousPlace {
    struct Trip {
        var there: Int64
        var back: Int64
    }

    private struct State {
        var now: Int64 = 1_000_000_000
        var offset: Int64
        var trips = 0
    }

    private let state: Mutex<State>
    /// Nanoseconds by which it moves at once.
    private let tick: Int64
    private let trip: @Sendable (Int) -> Trip

    init(offset: Int64, tick: Int64 = 1_000, trip: @escaping @Sendable (Int) -> Trip) {
        state = Mutex(State(offset: offset))
        self.tick = tick
        self.trip = trip
    }

    var now: Instant { Instant(nanoseconds: state.withLock(\.now)) }
    var trips: Int { state.withLock(\.trips) }
    /// What its clock reads, in nanoseconds since the Unix epoch.
    var truth: Int64 { state.withLock { $0.now + $0.offset } }

    func jump(by nanoseconds: Int64) { state.withLock { $0.offset += nanoseconds } }
    func pass(_ duration: Duration) { state.withLock { $0.now += duration.nanosecondsHeld } }

    func time() throws(RendezvousError) -> PlaceTime {
        state.withLock { state in
            let trip = trip(state.trips)
            state.trips += 1
            state.now += trip.there
            let reading = (state.now + state.offset) / tick * tick
            state.now += trip.back
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
        let place = DistantClock(offset: Self.epoch + 300_000_000, tick: 4_000_000) { _ in
            .init(there: 50_000, back: 50_000)
        }
        let clock = try await place.measured()
        #expect(clock.bound < .milliseconds(1))
    }

    @Test func aClockThatJumpsMeanwhileIsToldByTheShortestTrip() async throws {
        let jumping = Mutex<DistantClock?>(nil)
        let place = DistantClock(offset: Self.epoch) { trip in
            .init(there: trip == 12 ? 100_000 : 900_000, back: 100_000)
        }
        jumping.withLock { $0 = place }
        let clock = try await PlaceClock.measured(
            by: place,
            now: {
                if place.trips == 8 { jumping.withLock { ($0.take())?.jump(by: 5_000_000_000) } }
                return place.now
            },
            rest: { place.pass($0) }
        )
        #expect(
            abs(clock.reading(at: place.now).microseconds - place.truth / 1_000) <= clock.bound.wholeMicroseconds + 1
        )
        #expect(clock.bound < .milliseconds(1))
    }

    @Test func aPlaceThatIsSlowIsNotAskedForLong() async throws {
        let place = DistantClock(offset: Self.epoch) { _ in .init(there: 2_000_000_000, back: 1_000_000) }
        let clock = try await place.measured()
        #expect(place.trips < 4)
        #expect(
            abs(clock.reading(at: place.now).microseconds - place.truth / 1_000) <= clock.bound.wholeMicroseconds + 1
        )
    }

    @Test func aPlaceOutOfReachTellsNothing() async throws {
        let place = MemoryPlace()
        place.isReachable = false
        await #expect(throws: RendezvousError.self) { try await ShardTimekeeper.measured(by: place) }
    }
}

/// A place whose clock is off this machine's, and far away in one direction more than in the other.
private struct OffsetPlace: RendezvousPlace {
    let offset: Duration
    let place = MemoryPlace()

    func time() async throws(RendezvousError) -> PlaceTime {
        try? await Task.sleep(for: .microseconds(500))
        let wall = WallTime(microseconds: MonotonicClock.wallMicroseconds()) + offset
        try? await Task.sleep(for: .milliseconds(5))
        guard place.isReachable else { throw RendezvousError("out of reach") }
        return PlaceTime(wall: wall, granularity: .microseconds(1))
    }

    func put(_ content: Data, in group: String, as name: String) throws(RendezvousError) -> Bool { false }

    func list(_ group: String, after name: String?) throws(RendezvousError) -> RendezvousListing {
        try place.list(group, after: name)
    }
}

@Suite struct ShardTimekeeperTests {
    @Test(arguments: [-300, 0, 300, 86_400_000]) func anOffsetIsMeasuredWithinItsBound(milliseconds: Int64) async throws
    {
        let place = OffsetPlace(offset: .milliseconds(milliseconds))
        let keeper = try await ShardTimekeeper.measured(by: place)
        let (offset, bound) = (keeper.facts.start.offsetMicroseconds, keeper.facts.start.boundMicroseconds)
        // The way there is a tenth of the way back: half of what is between them is the least that cannot be told.
        #expect(bound > 0)
        // Two readings of this machine's own clocks are some microseconds apart.
        let slack: Int64 = 100
        #expect(abs(offset - milliseconds * 1_000) <= bound + slack, "\(offset) ±\(bound)")
        #expect(keeper.correction == .microseconds(offset))
        let off = keeper.now().microseconds - MonotonicClock.wallMicroseconds() - milliseconds * 1_000
        #expect(off <= bound + slack, "time passes between the two readings")
        let reading = keeper.reading()
        let start = WallTime(microseconds: reading.wall) + .seconds(15)
        let timebase = keeper.timebase(start: start)
        #expect(timebase.wallStart == start)
        let until = timebase.start &- reading.monotonic
        #expect(abs(until - 15_000_000_000) <= 2 * slack * 1_000)
    }

    @Test func theEndIsMeasuredWhereThePlaceStillAnswers() async throws {
        let place = OffsetPlace(offset: .milliseconds(300))
        let keeper = try await ShardTimekeeper.measured(by: place)
        let end = try #require(await keeper.factsAtEnd(by: place).end)
        let drift = try #require(end.driftMicroseconds)
        #expect(abs(drift) <= keeper.facts.start.boundMicroseconds + end.boundMicroseconds + 100)
        place.place.isReachable = false
        let facts = await keeper.factsAtEnd(by: place)
        #expect(facts.end == nil && facts.start == keeper.facts.start)
    }

    /// The kernel of every machine that runs this says something.
    @Test func theKernelSaysHowWellItsClockIsKept() throws {
        let clock = try #require(KernelClock.now())
        #expect(clock.maximumErrorMicroseconds >= 0)
    }
}
