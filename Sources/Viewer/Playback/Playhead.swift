import Values

/// Position of a viewer in the programme: a fixed time behind the wall clock, until it stalls, stops or jumps.
struct Playhead: Sendable {
    /// Nanoseconds; `.min` until the viewer plays.
    private var lag: Int64 = .min
    /// When the playhead was stopped; the distant past while it runs.
    private var stoppedAt = Instant.distantPast

    /// Nanoseconds behind the wall clock; nil before the first playlist.
    var latency: Int64? { lag == .min ? nil : lag }

    var isStopped: Bool { stoppedAt != .distantPast }

    mutating func begin(latency: Int64) { lag = latency }

    /// Instant at which it reaches a programme date; nil before playback.
    ///
    /// While the playhead is stopped this is the earliest possible instant.
    func instant(of date: WallTime, _ timebase: Timebase) -> Instant? {
        latency.map { timebase.instant(of: date).later(by: $0) }
    }

    /// Programme date that is shown at a moment; nil before playback.
    ///
    /// Constant while the playhead is stopped; at the end of the buffer during a stall.
    func date(at now: Instant, bufferedTo end: Int64?, _ timebase: Timebase) -> WallTime? {
        guard let latency else { return nil }
        let moment = min(isStopped ? stoppedAt : now, now)
        let date = timebase.wall(at: moment.earlier(by: latency))
        guard let end else { return date }
        return min(date, WallTime(microseconds: end))
    }

    mutating func stop(at now: Instant, bufferedTo end: Int64?, _ timebase: Timebase) {
        guard !isStopped else { return }
        if let date = date(at: now, bufferedTo: end, timebase) {
            // Take the lag of the real position, which in a stall is the end of the buffer.
            lag = now &- timebase.instant(of: date)
        }
        stoppedAt = now
    }

    mutating func goOn(from date: WallTime, at now: Instant, _ timebase: Timebase) {
        stoppedAt = .distantPast
        lag = now &- timebase.instant(of: date)
    }

    /// Applies a stall that has just ended: the playhead stood still at the end of the buffer and is that much further behind.
    ///
    /// - Returns: Nanoseconds of the stall; nil if there was none.
    mutating func stall(bufferedTo end: Int64, until now: Instant, _ timebase: Timebase) -> Int64? {
        guard !isStopped, let latency, let stoodFrom = instant(of: WallTime(microseconds: end), timebase),
            stoodFrom < now
        else { return nil }
        let stall = now &- stoodFrom
        lag = latency.addingClamped(stall)
        return stall
    }
}
