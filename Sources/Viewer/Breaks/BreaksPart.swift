import AdServing
import Audience
import Breaks
import LoadProfile
import Rulebook
import Time

/// The breaks of one viewer: which there are, and what is due about them when.
///
/// It is told what happened and writes into the turn what is to be done: it has breaks asked for in their time, and lets
/// the screen show them. A viewer between breaks carries the one that comes next and no more.
struct BreaksPart: Sendable {
    var breaks: BreakAgenda
    private var timers = BreakTimers()
    var screen = Screen()

    init(_ plan: ViewerPlan) { breaks = BreakAgenda(plan) }

    // MARK: What others ask

    /// Whether a break goes on: a pod from its request on, any other while it has the playhead.
    var isGoingOn: Bool { breaks.indices.contains { breaks[$0].isGoingOn } }

    /// Whether ads are shown.
    var showsAds: Bool { screen.showsAds(breaks) }

    /// Whether the answer to a metadata poll would be read, not only counted.
    var wantsMetadata: Bool {
        screen.wantsMetadata(hasPodInHand: breaks.own.map { breaks[$0].isPodInHandOrDue } ?? false)
    }

    var pingedListedID: Bool { screen.keepsExtras && screen.tracking.wasListed }

    /// Start of the viewer's own break that it waits for; nil where none is in sight.
    var nextBreakStart: WallTime? {
        guard let own = breaks.own, case .scheduled = breaks[own].phase else { return nil }
        return breaks[own].planned.scheduled.start
    }

    /// The latest start among breaks of the channel that are not over; nil where there is none.
    var lastStartOfChannel: WallTime? {
        breaks.indices.lazy.filter { breaks[$0].planned.source != .schedule }.compactMap { breaks[$0].start }.max()
    }

    /// The break that a request belongs to; nil where it is over.
    func subject(ofSerial serial: UInt16) -> BreakSubject? { breaks.index(ofSerial: serial).map { breaks[$0].subject } }

    /// The asset that a request of a break is for; nil where that is over, or has no such asset.
    func asset(ofSerial serial: UInt16, index: UInt8) -> AssetSubject? {
        breaks.index(ofSerial: serial).flatMap { breaks[$0].assetSubject(index) }
    }

    // MARK: What happened

    mutating func joined(_ playback: inout PlaybackPart, _ session: SessionPart, turn: inout Turn) {
        screen.pictureInPicture.joined(turn: &turn)
        breaks.joined(turn: &turn)
        settle(playback, session, turn: &turn)
    }

    /// The viewer watches: a pod that it could not ask for before can be asked for.
    mutating func began(_ playback: PlaybackPart, _ session: SessionPart, turn: inout Turn) {
        settle(playback, session, turn: &turn)
    }

    /// A version of the live playlist that brings anything new.
    mutating func programmeChanged(
        _ shared: SharedPlaylist,
        _ playback: inout PlaybackPart,
        _ session: SessionPart,
        turn: inout Turn
    ) {
        guard turn.plan.calendar.readsPlaylist || shared.schedule != nil else { return }
        let reading = breaks.programmeChanged(shared, playback, turn: &turn)
        if reading == .firstInterstitials { screen.planSeek(turn: &turn) }
        for index in breaks.indices {
            screen.take(breaks[index].loadAnticipated(turn: &turn), index, &breaks, &playback, turn: &turn)
        }
        progress(nil, &playback, session, turn: &turn)
    }

    /// The end of what is buffered has moved.
    mutating func bufferAdvanced(_ playback: inout PlaybackPart, _ session: SessionPart, turn: inout Turn) {
        guard breaks.indices.contains(where: { breaks[$0].offer.programme != .replaced }) else { return }
        progress(nil, &playback, session, turn: &turn)
    }

    /// The playhead is not where it would have been: a stall has ended, or playback has begun.
    mutating func playheadShifted(_ playback: inout PlaybackPart, _ session: SessionPart, turn: inout Turn) {
        guard breaks.indices.contains(where: { !breaks[$0].offer.isByWallClock }) else { return }
        progress(nil, &playback, session, turn: &turn)
    }

    /// The viewer has another session: what was made out in the name of an older one is made out anew.
    mutating func sessionChanged(_ playback: PlaybackPart, _ session: SessionPart, turn: inout Turn) {
        for index in breaks.indices { breaks[index].forgetAddress() }
        settle(playback, session, turn: &turn)
    }

    /// An answer to a request of a break; one of a break that is over is counted and not read.
    mutating func answered(
        _ answer: BreakAnswer,
        _ playback: inout PlaybackPart,
        _ session: SessionPart,
        turn: inout Turn
    ) {
        guard let index = breaks.index(ofSerial: answer.serial) else { return }
        if case .segment(let mediaIDs?) = answer.content, screen.keepsExtras,
            let asset = breaks[index].content?.queue?.assets.first, let segment = asset.timedSegment(mediaIDs)
        {
            screen.tracking.loaded(segment, of: breaks[index].planned)
        }
        screen.take(breaks[index].answered(answer, turn: &turn), index, &breaks, &playback, turn: &turn)
        progress(nil, &playback, session, turn: &turn)
    }

    mutating func timerFired(
        _ timer: ViewerTimer,
        _ playback: inout PlaybackPart,
        _ session: SessionPart,
        turn: inout Turn
    ) {
        timers.fired(timer)
        switch timer {
        case .breakPreparation: prepareOwn(playback, session, isTimer: true, turn: &turn)
        case .breakFetch:
            // A loop that lags may come here first.
            prepareOwn(playback, session, isTimer: false, turn: &turn)
            askForOwn(&playback, session, turn: &turn)
        case .pictureInPicture: screen.changePictureInPicture(&breaks, &playback, turn: &turn)
        default: break
        }
        progress(timer, &playback, session, turn: &turn)
    }

    /// Somebody calls for a break that no schedule had.
    mutating func called(_ planned: PlannedBreak, _ playback: PlaybackPart, _ session: SessionPart, turn: inout Turn) {
        breaks.called(planned, turn: &turn)
        settle(playback, session, turn: &turn)
    }

    mutating func learned(_ metadata: SessionMetadata?, turn: inout Turn) {
        guard let metadata, screen.keepsExtras else { return }
        screen.tracking.learned(metadata, isPlaying: screen.replacesProgramme(breaks), turn: &turn)
    }

    /// Metadata is asked for now.
    mutating func metadataAsked() {
        if screen.replacesProgramme(breaks) { screen.tracking.metadataAskedDuringAds() }
    }

    mutating func pingAnswered(turn: inout Turn) {
        guard screen.keepsExtras else { return }
        screen.tracking.pingAnswered(turn: &turn)
        if breaks.own.map({ !breaks[$0].isGoingOn }) ?? true { screen.dropExtras() }
    }

    /// The viewer leaves: what its breaks came to is settled first.
    ///
    /// Breaks that are still to come are lost also to a viewer that was driven off, or whose player had given up: it counts
    /// as shut out, and nothing is noted here.
    mutating func left(_ playback: PlaybackPart, _ session: SessionPart, isDriven: Bool, turn: inout Turn) {
        let timing = screen.timing(breaks, turn)
        for index in breaks.indices where !breaks[index].isOver {
            let dueAt = timing.dueInstant(of: breaks[index], playback, turn)
            if isDriven || playback.isStopped, breaks[index].isAhead, dueAt.map({ $0 >= turn.now }) ?? true {
                breaks[index].conclude(.left, turn: &turn)
                continue
            }
            if isDriven, case .scheduled(.pod(let fetch)) = breaks[index].phase, fetch.isPostponed, let dueAt,
                dueAt >= turn.dueSince, let obstacle = obstacle(to: fetch, playback, session)
            {
                breaks[index].conclude(.failed(obstacle), turn: &turn)
                continue
            }
            breaks[index].left(dueAt: dueAt ?? .distantFuture, turn: &turn)
        }
        screen.currentSerial = 0
    }

    // MARK: Progress

    /// Does all that is due now about the viewer's breaks, and sets the timers for the rest.
    ///
    /// `timer` is the one that fired; nil in the turn of another event.
    private mutating func progress(
        _ timer: ViewerTimer?,
        _ playback: inout PlaybackPart,
        _ session: SessionPart,
        turn: inout Turn
    ) {
        // A player that has given up begins no break any more; ads that it plays go on.
        guard !playback.isStopped || screen.currentSerial != 0 else { return }
        screen.seekWhereDue(&breaks, &playback, turn: &turn)
        // Each step moves one break on; more steps than these there cannot be at one moment.
        for _ in 0..<(BreakList.kept * 4) {
            loadWhatIsDue(&playback, turn: &turn)
            if screen.beginWhatIsDue(timer, &breaks, &playback, turn: &turn) { continue }
            guard screen.playCurrent(&breaks, &playback, turn: &turn) else { break }
        }
        settle(playback, session, turn: &turn)
    }

    /// Makes out the request of the next pod where it is time for it, and sets the timers.
    private mutating func settle(_ playback: PlaybackPart, _ session: SessionPart, turn: inout Turn) {
        prepareOwn(playback, session, isTimer: false, turn: &turn)
        let timing = screen.timing(breaks, turn)
        var fetchAt = screen.nextSeekInstant(turn)
        var preparesAt = Instant.distantFuture
        var startAt = Instant.distantFuture
        let own = breaks.own
        for index in breaks.indices where !breaks[index].isOver {
            let one = breaks[index]
            // One of another source waits for its turn.
            guard index == own || one.offer.programme != .replaced else { continue }
            if let at = one.content?.nextInstant { fetchAt = min(fetchAt, at > turn.now ? at : .distantFuture) }
            if one.isUnasked { fetchAt = min(fetchAt, timing.askingInstant(of: one, playback, turn)) }
            startAt = min(startAt, timing.beginningInstant(of: one, playback, turn))
            preparesAt = min(preparesAt, timing.preparationInstant(of: one, playback, turn))
        }
        timers.set(.breakPreparation, at: preparesAt, turn: &turn)
        timers.set(.breakFetch, at: fetchAt, turn: &turn)
        timers.set(.breakStart, at: startAt, turn: &turn)
        timers.set(.adProgress, at: screen.nextAdInstant(breaks, turn), turn: &turn)
    }
}

/// When the pending timers of the breaks fire; the distant future where they are not set.
private struct BreakTimers: Sendable {
    private var preparation = Instant.distantFuture
    private var fetch = Instant.distantFuture
    private var start = Instant.distantFuture
    private var ads = Instant.distantFuture

    mutating func fired(_ timer: ViewerTimer) { self[timer] = .distantFuture }

    mutating func set(_ timer: ViewerTimer, at instant: Instant, turn: inout Turn) {
        guard self[timer] != instant else { return }
        self[timer] = instant
        if instant == .distantFuture { turn.cancel(timer) } else { turn.schedule(timer, at: instant) }
    }

    private subscript(timer: ViewerTimer) -> Instant {
        get {
            switch timer {
            case .breakPreparation: preparation
            case .breakFetch: fetch
            case .breakStart: start
            default: ads
            }
        }
        set {
            switch timer {
            case .breakPreparation: preparation = newValue
            case .breakFetch: fetch = newValue
            case .breakStart: start = newValue
            default: ads = newValue
            }
        }
    }
}
