import AdServing
package import Audience
package import Rulebook
package import Time

/// One break as one viewer has it, whatever brought it: a pod of the viewer's own schedule or of a date range, an
/// interstitial with an asset or a list, a pre-roll, or a break that is stitched into the programme.
///
/// A source says that there is a break (``BreakOffer``). The break then goes through the phases below, and each phase
/// carries what is known in it and nothing else. What it brings are assets (``BreakContent``): a pod is one asset, which is
/// its manifest, and an interstitial's are those that its tag or its list names. They are loaded by the persona's rules for
/// each kind of request, alike for all breaks. One clock plays them (``AdClock``). What the break came to is one value
/// (``BreakOutcome``), from which follows what is noted. Which break has the playhead, the viewer decides.
package struct Break: Sendable {
    package enum Phase: Sendable {
        /// Only a preload range speaks of it yet (bis-22 appendix F); its content may have been asked for all the same.
        indirect case anticipated(BreakContent?)
        /// Its content was not asked for.
        case scheduled(BreakPlanning)
        /// Its content was asked for, and nothing of it can be played yet.
        indirect case resolving(BreakContent)
        /// It can begin with what came at a moment.
        indirect case ready(BreakContent, inHandAt: Instant)
        /// The viewer was in picture in picture when the playhead was there: it begins on return, if that is in time.
        indirect case deferred(BreakContent, Deferral)
        /// The playhead is there, and nothing of it can be played yet.
        indirect case waiting(BreakContent, Arrival)
        indirect case playing(BreakContent, AdClock)
        /// It has come to nothing, and its moment is still to come, in which the programme jumps by this.
        case lapsed(Duration)
        case over
    }

    /// What the measurement was told of it: each viewer has a break there once.
    package enum Booking: UInt8, Sendable {
        case open
        case told
        /// It was told of an earlier showing, and the viewer sought back.
        case repeated
    }

    /// Tells its requests from those of the viewer's other breaks, and of its own earlier life before a seek.
    package private(set) var serial: UInt16
    package private(set) var booking = Booking.open
    package private(set) var phase: Phase
    package var offer: any BreakOffer
    /// Where in the programme it begins for this viewer, a pre-roll where the viewer began; nil while that is not known.
    package var start: WallTime?
    /// When the viewer first knew of it.
    package let knownAt: Instant
    /// Where in the break a viewer that joined inside of it begins.
    package var joinedAt: Duration?
    package var preload = PreloadChoice.open
    /// Nanoseconds by which the content was in hand earlier than podswarm had it.
    private var ownDelay: Int64 = 0

    package init(_ offer: any BreakOffer, serial: UInt16, phase: Phase, knownAt: Instant) {
        self.offer = offer
        self.serial = serial
        self.phase = phase
        self.knownAt = knownAt
        self.start = offer.start
    }

    package var planned: PlannedBreak { offer.planned }

    /// The content, as far as it was asked for.
    package var content: BreakContent? {
        switch phase {
        case .anticipated(let content): content
        case .resolving(let content), .ready(let content, _), .deferred(let content, _): content
        case .waiting(let content, _), .playing(let content, _): content
        case .scheduled, .lapsed, .over: nil
        }
    }

    /// Changes the content where it is, without a copy of the assets.
    mutating func withContent<Result>(_ change: (inout BreakContent) -> Result) -> Result? {
        guard var content else { return nil }
        let before = phase
        phase = .over
        let result = change(&content)
        phase = before.with(content)
        return result
    }

    /// Begins its life anew under another serial, so that answers to what was asked before are not read.
    package mutating func restart(serial: UInt16, in phase: Phase) {
        self.serial = serial
        self.phase = phase
    }

    /// The viewer has another session: a request that was made out in the name of the older one is made out anew.
    package mutating func forgetAddress() {
        guard case .scheduled(.pod(var fetch)) = phase else { return }
        fetch.address = nil
        phase = .scheduled(.pod(fetch))
    }

    /// The same break for a viewer that has sought back to before it, or into it.
    package func revived(serial: UInt16, joinedAt: Duration?, now: Instant) -> Break {
        var again = Break(offer, serial: serial, phase: .scheduled(.byTrigger), knownAt: now)
        again.booking = .repeated
        again.joinedAt = joinedAt
        again.preload = .none
        return again
    }
}

/// Where the playhead was when it reached a break.
package struct Arrival: Sendable {
    /// When it was to be there.
    package let dueAt: Instant
    /// Where the programme was left.
    package let leftAt: WallTime
    /// Resume offsets of the breaks of the same date that were played before it.
    package let carried: Duration

    package init(dueAt: Instant, leftAt: WallTime, carried: Duration) {
        self.dueAt = dueAt
        self.leftAt = leftAt
        self.carried = carried
    }
}

/// A break that waits for the viewer's return from picture in picture.
package struct Deferral: Sendable {
    /// When the playhead was there.
    package let dueAt: Instant
    /// When the break is over: a return after that is too late.
    package let until: Instant
    /// When its content was in hand; nil while it is not.
    package var inHandAt: Instant?

    package init(dueAt: Instant, until: Instant, inHandAt: Instant?) {
        self.dueAt = dueAt
        self.until = until
        self.inHandAt = inHandAt
    }
}

/// When a break's content is asked for, and what is ready for that.
package enum BreakPlanning: Sendable {
    /// When the persona's trigger says so.
    case byTrigger
    /// At an instant of the viewer's own break.
    case pod(PodFetch)
}

/// When a pod is asked for, and the request, once it is made out.
package struct PodFetch: Sendable {
    package enum Time: Sendable {
        /// The same for all viewers.
        case at(Instant)
        /// So many nanoseconds after the playhead is at the break; mostly negative.
        case afterPlayhead(Int64)
        /// As soon as the viewer can, which could not in time; then at the latest.
        case postponed(until: Instant)
    }

    package let time: Time
    package var address: PodAddress?

    package init(time: Time, address: PodAddress? = nil) {
        self.time = time
        self.address = address
    }

    package var isPostponed: Bool {
        if case .postponed = time { true } else { false }
    }
}

/// Where a pod is asked for, and where the pings of its ads go.
package struct PodAddress: Sendable {
    package let url: String
    /// Of the session that the URL names: a renewed one may have another place before the ads begin.
    package let verificationURL: String?

    package init(url: String, verificationURL: String?) {
        self.url = url
        self.verificationURL = verificationURL
    }
}

/// The point of a preload range at which the content is asked for, drawn once (bis-22 appendix F).
package enum PreloadChoice: Sendable, Equatable {
    case open
    case none
    case at(WallTime)
    case taken(WallTime)

    package var point: WallTime? {
        switch self {
        case .at(let point), .taken(let point): point
        case .open, .none: nil
        }
    }
}

extension Break.Phase {
    /// The same with other content; what has none stays as it is.
    fileprivate func with(_ content: BreakContent) -> Break.Phase {
        switch self {
        case .anticipated: .anticipated(content)
        case .resolving: .resolving(content)
        case .ready(_, let inHandAt): .ready(content, inHandAt: inHandAt)
        case .deferred(_, let deferral): .deferred(content, deferral)
        case .waiting(_, let arrival): .waiting(content, arrival)
        case .playing(_, let clock): .playing(content, clock)
        case .scheduled, .lapsed, .over: self
        }
    }
}

// What may follow what: a step that does not fit leaves the phase as it is.
extension Break {
    /// The request of its pod is made out.
    package mutating func prepare(_ fetch: PodFetch) {
        guard case .scheduled(.pod) = phase else { return }
        phase = .scheduled(.pod(fetch))
    }

    /// What it brings was asked for.
    mutating func resolve(_ content: BreakContent) {
        switch phase {
        case .anticipated: phase = .anticipated(content)
        case .scheduled: phase = .resolving(content)
        case .resolving, .ready, .deferred, .waiting, .playing, .lapsed, .over: break
        }
    }

    /// What was asked for ahead of its time is given up.
    package mutating func forgetAnticipated() {
        guard case .anticipated = phase else { return }
        phase = .anticipated(nil)
    }

    /// What a preload range spoke of is there.
    package mutating func becomeReal() {
        guard case .anticipated(let content) = phase else { return }
        phase = content.map { .resolving($0) } ?? .scheduled(.byTrigger)
    }

    /// Its content is there to be played.
    ///
    /// - Returns: When it was in hand by what the target did, without the time that answers had lain in their sockets.
    package mutating func cameInHand(_ turn: Turn) -> Instant {
        ownDelay = content?.queue?.ownDelay ?? turn.handling
        return turn.now &- ownDelay
    }

    /// It can begin from now on: when the playhead is there, or the viewer returns.
    package mutating func becomeReady(at now: Instant) {
        switch phase {
        case .resolving(let content): phase = .ready(content, inHandAt: now)
        case .deferred(let content, var deferral):
            deferral.inHandAt = now
            phase = .deferred(content, deferral)
        case .anticipated, .scheduled, .ready, .waiting, .playing, .lapsed, .over: break
        }
    }

    /// The playhead is there, or the viewer has returned, and nothing can be played.
    package mutating func wait(_ arrival: Arrival) {
        switch phase {
        case .resolving(let content), .deferred(let content, _): phase = .waiting(content, arrival)
        case .anticipated, .scheduled, .ready, .waiting, .playing, .lapsed, .over: break
        }
    }

    /// It was to begin, and the viewer is in picture in picture.
    package mutating func waitForReturn(_ deferral: Deferral) {
        switch phase {
        case .resolving(let content), .ready(let content, _), .waiting(let content, _):
            phase = .deferred(content, deferral)
        case .anticipated, .scheduled, .deferred, .playing, .lapsed, .over: break
        }
    }

    /// Its ads play, as far as the clock says.
    package mutating func play(_ clock: AdClock) {
        switch phase {
        case .ready(let content, _), .deferred(let content, _), .waiting(let content, _), .playing(let content, _):
            phase = .playing(content, clock)
        case .anticipated, .scheduled, .resolving, .lapsed, .over: break
        }
    }
}

// What the phases mean to others.
extension Break {
    package var isOver: Bool {
        if case .over = phase { true } else { false }
    }

    /// Whether its content is still to be asked for.
    package var isUnasked: Bool {
        switch phase {
        case .scheduled, .anticipated(nil): true
        case .anticipated, .resolving, .ready, .deferred, .waiting, .playing, .lapsed, .over: false
        }
    }

    /// Whether it is still to begin.
    package var isAhead: Bool {
        switch phase {
        case .scheduled, .resolving, .ready, .lapsed: true
        case .anticipated, .deferred, .waiting, .playing, .over: false
        }
    }

    /// Whether it has the playhead.
    package var isCurrent: Bool {
        switch phase {
        case .waiting, .playing: true
        case .anticipated, .scheduled, .resolving, .ready, .deferred, .lapsed, .over: false
        }
    }

    /// Whether it is bound to what the viewer has now: a pod from its request on, others while they have the playhead.
    package var isGoingOn: Bool {
        switch phase {
        case .waiting, .playing: true
        case .resolving, .ready, .deferred: offer.programme == .replaced
        case .anticipated, .scheduled, .lapsed, .over: false
        }
    }

    /// When the playhead was to reach it; nil where it is not there, or was passed over.
    package var arrival: Arrival? {
        switch phase {
        case .waiting(_, let arrival): arrival
        case .playing(_, let clock): clock.arrival
        case .anticipated, .scheduled, .resolving, .ready, .deferred, .lapsed, .over: nil
        }
    }

    /// Whether it is a pod that is in hand, or that the playhead waits for.
    package var isPodInHandOrDue: Bool {
        guard offer.programme == .replaced else { return false }
        switch phase {
        case .ready, .waiting, .playing: return true
        case .deferred(_, let deferral): return deferral.inHandAt != nil
        case .anticipated, .scheduled, .resolving, .lapsed, .over: return false
        }
    }

    /// Whether it is to be met between two dates of the programme, the first included.
    package func isMet(from first: WallTime, to end: WallTime) -> Bool {
        guard isAhead, let start, !offer.isPreRoll, !offer.isByWallClock else { return false }
        return offer.programme != .carriesIt && start >= first && start < end
    }

    package var clock: AdClock? {
        if case .playing(_, let clock) = phase { clock } else { nil }
    }
}

// What a break comes to, each thing noted once.
extension Break {
    /// Tells the measurement by when the content was in hand, for a viewer that is to show the break.
    ///
    /// Not by when the playhead's timer fired: a late timer is no merit of the target.
    package mutating func bookPunctuality(inHandAt: Instant, dueAt: Instant, turn: inout Turn) {
        let afterStart = inHandAt &- dueAt
        let grace = turn.plan.graceNanoseconds
        if booking == .open, afterStart <= grace, afterStart &+ ownDelay > grace,
            ownDelay > turn.plan.handlingNanoseconds
        {
            turn.count(.podsHandledLate)
        }
        book(
            afterStart <= grace
                ? .breakOnTime(afterStart: afterStart, inHandAt: inHandAt)
                : .breakLate(by: afterStart &- grace, inHandAt: inHandAt),
            turn: &turn
        )
    }

    /// Tells the measurement what the break came to for a viewer that should have shown it.
    mutating func book(_ note: ViewerNote, turn: inout Turn) {
        guard booking == .open else { return }
        booking = .told
        turn.note(.breakDue, of: planned)
        turn.note(note, of: planned)
    }

    /// Tells the measurement that the viewer was not to show the break after all.
    package mutating func pass(_ reason: SkipReason, turn: inout Turn) {
        guard booking == .open else { return }
        booking = .told
        turn.note(.breakSkipped(reason), of: planned)
    }

    /// Ends the break, and notes what it came to; one that is over stays so.
    package mutating func conclude(_ outcome: BreakOutcome, turn: inout Turn) {
        if case .over = phase { return }
        tell(outcome, turn: &turn)
        phase = .over
    }

    /// The break has come to nothing, and the programme jumps all the same when the playhead is there.
    package mutating func lapse(_ outcome: BreakOutcome, by offset: Duration, turn: inout Turn) {
        tell(outcome, turn: &turn)
        phase = .lapsed(offset)
    }

    private mutating func tell(_ outcome: BreakOutcome, turn: inout Turn) {
        if case .lapsed = phase { return }
        switch outcome {
        case .failed(let reason): book(.breakFailed(reason), turn: &turn)
        case .leftOut(let reason): pass(reason, turn: &turn)
        case .finished, .cutShort, .skipped, .beforePlayback, .cancelled, .left, .past: break
        }
        if offer.isCounted, let counter = outcome.counter { turn.count(counter) }
        if let fill = fill(outcome, turn) {
            turn.note(.breakFilled(asked: fill.asked, filled: fill.filled), of: planned)
        }
    }

    /// Nanoseconds that the viewer asked ads for, and those of them that were filled; nil where it asked for nothing, or
    /// gave the break up of its own accord before it began.
    private func fill(_ outcome: BreakOutcome, _ turn: Turn) -> (asked: Int64, filled: Int64)? {
        if case .anticipated = phase { return nil }
        guard booking != .repeated, let content, offer.programme != .carriesIt else { return nil }
        let slot = (planned.scheduled.duration - (joinedAt ?? .zero)).nanosecondsHeld
        let whole = min(slot, offer.playoutLimit(turn.plan) ?? .max)
        let watched: Int64
        switch outcome {
        case .leftOut, .beforePlayback, .past: return nil
        case .finished, .cutShort, .cancelled: watched = .max
        case .failed: watched = turn.plan.endsAt &- turn.now
        case .skipped, .left:
            guard let arrival else { return nil }
            watched = turn.now &- arrival.dueAt
        }
        let asked = max(min(whole, watched), 0)
        guard case .assets(let queue) = content, let clock else { return (asked, 0) }
        return (asked, min(clock.filled(queue, now: turn.now), asked))
    }

    /// The viewer leaves: what the break came to is settled first.
    ///
    /// `dueAt` is when the playhead reaches it.
    package mutating func left(dueAt: Instant, turn: inout Turn) {
        let overdueSince = turn.now &- turn.plan.graceNanoseconds
        switch (phase, offer.programme) {
        case (.anticipated, _), (.over, _): return
        case (.resolving, .carriesIt):
            // Announced and never shown, which is not held against the target before its time.
            conclude(dueAt < overdueSince ? .failed(.deadlineMissed) : .past, turn: &turn)
        case (.ready, .carriesIt): conclude(.past, turn: &turn)
        case (.scheduled, _): break
        case (.resolving, _), (.ready, _), (.deferred, _), (.lapsed, _): pass(.leftBefore, turn: &turn)
        case (.waiting(_, let arrival), _):
            if arrival.dueAt < overdueSince {
                book(.breakFailed(.deadlineMissed), turn: &turn)
            } else {
                pass(.leftBefore, turn: &turn)
            }
        case (.playing, _): turn.count(.leftDuringAds)
        }
        conclude(.left, turn: &turn)
    }
}
