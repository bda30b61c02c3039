import Profile
import Rules
import Values

extension PlaybackPart {
    mutating func beginPlaying(_ shared: SharedPlaylist, _ turn: Turn) {
        guard playhead.latency == nil else { return }
        let timebase = turn.plan.timebase
        beginDates(with: shared)
        let ahead = (dateShift?.ahead ?? 0).multipliedClamped(by: 1_000)
        let latency = shared.startLatency(turn.playerFacts, now: turn.now, timebase).addingClamped(ahead)
        playhead.begin(latency: latency)
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

    /// Uses the channel's own clock; the date is on the viewer's time line.
    func edgeInstant(of date: WallTime, _ turn: Turn) -> Instant {
        turn.plan.timebase.instant(of: date).later(by: clockLag)
    }

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

    /// Nothing of the programme is loaded until the viewer rejoins.
    mutating func replaceProgramme() { isReplaced = true }

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

    /// Instant at which nothing is left to show; the distant future while something else is shown, and where unknown.
    func dryInstant(_ turn: Turn) -> Instant {
        guard !isReplaced, !playhead.isStopped else { return .distantFuture }
        let end = waitsForMedia ? loading.value?.startsAt : bufferEnd
        return end.flatMap { playheadInstant(of: $0, turn) } ?? .distantFuture
    }

    /// `goOnLoading` comes next, after the breaks were told the news; `failure` is nil on success.
    mutating func mediaFinished(index: UInt8, failure: LoadFailure?, turn: inout Turn) -> ProgrammeNews {
        downloads.end()
        guard let rendition = rendition(ofRequest: index) else { return [] }
        let (end, latest) = (bufferEnd, self[rendition].latest)
        let isLoaded: Void? = loading.change { $0[rendition].finished(failure, of: latest, turn: &turn) }
        guard isLoaded != nil, let moved = bufferEnd, moved != end else { return [] }
        let hasShifted = waitsForMedia ? startWithMedia(turn) : settleStall(bufferedTo: end, turn: &turn)
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

    /// Records a stall that ends now, and returns whether there was one; the playhead stood still at `end`, the end of
    /// the buffer.
    mutating func settleStall(bufferedTo end: WallTime?, turn: inout Turn) -> Bool {
        guard let end, !isReplaced, let stall = playhead.stall(bufferedTo: end, until: turn.now, turn.plan.timebase)
        else { return false }
        turn.count(.stalls)
        turn.count(.stalledMilliseconds, by: UInt64(clamping: stall / 1_000_000))
        return true
    }

    /// Records a stall in progress.
    mutating func left(turn: inout Turn) -> ProgrammeNews {
        guard latest?.isReloaded == true, !waitsForMedia else { return [] }
        return settleStall(bufferedTo: bufferEnd, turn: &turn) ? .playheadShifted : []
    }
}
