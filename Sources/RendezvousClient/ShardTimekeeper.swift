package import EventLoop
package import Rendezvous
package import RunResult
package import Time

/// A shard's time: that of the place where the shards meet, counted by this machine's monotonic clock.
///
/// So neither an offset of the machine's wall clock nor a jump of it moves what the shard does.
package struct ShardTimekeeper: Sendable {
    /// As it was measured.
    package let clock: PlaceClock
    /// What was measured, for the result.
    package let facts: ShardClock
    /// What is added to this machine's wall clock.
    package var correction: Duration { .microseconds(facts.start.offsetMicroseconds) }

    /// Holds this machine's clock against the place's.
    ///
    /// - Parameter place: Where the shards meet.
    /// - Returns: What came of it.
    /// - Throws: `RendezvousError` where the place does not answer.
    package static func measured(by place: any RendezvousPlace) async throws(RendezvousError) -> ShardTimekeeper {
        let clock = try await measure(place)
        return ShardTimekeeper(clock, offset: offset(of: clock), kernel: KernelClock.now())
    }

    private init(_ clock: PlaceClock, offset: Int64, kernel: KernelClock?) {
        self.clock = clock
        facts = ShardClock(
            start: .init(offsetMicroseconds: offset, boundMicroseconds: clock.bound.wholeMicroseconds),
            isSynchronised: kernel?.isSynchronised,
            kernelMaximumErrorMicroseconds: kernel?.maximumErrorMicroseconds
        )
    }

    /// What the place's clock reads now.
    package func now() -> WallTime { clock.reading(at: MonotonicClock.now()) }

    /// A moment, and this machine's wall clock as the place's would read it.
    ///
    /// A jump of the wall clock since the measurement shows in it.
    ///
    /// - Returns: Both clocks.
    package func reading() -> ClockReading {
        var reading = ClockReading.now()
        reading.wall &+= facts.start.offsetMicroseconds
        return reading
    }

    /// Ties a start that was agreed on to this machine's clock.
    ///
    /// - Parameter start: By the place's clock.
    /// - Returns: The run's time.
    package func timebase(start: WallTime) -> Timebase {
        Timebase(start: clock.moment(of: start), wallStart: start)
    }

    /// Measures again, at the end of a run.
    ///
    /// - Parameter place: Where the shards met.
    /// - Returns: The facts with those of the end; without, where the place does not answer any more.
    package func factsAtEnd(by place: any RendezvousPlace) async -> ShardClock {
        var facts = self.facts
        do {
            let later = try await Self.measure(place)
            let drift = later.wall.duration(since: clock.reading(at: later.moment))
            facts.end = .init(
                offsetMicroseconds: Self.offset(of: later),
                boundMicroseconds: later.bound.wholeMicroseconds,
                driftMicroseconds: drift.wholeMicroseconds
            )
        } catch {
            // That nothing was measured is what the result says.
        }
        return facts
    }

    private static func measure(_ place: any RendezvousPlace) async throws(RendezvousError) -> PlaceClock {
        try await PlaceClock.measured(
            by: place,
            now: { MonotonicClock.now() },
            rest: { try? await Task.sleep(for: $0) }
        )
    }

    private static func offset(of clock: PlaceClock) -> Int64 {
        let reading = ClockReading.now()
        return clock.reading(at: reading.monotonic).duration(since: WallTime(microseconds: reading.wall))
            .wholeMicroseconds
    }
}
