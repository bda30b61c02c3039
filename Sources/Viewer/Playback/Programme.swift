import Audience
import Players
import Rulebook
import Time

/// Where a viewer is in the programme and what of it is buffered; and the loading of its segments.
///
/// What is buffered ends with the last listed segment where no segments are loaded, and otherwise with the last one loaded
/// without a hole.
struct Programme: Sendable {
    /// What the playlists in hand say of it.
    struct Listing {
        /// End of what is listed, as a date of the programme in microseconds; `.min` where nothing is, or without dates.
        let edge: Int64
        /// Whether the sound has segments of its own.
        let hasAudio: Bool
    }

    /// The content segments that are loaded.
    private struct Loading: Sendable {
        private var loaders = [MediaLoader](repeating: MediaLoader(), count: PlayedRendition.allCases.count)
        /// Date of the programme, in microseconds, at which playback starts as soon as anything is loaded; `.min`: it
        /// plays.
        var startsAt: Int64 = .min

        subscript(rendition: PlayedRendition) -> MediaLoader {
            _read { yield loaders[Int(rendition.rawValue)] }
            _modify { yield &loaders[Int(rendition.rawValue)] }
        }

        mutating func reset() {
            for index in loaders.indices { loaders[index].reset() }
        }
    }

    private var playhead = Playhead()
    /// How far the channel's clock is behind this machine's, in nanoseconds, as the viewer's first playlist tells.
    private(set) var clockLag = Int64(0)
    /// Ads of the viewer's own pod play in place of the programme, which goes on unseen.
    private var isReplaced = false
    /// None where no segments are loaded.
    private var loading = OptionalBox<Loading>()

    // MARK: The playhead

    /// How far the playhead is behind the wall clock, in nanoseconds; nil before it plays.
    var latency: Int64? { playhead.latency }

    /// When the playhead reaches a date; nil before it plays.
    func instant(of date: WallTime, _ timebase: Timebase) -> Instant? { playhead.instant(of: date, timebase) }

    /// The date that is shown now; nil before it plays.
    func date(_ listing: Listing, _ turn: Turn) -> WallTime? {
        playhead.date(at: turn.now, bufferedTo: bufferEnd(listing), turn.plan.timebase)
    }

    /// End of what is buffered, as a date of the programme in microseconds; nil where nothing is, or where the channel
    /// has no dates.
    func bufferEnd(_ listing: Listing) -> Int64? {
        guard let loading = loading.value else { return listing.edge == .min ? nil : listing.edge }
        // Playback does not wait for subtitles.
        let video = loading[.video].loadedEnd
        let end = listing.hasAudio ? min(video, loading[.audio].loadedEnd) : video
        return end == .min ? nil : end
    }

    /// When nothing of it is left to show; the distant future while something else is shown, and where that is not known.
    func dryInstant(_ listing: Listing, _ turn: Turn) -> Instant {
        guard !isReplaced, !playhead.isStopped else { return .distantFuture }
        let end = waitsForMedia ? loading.value?.startsAt : bufferEnd(listing)
        return end.flatMap { instant(of: WallTime(microseconds: $0), turn.plan.timebase) } ?? .distantFuture
    }

    /// Puts the playhead where the player begins with a version, unless it plays already.
    mutating func begin(with shared: SharedPlaylist, turn: Turn) {
        guard playhead.latency == nil else { return }
        let timebase = turn.plan.timebase
        let latency = shared.startLatency(turn.playerFacts, now: turn.now, timebase)
        playhead.begin(latency: latency)
        clockLag = shared.clockLag(now: turn.now, timebase)
        guard shared.edge != .min else { return }
        startLoading(at: timebase.wall(at: turn.now.earlier(by: latency)))
    }

    /// Whether it is within four target durations of a version's live edge (hls.js, computeReloadInterval).
    func isNearEdge(of shared: SharedPlaylist, _ listing: Listing, _ turn: Turn) -> Bool {
        guard shared.edge != .min, let date = date(listing, turn) else { return false }
        let distance = shared.edge.subtractingClamped(date.microseconds)
        return distance < shared.targetNanoseconds / 1000 &* 4
    }

    /// Stops the playhead; one that is stopped already stays where it was stopped.
    mutating func pause(_ listing: Listing, _ turn: Turn) {
        playhead.stop(at: turn.now, bufferedTo: bufferEnd(listing), turn.plan.timebase)
    }

    /// Goes on from this date, now.
    ///
    /// Where segments are loaded and the date lies outside of them, loading begins anew there.
    mutating func resume(at date: WallTime, _ listing: Listing, _ turn: Turn) {
        playhead.goOn(from: date, at: turn.now, turn.plan.timebase)
        guard bufferEnd(listing).map({ $0 < date.microseconds }) ?? true else { return }
        startLoading(at: date)
        _ = loading.change { $0.reset() }
    }

    /// Ads begin in its place: nothing of it is loaded until the viewer rejoins.
    mutating func replace() { isReplaced = true }

    /// The viewer is back at it: what passed meanwhile is not loaded.
    mutating func rejoin(_ listing: Listing, _ turn: Turn) {
        isReplaced = false
        if let latency, listing.edge != .min {
            startLoading(at: turn.plan.timebase.wall(at: turn.now.earlier(by: latency)))
        }
        _ = loading.change { $0.reset() }
    }

    /// Books the stall that has just ended, or ends with the viewer's departure.
    ///
    /// - Parameters:
    ///   - end: Of what was buffered: from there on the playhead stood still.
    ///   - turn: Gets the notes.
    /// - Returns: Whether there was one.
    mutating func settleStall(bufferedTo end: Int64?, turn: inout Turn) -> Bool {
        guard let end, !isReplaced, let stall = playhead.stall(bufferedTo: end, until: turn.now, turn.plan.timebase)
        else { return false }
        turn.count(.stalls)
        turn.count(.stalledMilliseconds, by: UInt64(clamping: stall / 1_000_000))
        return true
    }

    /// Whether playback waits for its first segment.
    var waitsForMedia: Bool { (loading.value?.startsAt ?? .min) != .min }

    /// Something is loaded at last: playback starts there, however long that took.
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

    /// Whether segments are to be loaded now.
    var wantsMedia: Bool { !loading.isEmpty && !isReplaced }

    /// Makes place for what is loaded of each rendition.
    mutating func beginLoading() {
        if loading.isEmpty { loading.value = Loading() }
    }

    /// Begins a rendition's next download, unless one is under way.
    ///
    /// - Parameters:
    ///   - rendition: Whose.
    ///   - shared: Its playlist in hand.
    ///   - index: What the request is to carry.
    ///   - turn: Gets the request, or the timer where it is too early.
    /// - Returns: Whether it has begun.
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

    /// A rendition's download was answered; nil says that it came.
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

    /// Another playlist takes the place of a rendition's.
    mutating func moveToOtherPlaylist(_ rendition: PlayedRendition) {
        _ = loading.change { $0[rendition].moveToOtherPlaylist() }
    }

    /// Whether a rendition loads a segment, or its initialisation section, that a version still lists at a moment.
    func awaitsSegment(_ rendition: PlayedRendition, of shared: SharedPlaylist, since: Instant, at now: Instant) -> Bool
    {
        loading.value?[rendition].awaitsListedSegment(of: shared, since: since, at: now) ?? false
    }
}
