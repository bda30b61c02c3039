import Profile
import Rules
import Values

struct ProgrammeLoading: Sendable {
    private var loaders = [MediaLoader](repeating: MediaLoader(), count: PlayedRendition.allCases.count)
    /// Programme date at which playback starts once anything is loaded; nil while it plays.
    var startsAt: WallTime?

    subscript(rendition: PlayedRendition) -> MediaLoader {
        _read { yield loaders[Int(rendition.rawValue)] }
        _modify { yield &loaders[Int(rendition.rawValue)] }
    }

    func keys(for rendition: PlayedRendition, _ caching: KeyCaching) -> KeysInHand {
        guard caching == .channel else { return KeysInHand(loaded: self[rendition].keys, underway: []) }
        return KeysInHand(loaded: loaders.flatMap(\.keys), underway: loaders.compactMap(\.keyUnderway))
    }

    mutating func reset() { for index in loaders.indices { loaders[index].reset() } }
}

/// Addresses of the keys that a rendition may use.
struct KeysInHand {
    let loaded: [String]
    /// Asked for by another rendition.
    let underway: [String]
}

struct ProgrammeNews: OptionSet, Sendable {
    let rawValue: UInt8
    /// A stall has ended, or playback has begun.
    static let playheadShifted = ProgrammeNews(rawValue: 1)
    static let versionChanged = ProgrammeNews(rawValue: 2)
    static let bufferAdvanced = ProgrammeNews(rawValue: 4)
}

struct FinishedLoad {
    let plannedAt: Instant
    let isNews: Bool
    let asked: ReloadLoop.Asked
    /// Seconds that the answer says it spent in caches (RFC 9111 section 5.1); at most 255.
    let age: UInt8
}

/// Stays a fixed time behind the wall clock, until it stalls, stops or jumps.
struct Playhead: Sendable {
    /// Nanoseconds behind the wall clock; nil before the first playlist.
    private(set) var latency: Int64?
    private var stoppedAt: Instant?

    var isStopped: Bool { stoppedAt != nil }

    mutating func begin(latency: Int64) { self.latency = latency }

    /// Nil before playback; the earliest possible instant while the playhead is stopped.
    func instant(of date: WallTime, _ timebase: Timebase) -> Instant? {
        latency.map { timebase.instant(of: date).later(by: $0) }
    }

    /// Nil before playback; constant while stopped, and the end of the buffer during a stall.
    func date(at now: Instant, bufferedTo end: WallTime?, _ timebase: Timebase) -> WallTime? {
        guard let latency else { return nil }
        let date = timebase.wall(at: min(stoppedAt ?? now, now).earlier(by: latency))
        return min(date, end ?? date)
    }

    mutating func stop(at now: Instant, bufferedTo end: WallTime?, _ timebase: Timebase) {
        guard !isStopped else { return }
        if let date = date(at: now, bufferedTo: end, timebase) {
            // In a stall the real position is the end of the buffer.
            latency = now &- timebase.instant(of: date)
        }
        stoppedAt = now
    }

    mutating func goOn(from date: WallTime, at now: Instant, _ timebase: Timebase) {
        stoppedAt = nil
        latency = now &- timebase.instant(of: date)
    }

    /// Applies a stall that has just ended, and returns its nanoseconds; nil if there was none.
    mutating func stall(bufferedTo end: WallTime, until now: Instant, _ timebase: Timebase) -> Int64? {
        guard !isStopped, let latency, let stoodFrom = instant(of: end, timebase), stoodFrom < now else { return nil }
        let stall = now &- stoodFrom
        self.latency = latency.addingClamped(stall)
        return stall
    }
}
