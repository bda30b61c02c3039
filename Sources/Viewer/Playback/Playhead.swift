import Time

/// Where a viewer is in the programme: a fixed time behind the wall clock, until it stalls, stops or jumps.
struct Playhead: Sendable {
    /// Nanoseconds; `.min` until the viewer plays.
    private var lag: Int64 = .min
    /// When the playhead was stopped; the distant past while it runs.
    private var stoppedAt = Instant.distantPast

    /// How far it is behind the wall clock, in nanoseconds; nil before the first playlist.
    var latency: Int64? { lag == .min ? nil : lag }

    var isStopped: Bool { stoppedAt != .distantPast }

    /// Begins so many nanoseconds behind the wall clock.
    mutating func begin(latency: Int64) { lag = latency }

    /// When it reaches a date of the programme; nil before the viewer plays.
    ///
    /// While it is stopped this is the earliest that it can be: as if it had gone on.
    func instant(of date: WallTime, _ timebase: Timebase) -> Instant? {
        latency.map { timebase.instant(of: date).later(by: $0) }
    }

    /// The date of the programme that is shown at a moment; nil before the viewer plays.
    ///
    /// It stays where it is while the playhead is stopped, and at the end of what is buffered during a stall.
    func date(at now: Instant, bufferedTo end: Int64?, _ timebase: Timebase) -> WallTime? {
        guard let latency else { return nil }
        let moment = min(isStopped ? stoppedAt : now, now)
        let date = timebase.wall(at: moment.earlier(by: latency))
        guard let end else { return date }
        return min(date, WallTime(microseconds: end))
    }

    /// Stops it; one that is stopped already stays where it was stopped.
    mutating func stop(at now: Instant, bufferedTo end: Int64?, _ timebase: Timebase) {
        guard !isStopped else { return }
        if let date = date(at: now, bufferedTo: end, timebase) {
            // From where it really stands, which in a stall is the end of what is buffered.
            lag = now &- timebase.instant(of: date)
        }
        stoppedAt = now
    }

    /// Goes on from a date of the programme, now.
    mutating func goOn(from date: WallTime, at now: Instant, _ timebase: Timebase) {
        stoppedAt = .distantPast
        lag = now &- timebase.instant(of: date)
    }

    /// Takes up a stall that has just ended: it stood still from the end of what was buffered, and is that much further
    /// behind.
    ///
    /// - Returns: How long it stood, in nanoseconds; nil where it did not.
    mutating func stall(bufferedTo end: Int64, until now: Instant, _ timebase: Timebase) -> Int64? {
        guard !isStopped, let latency, let stoodFrom = instant(of: WallTime(microseconds: end), timebase),
            stoodFrom < now
        else { return nil }
        let stall = now &- stoodFrom
        lag = latency.addingClamped(stall)
        return stall
    }
}
