import Profile
import Rules
import Values

struct ProgrammeLoading: Sendable {
    private var loaders = [MediaLoader](repeating: MediaLoader(), count: PlayedRendition.allCases.count)
    /// Programme date at which playback starts once anything is loaded; nil while it plays.
    var startsAt: WallTime?
    var hasPicture = false
    /// Content that had left the window when the latest stall ended, until it is taken.
    var hole: Range<WallTime>?

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
    var latency: Int64?
    private var stoppedAt: Instant?

    var isStopped: Bool { stoppedAt != nil }

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

extension PlaybackPart {
    mutating func beginPlaying(_ shared: SharedPlaylist, _ turn: Turn) {
        guard playhead.latency == nil else { return }
        let timebase = turn.plan.timebase
        beginDates(with: shared)
        let ahead = (dateShift?.ahead ?? 0).multipliedClamped(by: 1_000)
        let latency = shared.startLatency(turn.playerFacts, now: turn.now, timebase).addingClamped(ahead)
        playhead.latency = latency
        clockLag = shared.clockLag(now: turn.now, ahead: ahead, timebase)
        guard shared.edge != nil else { return }
        startLoading(at: timebase.wall(at: turn.now.earlier(by: latency)))
    }

    var latency: Int64? { playhead.latency }

    func playheadDate(_ turn: Turn) -> WallTime? {
        playhead.date(at: turn.now, bufferedTo: bufferEnd, turn.plan.timebase)
    }

    func playheadInstant(of date: WallTime, _ turn: Turn) -> Instant? { playheadInstant(of: date, turn.plan.timebase) }

    func playheadInstant(of date: WallTime, _ timebase: Timebase) -> Instant? { playhead.instant(of: date, timebase) }

    /// Within four target durations (hls.js, computeReloadInterval).
    func isNearEdge(of shared: SharedPlaylist, _ turn: Turn) -> Bool {
        guard let edge = dates(of: shared).edge, let date = playheadDate(turn) else { return false }
        let distance = edge.microseconds.subtractingClamped(date.microseconds)
        return distance < shared.targetNanoseconds / 1000 &* 4
    }

    mutating func pausePlayhead(_ turn: Turn) { playhead.stop(at: turn.now, bufferedTo: bufferEnd, turn.plan.timebase) }

    /// Loading restarts at the date if segments are loaded and it is past the buffer.
    mutating func resumePlayhead(at date: WallTime, _ turn: Turn) {
        playhead.goOn(from: date, at: turn.now, turn.plan.timebase)
        guard bufferEnd.map({ $0 < date }) ?? true else { return }
        startLoading(at: date)
        _ = loading.change { $0.reset() }
    }

    /// The part that passed meanwhile is not loaded.
    mutating func rejoin(_ turn: inout Turn) {
        turn.count(.rejoinedLiveEdge)
        isReplaced = false
        if let latency, listedUntil != nil {
            startLoading(at: turn.plan.timebase.wall(at: turn.now.earlier(by: latency)))
        }
        _ = loading.change { $0.reset() }
        loadMedia(&turn)
    }

    mutating func beginLoading() { if loading.isEmpty { loading.value = ProgrammeLoading() } }

    private mutating func startLoading(at date: WallTime) { _ = loading.change { $0.startsAt = date } }

    private var waitsForMedia: Bool { loading.value?.startsAt != nil }

    /// Programme date at the end of the buffer; nil if it is empty, or without dates.
    var bufferEnd: WallTime? {
        guard let loading = loading.value else { return listedUntil }
        // Playback does not wait for subtitles.
        guard let video = loading[.video].loadedEnd, !self[.audio].url.isEmpty else { return loading[.video].loadedEnd }
        return loading[.audio].loadedEnd.map { min(video, $0) }
    }

    func hasBuffered(until date: WallTime) -> Bool { bufferEnd.map { $0 >= date } ?? false }

    /// Whether the programme is in hand up to what the playhead shows at an instant.
    func hasBuffered(untilShownAt instant: Instant, _ turn: Turn) -> Bool {
        bufferEnd.flatMap { playheadInstant(of: $0, turn) }.map { $0 >= instant } ?? false
    }

    /// Instant at which nothing is left to show; the distant future while something else is shown, and where unknown.
    func dryInstant(_ turn: Turn) -> Instant {
        guard !isReplaced, !playhead.isStopped else { return .distantFuture }
        let end = waitsForMedia ? loading.value?.startsAt : bufferEnd
        return end.flatMap { playheadInstant(of: $0, turn) } ?? .distantFuture
    }

    /// Programme dates of the video segment that a request asks for.
    func openSegment(ofRequest index: UInt8) -> Range<WallTime>? {
        guard rendition(ofRequest: index) == .video, let shared = video.versionBefore else { return nil }
        return loading.value?[.video].openSegment(in: shared.playlist, dates(of: shared))
    }

    /// `goOnLoading` comes next, after the breaks were told the news; `failure` is nil on success.
    mutating func mediaFinished(index: UInt8, failure: LoadFailure?, turn: inout Turn) -> ProgrammeNews {
        downloads.end()
        guard let rendition = rendition(ofRequest: index) else { return [] }
        let (end, latest) = (bufferEnd, self[rendition].latest)
        let hasMedia = loading.change { $0[rendition].finished(failure, of: latest, turn: &turn) }
        if rendition == .video, hasMedia == true, loading.value?.hasPicture == false {
            _ = loading.change { $0.hasPicture = true }
            turn.count(.firstPictures)
        }
        guard hasMedia != nil, let moved = bufferEnd, moved != end else { return [] }
        let hasShifted = waitsForMedia ? startWithMedia(turn) : endStall(rendition, bufferedTo: end, turn: &turn)
        return hasShifted ? [.playheadShifted, .bufferAdvanced] : .bufferAdvanced
    }

    /// Returns whether the playhead moved.
    private mutating func startWithMedia(_ turn: Turn) -> Bool {
        guard let date = loading.value?.startsAt, let bufferEnd, bufferEnd >= date else { return false }
        _ = loading.change { $0.startsAt = nil }
        guard !playhead.isStopped else { return false }
        playhead.goOn(from: date, at: turn.now, turn.plan.timebase)
        return true
    }

    /// Ends a stall, if there is one, with a segment that came into hand; what had left the window by then is jumped over.
    private mutating func endStall(_ rendition: PlayedRendition, bufferedTo end: WallTime?, turn: inout Turn) -> Bool {
        guard settleStall(bufferedTo: end, turn: &turn) else { return false }
        if rendition == .video, let end, let begin = loading.value?[.video].pendingBegin, end < begin {
            playhead.goOn(from: begin, at: turn.now, turn.plan.timebase)
            _ = loading.change { $0.hole = end..<begin }
        }
        return true
    }

    /// Records a stall that ends now, and returns whether there was one; the playhead stood still at `end`, the end of
    /// the buffer.
    mutating func settleStall(bufferedTo end: WallTime?, turn: inout Turn) -> Bool {
        guard let end, !isReplaced, let stall = playhead.stall(bufferedTo: end, until: turn.now, turn.plan.timebase)
        else { return false }
        turn.count(.stalls)
        turn.count(.stalledMilliseconds, by: UInt64(clamping: stall / 1_000_000))
        return true
    }

    mutating func onLine(_ index: UInt8, _ turn: Turn) {
        guard let rendition = rendition(ofRequest: index) else { return }
        _ = loading.change { $0[rendition].onLineSince = turn.now }
    }

    /// Nanoseconds by which the viewer's line has delayed what playback waits for.
    var lineDelay: Int64 { loading.value.map { max($0[.video].lineDelay, $0[.audio].lineDelay) } ?? 0 }

    /// Content that the playhead has jumped over since it was last asked for.
    mutating func takeHole() -> Range<WallTime>? { loading.change { $0.hole.take() } ?? nil }

    /// Records a stall in progress.
    mutating func left(turn: inout Turn) -> ProgrammeNews {
        guard latest?.isReloaded == true, !waitsForMedia else { return [] }
        return settleStall(bufferedTo: bufferEnd, turn: &turn) ? .playheadShifted : []
    }
}
