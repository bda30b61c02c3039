package import Results
package import Transport
package import Values

/// Continues the meeting place's clock by this machine's monotonic clock: its wall clock has no effect.
package struct ShardTimekeeper: Sendable {
    package let clock: PlaceClock
    package let facts: ShardClock
    /// To add to this machine's wall clock.
    package var correction: Duration { .microseconds(facts.start.offsetMicroseconds) }

    package static func measured(by place: any RendezvousPlace) async throws(RendezvousError) -> ShardTimekeeper {
        let clock = try await measure(place)
        return ShardTimekeeper(clock, offset: offset(of: clock), kernel: KernelClock.now())
    }

    private init(_ clock: PlaceClock, offset: Int64, kernel: KernelClock?) {
        self.clock = clock
        var facts = ShardClock(
            start: .init(offsetMicroseconds: offset, boundMicroseconds: clock.bound.wholeMicroseconds)
        )
        facts.isSynchronised = kernel?.isSynchronised
        facts.kernelMaximumErrorMicroseconds = kernel?.maximumErrorMicroseconds
        self.facts = facts
    }

    /// Reading of the place's clock.
    package func now() -> WallTime { clock.reading(at: MonotonicClock.now()) }

    /// Shows a jump of the wall clock since the measurement.
    package func reading() -> ClockReading {
        var reading = ClockReading.now()
        reading.wall &+= facts.start.offsetMicroseconds
        return reading
    }

    /// `start` is by the place's clock.
    package func timebase(start: WallTime) -> Timebase { Timebase(start: clock.moment(of: start), wallStart: start) }

    /// Without the end if the place no longer answers.
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
            // No measurement at the end.
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
