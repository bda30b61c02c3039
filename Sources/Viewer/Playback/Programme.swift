import Profile
import Rules
import Values

/// Position of a viewer in the programme, its buffer, and the loading of segments.
///
/// Without segment loading, the buffer ends with the last listed segment; otherwise with the last one loaded without a hole.
struct Programme: Sendable {
    struct Listing {
        /// Programme date in microseconds; `.min` without segments or dates.
        let edge: Int64
        /// Whether the sound has segments of its own.
        let hasAudio: Bool
    }

    private struct Loading: Sendable {
        private var loaders = [MediaLoader](repeating: MediaLoader(), count: PlayedRendition.allCases.count)
        /// Programme date, in microseconds, at which playback starts once anything is loaded; `.min` while it plays.
        var startsAt: Int64 = .min

        subscript(rendition: PlayedRendition) -> MediaLoader {
            _read { yield loaders[Int(rendition.rawValue)] }
            _modify { yield &loaders[Int(rendition.rawValue)] }
        }

        mutating func reset() {
            for index in loaders.indices { loaders[index].reset() }
        }
    }

    private(set) var playhead = Playhead()
    /// Nanoseconds of the channel's clock behind this machine's, from the viewer's first playlist.
    private(set) var clockLag = Int64(0)
    /// Whether ads of the viewer's own pod play in place of the programme, which continues unseen.
    private var isReplaced = false
    /// Nil without segment loading.
    private var loading = OptionalBox<Loading>()

    // MARK: The playhead

    func date(_ listing: Listing, _ turn: Turn) -> WallTime? {
        playhead.date(at: turn.now, bufferedTo: bufferEnd(listing), turn.plan.timebase)
    }

    /// End of the buffer, as a programme date in microseconds; nil if it is empty, or without dates.
    func bufferEnd(_ listing: Listing) -> Int64? {
        guard let loading = loading.value else { return listing.edge == .min ? nil : listing.edge }
        // Playback does not wait for subtitles.
        let video = loading[.video].loadedEnd
        let end = listing.hasAudio ? min(video, loading[.audio].loadedEnd) : video
        return end == .min ? nil : end
    }

    /// Instant at which nothing is left to show; the distant future while something else is shown, and where unknown.
    func dryInstant(_ listing: Listing, _ turn: Turn) -> Instant {
        guard !isReplaced, !playhead.isStopped else { return .distantFuture }
        let end = waitsForMedia ? loading.value?.startsAt : bufferEnd(listing)
        return end.flatMap { playhead.instant(of: WallTime(microseconds: $0), turn.plan.timebase) } ?? .distantFuture
    }

    /// Sets the playhead to the player's start point in a version, unless it plays already.
    mutating func begin(with shared: SharedPlaylist, turn: Turn) {
        guard playhead.latency == nil else { return }
        let timebase = turn.plan.timebase
        let latency = shared.startLatency(turn.playerFacts, now: turn.now, timebase)
        playhead.begin(latency: latency)
        clockLag = shared.clockLag(now: turn.now, timebase)
        guard shared.edge != .min else { return }
        startLoading(at: timebase.wall(at: turn.now.earlier(by: latency)))
    }

    /// Whether the playhead is within four target durations of a version's live edge (hls.js, computeReloadInterval).
    func isNearEdge(of shared: SharedPlaylist, _ listing: Listing, _ turn: Turn) -> Bool {
        guard shared.edge != .min, let date = date(listing, turn) else { return false }
        let distance = shared.edge.subtractingClamped(date.microseconds)
        return distance < shared.targetNanoseconds / 1000 &* 4
    }

    mutating func pause(_ listing: Listing, _ turn: Turn) {
        playhead.stop(at: turn.now, bufferedTo: bufferEnd(listing), turn.plan.timebase)
    }

    /// Resumes at a date now.
    ///
    /// Loading restarts there if segments are loaded and the date is past the buffer.
    mutating func resume(at date: WallTime, _ listing: Listing, _ turn: Turn) {
        playhead.goOn(from: date, at: turn.now, turn.plan.timebase)
        guard bufferEnd(listing).map({ $0 < date.microseconds }) ?? true else { return }
        startLoading(at: date)
        _ = loading.change { $0.reset() }
    }

    /// Starts ads in place of the programme; nothing of it is loaded until the viewer rejoins.
    mutating func replace() { isReplaced = true }

    /// Returns to the programme; the part that passed meanwhile is not loaded.
    mutating func rejoin(_ listing: Listing, _ turn: Turn) {
        isReplaced = false
        if let latency = playhead.latency, listing.edge != .min {
            startLoading(at: turn.plan.timebase.wall(at: turn.now.earlier(by: latency)))
        }
        _ = loading.change { $0.reset() }
    }

    /// Records the stall that has just ended, or ends with the viewer's departure.
    ///
    /// `end` is the end of the buffer, where the playhead stood still. Returns whether there was a stall.
    mutating func settleStall(bufferedTo end: Int64?, turn: inout Turn) -> Bool {
        guard let end, !isReplaced, let stall = playhead.stall(bufferedTo: end, until: turn.now, turn.plan.timebase)
        else { return false }
        turn.count(.stalls)
        turn.count(.stalledMilliseconds, by: UInt64(clamping: stall / 1_000_000))
        return true
    }

    var waitsForMedia: Bool { (loading.value?.startsAt ?? .min) != .min }

    /// Starts playback once its first segment is loaded, however long that took.
    ///
    /// - Returns: Whether that moved the playhead.
    private mutating func startWithMedia(_ listing: Listing, _ turn: Turn) -> Bool {
        guard let date = loading.value?.startsAt, let end = bufferEnd(listing), end >= date else { return false }
        _ = loading.change { $0.startsAt = .min }
        guard !playhead.isStopped else { return false }
        playhead.goOn(from: WallTime(microseconds: date), at: turn.now, turn.plan.timebase)
        return true
    }

    private mutating func startLoading(at date: WallTime) {
        _ = loading.change { $0.startsAt = date.microseconds }
    }

    // MARK: Segments

    var wantsMedia: Bool { !loading.isEmpty && !isReplaced }

    mutating func beginLoading() {
        if loading.isEmpty { loading.value = Loading() }
    }

    /// Returns whether a download has begun.
    mutating func load(
        _ rendition: PlayedRendition,
        of shared: SharedPlaylist,
        index: UInt8,
        turn: inout Turn
    ) -> Bool {
        let playhead = playhead
        let hasBegun = loading.change { loading in
            let circumstances = MediaLoader.Circumstances(playhead: playhead, startsAt: loading.startsAt)
            return loading[rendition].loadNext(of: shared, circumstances, index: index, turn: &turn)
        }
        return hasBegun ?? false
    }

    mutating func finished(
        _ rendition: PlayedRendition,
        of shared: SharedPlaylist?,
        _ failure: LoadFailure?,
        _ listing: Listing,
        turn: inout Turn
    ) -> ProgrammeNews {
        let end = bufferEnd(listing)
        let isLoaded: Void? = loading.change { $0[rendition].finished(failure, of: shared, turn: &turn) }
        guard isLoaded != nil, let moved = bufferEnd(listing), moved != end else { return [] }
        let hasShifted =
            waitsForMedia ? startWithMedia(listing, turn) : settleStall(bufferedTo: end, turn: &turn)
        return hasShifted ? [.playheadShifted, .bufferAdvanced] : .bufferAdvanced
    }

    mutating func moveToOtherPlaylist(_ rendition: PlayedRendition) {
        _ = loading.change { $0[rendition].moveToOtherPlaylist() }
    }

    func awaitsSegment(_ rendition: PlayedRendition, of shared: SharedPlaylist, since: Instant, at now: Instant) -> Bool
    {
        loading.value?[rendition].awaitsListedSegment(of: shared, since: since, at: now) ?? false
    }
}

struct ProgrammeNews: OptionSet, Sendable {
    let rawValue: UInt8
    /// The playhead moved off its course: a stall has ended, or playback has begun.
    static let playheadShifted = ProgrammeNews(rawValue: 1)
    static let versionChanged = ProgrammeNews(rawValue: 2)
    static let bufferAdvanced = ProgrammeNews(rawValue: 4)
}

/// A load that brought a playlist.
struct FinishedLoad {
    let plannedAt: Instant
    let isNews: Bool
    let asked: ReloadLoop.Asked
    /// Seconds that the answer spent in caches (RFC 9111 section 5.1); -1 if unstated.
    let age: Int32
}
