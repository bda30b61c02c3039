import HLS
import LoadProfile

/// Where a viewer is in the programme: a fixed time behind the wall clock, until it stalls, stops or jumps.
///
/// Instants are monotonic nanoseconds.
struct Playhead: Sendable {
    /// Nanoseconds; `.min` until the viewer plays.
    private var lag: Int64 = .min
    /// When the playhead was stopped; `.min` while it runs.
    private var stoppedAt: Int64 = .min

    /// How far it is behind the wall clock, in nanoseconds; nil before the first playlist.
    var latency: Int64? { lag == .min ? nil : lag }

    var isStopped: Bool { stoppedAt != .min }

    /// Begins so many nanoseconds behind the wall clock.
    mutating func begin(latency: Int64) { lag = latency }

    /// When it reaches a date of the programme; nil before the viewer plays.
    ///
    /// While it is stopped this is the earliest that it can be: as if it had gone on.
    func instant(of date: WallTime, _ timebase: Timebase) -> Int64? {
        latency.map { timebase.monotonic(date).later(by: $0) }
    }

    /// The date of the programme that is shown at a moment; nil before the viewer plays.
    ///
    /// It stays where it is while the playhead is stopped, and at the end of what is buffered during a stall.
    func date(at now: Int64, bufferedTo end: Int64?, _ timebase: Timebase) -> WallTime? {
        guard let latency else { return nil }
        let moment = min(isStopped ? stoppedAt : now, now)
        let date = timebase.wall(moment.later(by: -latency))
        guard let end else { return date }
        return min(date, WallTime(microseconds: end))
    }

    /// Stops it; one that is stopped already stays where it was stopped.
    mutating func stop(at now: Int64, bufferedTo end: Int64?, _ timebase: Timebase) {
        guard !isStopped else { return }
        if let date = date(at: now, bufferedTo: end, timebase) {
            // From where it really stands, which in a stall is the end of what is buffered.
            lag = now &- timebase.monotonic(date)
        }
        stoppedAt = now
    }

    /// Goes on from a date of the programme, now.
    mutating func goOn(from date: WallTime, at now: Int64, _ timebase: Timebase) {
        stoppedAt = .min
        lag = now &- timebase.monotonic(date)
    }

    /// Takes up a stall that has just ended: it stood still from the end of what was buffered, and is that much further
    /// behind.
    ///
    /// - Returns: How long it stood, in nanoseconds; nil where it did not.
    mutating func stall(bufferedTo end: Int64, until now: Int64, _ timebase: Timebase) -> Int64? {
        guard !isStopped, let latency, let stoodFrom = instant(of: WallTime(microseconds: end), timebase),
            stoodFrom < now
        else { return nil }
        let stall = now &- stoodFrom
        lag = latency.later(by: stall)
        return stall
    }
}

extension SharedPlaylist {
    /// Nanoseconds behind the wall clock at which a player begins with this version at a moment.
    func startLatency(_ facts: PlaybackFacts, now: Int64, _ timebase: Timebase) -> Int64 {
        let distance = startDistance(facts.start, isLowLatency: facts.lowLatency.blocking != .never)
        guard edge != .min else { return distance }
        let edge = timebase.monotonic(WallTime(microseconds: edge))
        return max(now &- edge, 0).later(by: distance)
    }

    /// Nanoseconds from the live edge back to where a player starts.
    func startDistance(_ facts: StartFacts, isLowLatency: Bool) -> Int64 {
        if facts.point == .startTagThenHoldBack, let start = playlist.startPoint {
            let whole = playlist.durationMicroseconds
            let offset = start.offsetMicroseconds
            let distance = offset < 0 ? offset == .min ? .max : -offset : whole &- min(offset, whole)
            return min(distance, whole, Self.dayMicroseconds) &* 1000
        }
        let control = playlist.serverControl
        let partHoldBack = isLowLatency && playlist.partTargetMicroseconds != nil ? control?.partHoldBackSeconds : nil
        if let seconds = partHoldBack ?? control?.holdBackSeconds {
            return Int64(min(max(seconds, 0), 86_400) * 1e9)
        }
        guard facts.point == .holdBackThenSegments else {
            let targets = min(max(facts.targets, 0), 1_000)
            return Int64(min(Double(targetNanoseconds) * targets, 86_400e9))
        }
        let count = Int(min(max(facts.targets, 0), 1_000))
        let sum = playlist.segments.suffix(count).reduce(Int64(0)) { $0.later(by: $1.durationMicroseconds) }
        return min(sum, Self.dayMicroseconds) &* 1000
    }

    private static let dayMicroseconds: Int64 = 86_400_000_000
}
