import AdServing
import HLS
package import Rules
package import Values

/// One break of one viewer from any source.
///
/// A source announces it (``BreakOffer``). Assets (``AssetQueue``) are loaded by the persona's rules and played by one clock
/// (``AdClock``); a pod is one asset. The outcome (``BreakOutcome``) decides the notes.
package struct Break: Sendable {
    package enum Phase: Sendable {
        /// Known only from a preload range (bis-22 appendix F); its content may already be requested.
        case anticipated
        /// Without a pod, the persona says when the content is requested.
        case scheduled(PodFetch?)
        /// Content requested, none of it playable yet.
        case resolving
        case ready(inHandAt: Instant)
        /// Due in picture in picture; begins on return, if that is in time.
        case deferred(Deferral)
        /// The playhead is at its start, but no content is playable yet.
        case waiting(Arrival)
        indirect case playing(AdClock)
        /// Failed before its start, where the programme will jump by this duration.
        case lapsed(Duration)
        case over
    }

    /// The measurement counts each break once per viewer.
    package enum Booking: UInt8, Sendable {
        case open
        case told
        /// Already reported for an earlier showing, before a seek.
        case repeated
    }

    private enum Showing: UInt8, Sendable {
        case none
        case first
        /// After a seek.
        case again
    }

    package private(set) var phase: Phase
    // Small fields fill the phase's last word.
    package private(set) var booking = Booking.open
    private var showing = Showing.none
    /// Distinguishes its requests from those of other breaks, and of its own showing before a seek.
    package private(set) var serial: UInt16
    /// Requested content, until the break is over; a stitched break has none.
    var requested = OptionalBox<AssetQueue>()
    package var offer: any BreakOffer
    /// Start for this viewer, for a pre-roll where the viewer began; nil while unknown.
    package var start: WallTime?
    package let knownAt: Instant
    /// Offset in the break at which a viewer that joined inside begins.
    package var joinedAt: Duration?
    package var preload = PreloadChoice.open
    /// Nanoseconds from the content's arrival to its handling by podswarm.
    private var ownDelay: Int64 = 0

    package init(_ offer: any BreakOffer, serial: UInt16, phase: Phase, knownAt: Instant) {
        (self.offer, self.serial, self.phase, self.knownAt) = (offer, serial, phase, knownAt)
        self.start = offer.start
    }

    package var planned: PlannedBreak { offer.planned }

    package var content: AssetQueue? { requested.value }

    /// The content once its assets are known.
    var queue: AssetQueue? { content.flatMap { $0.list == nil ? $0 : nil } }

    /// Answers to earlier requests carry the old serial and are not read.
    package mutating func restart(serial: UInt16) {
        (self.serial, phase) = (serial, .scheduled(nil))
        requested.value = nil
    }

    /// The URL names the previous session, so it must be built again.
    package mutating func forgetAddress() {
        guard case .scheduled(var fetch?) = phase else { return }
        fetch.address = nil
        phase = .scheduled(fetch)
    }

    /// For a viewer that sought back to before the break, or into it.
    package func revived(serial: UInt16, joinedAt: Duration?, now: Instant) -> Break {
        var again = Break(offer, serial: serial, phase: .scheduled(nil), knownAt: now)
        again.booking = .repeated
        if showing != .none { again.showing = .again }
        again.start = start
        again.joinedAt = joinedAt
        again.preload = .none
        return again
    }
}

package struct Arrival: Sendable {
    package let dueAt: Instant
    package let leftAt: WallTime
    /// Sum of the resume offsets of breaks of the same date that were played before.
    package let carried: Duration
}

/// State of a break that waits for the viewer's return from picture in picture.
package struct Deferral: Sendable {
    package let dueAt: Instant
    /// End of the break; a later return loses it.
    package let until: Instant
    package var inHandAt: Instant?
}

package struct PodFetch: Sendable {
    package enum Time: Sendable {
        /// At one instant for all viewers.
        case at(Instant)
        /// Nanoseconds after the playhead reaches the break; mostly negative.
        case afterPlayhead(Int64)
        case buffered
        /// As soon as the viewer, which missed the planned time, can; at the latest at `until`.
        case postponed(until: Instant)
    }

    package let time: Time
    package var address: PodAddress?

    package var isPostponed: Bool { if case .postponed = time { true } else { false } }
}

package struct PodAddress: Sendable {
    package let url: String
    /// From the session that the pod's URL names: a renewed session may have another URL before the ads begin.
    package let verificationURL: String?
}

/// Point of a preload range at which the content is requested, drawn once (bis-22 appendix F).
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
    /// Name of the case, without its payload.
    fileprivate var name: String { Mirror(reflecting: self).children.first?.label ?? "\(self)" }
}

/// Steps from one phase to another.
///
/// `anticipated` becomes `scheduled` or `resolving`, `scheduled` becomes `resolving`, and that `ready`. Each of `resolving`,
/// `ready`, `waiting` and `deferred` may become another of the last two, or `playing` once content is in hand. `resolving` and
/// `ready` may become `lapsed`, and every phase becomes `over` once. Any other step is reported as a defect and leaves the
/// phase unchanged.
extension Break {
    private func refuse(_ step: StaticString, turn: inout Turn) {
        turn.act(.defect("a break that is \(phase.name) cannot \(step)"))
    }

    package mutating func prepare(_ fetch: PodFetch, turn: inout Turn) {
        guard case .scheduled(.some) = phase else { return refuse("be prepared", turn: &turn) }
        phase = .scheduled(fetch)
    }

    mutating func resolve(_ content: AssetQueue, turn: inout Turn) {
        switch phase {
        case .anticipated: break
        case .scheduled: phase = .resolving
        default: return refuse("be resolved", turn: &turn)
        }
        requested.value = content
    }

    package mutating func forgetAnticipated(turn: inout Turn) {
        guard isAnticipated else { return refuse("be anticipated again", turn: &turn) }
        requested.value = nil
    }

    /// Leaves `anticipated` once the announced range is listed.
    ///
    /// A range that was listed before, and then gave way to its preload range, has left `anticipated` already.
    package mutating func becomeReal() { if isAnticipated { phase = requested.isEmpty ? .scheduled(nil) : .resolving } }

    /// Returns when the target delivered the content, without the time that answers waited in their sockets.
    package mutating func cameInHand(_ turn: Turn) -> Instant {
        ownDelay = queue?.ownDelay ?? turn.handling
        return turn.now &- ownDelay
    }

    /// Makes the break ready for the playhead, or for the viewer's return.
    package mutating func becomeReady(at now: Instant, turn: inout Turn) {
        switch phase {
        case .resolving: phase = .ready(inHandAt: now)
        case .deferred(var deferral):
            deferral.inHandAt = now
            phase = .deferred(deferral)
        default: refuse("become ready", turn: &turn)
        }
    }

    /// Waits for content, with the playhead at the start or the viewer back in standard playback.
    package mutating func wait(_ arrival: Arrival, turn: inout Turn) {
        switch phase {
        case .resolving, .deferred: phase = .waiting(arrival)
        default: refuse("wait for content", turn: &turn)
        }
    }

    package mutating func waitForReturn(_ deferral: Deferral, turn: inout Turn) {
        switch phase {
        case .resolving, .ready, .waiting: phase = .deferred(deferral)
        default: refuse("wait for the viewer", turn: &turn)
        }
    }

    package mutating func play(_ clock: AdClock, turn: inout Turn) {
        switch phase {
        case .ready, .deferred, .waiting, .playing: phase = .playing(clock)
        default: refuse("play", turn: &turn)
        }
    }

    /// Every showing is an ad period, only the first an ad break (IMA DAI SDK, StreamEvent.Type).
    mutating func noteStart(turn: inout Turn) {
        if showing == .none { showing = .first }
        if showing == .first { turn.note(.adEvent(.adBreakStarted), of: planned) }
        turn.note(.adEvent(.adPeriodStarted), of: planned)
    }

    func noteEnd(turn: inout Turn) {
        turn.note(.adEvent(.adPeriodEnded), of: planned)
        if showing == .first { turn.note(.adEvent(.adBreakEnded), of: planned) }
    }

    package var isOver: Bool { if case .over = phase { true } else { false } }

    var isAnticipated: Bool { if case .anticipated = phase { true } else { false } }

    package var isUnasked: Bool { if case .scheduled = phase { true } else { isAnticipated && requested.isEmpty } }

    package var isAhead: Bool {
        switch phase {
        case .scheduled, .resolving, .ready, .lapsed: true
        case .anticipated, .deferred, .waiting, .playing, .over: false
        }
    }

    /// Whether session changes must wait for it: for a pod from its request on, for others while they have the playhead.
    package var isGoingOn: Bool {
        switch phase {
        case .waiting, .playing: true
        case .resolving, .ready, .deferred: offer.programme == .replaced
        case .anticipated, .scheduled, .lapsed, .over: false
        }
    }

    /// Nil unless the break has the playhead.
    package var arrival: Arrival? {
        switch phase {
        case .waiting(let arrival): arrival
        case .playing(let clock): clock.arrival
        case .anticipated, .scheduled, .resolving, .ready, .deferred, .lapsed, .over: nil
        }
    }

    package var isPodInHandOrDue: Bool {
        guard offer.programme == .replaced else { return false }
        switch phase {
        case .ready, .waiting, .playing: return true
        case .deferred(let deferral): return deferral.inHandAt != nil
        case .anticipated, .scheduled, .resolving, .lapsed, .over: return false
        }
    }

    /// Whether it is due at an instant for all viewers; a viewer's player places a break of its own elsewhere.
    var isByWallClock: Bool { offer.isByWallClock && start == offer.start }

    /// Whether the viewer's player has a computed break at a time of its own.
    var isOfPlayer: Bool { offer.isByWallClock && !isByWallClock }

    /// `end` is excluded.
    package func isMet(from first: WallTime, to end: WallTime) -> Bool {
        guard isAhead, let start, !offer.isPreRoll, !isByWallClock else { return false }
        return offer.programme != .carriesIt && start >= first && start < end
    }

    package var clock: AdClock? { if case .playing(let clock) = phase { clock } else { nil } }

    /// Uses the content's arrival: the instant of the playhead's timer would credit the target for a late timer.
    ///
    /// `lineDelay`: nanoseconds by which the viewer's line delayed a stitched break.
    package mutating func bookPunctuality(inHandAt: Instant, dueAt: Instant, lineDelay: Int64 = 0, turn: inout Turn) {
        let afterStart = inHandAt &- dueAt
        let lineDelay = queue?.lineDelay ?? lineDelay
        let grace = turn.plan.graceNanoseconds
        if booking == .open, afterStart <= grace, afterStart &+ ownDelay > grace,
            ownDelay > turn.plan.handlingNanoseconds
        {
            turn.count(.podsHandledLate)
        }
        book(
            afterStart <= grace
                ? .breakOnTime(afterStart: afterStart, inHandAt: inHandAt)
                : .breakLate(
                    by: afterStart &- grace,
                    inHandAt: inHandAt,
                    isOfLine: afterStart.subtractingClamped(lineDelay) <= grace
                ),
            turn: &turn
        )
    }

    mutating func book(_ note: ViewerNote, turn: inout Turn) {
        guard booking == .open else { return }
        booking = .told
        turn.note(.breakDue, of: planned)
        turn.note(note, of: planned)
    }

    package mutating func pass(_ reason: SkipReason, turn: inout Turn) {
        guard booking == .open else { return }
        booking = .told
        turn.note(.breakSkipped(reason), of: planned)
    }

    package mutating func conclude(_ outcome: BreakOutcome, turn: inout Turn) {
        guard !isOver else { return refuse("end again", turn: &turn) }
        tell(outcome, turn: &turn)
        phase = .over
        requested.value = nil
    }

    /// The programme still jumps when the playhead reaches the start.
    package mutating func lapse(_ outcome: BreakOutcome, by offset: Duration, turn: inout Turn) {
        switch phase {
        case .resolving, .ready:
            tell(outcome, turn: &turn)
            phase = .lapsed(offset)
            requested.value = nil
        default: refuse("lapse", turn: &turn)
        }
    }

    private mutating func tell(_ outcome: BreakOutcome, turn: inout Turn) {
        if case .lapsed = phase { return }
        switch outcome {
        case .failed(let reason): book(.breakFailed(reason), turn: &turn)
        case .leftOut(let reason): pass(reason, turn: &turn)
        case .finished, .cutShort, .skipped, .beforePlayback, .cancelled, .left, .past: break
        }
        if planned.source != .stitched, let counter = outcome.counter { turn.count(counter) }
        if let fill = fill(outcome, turn) {
            turn.note(.breakFilled(asked: fill.asked, filled: fill.filled), of: planned)
        }
    }

    /// Nanoseconds of ads; nil if the viewer requested nothing, or gave the break up itself before the start.
    private func fill(_ outcome: BreakOutcome, _ turn: Turn) -> (asked: Int64, filled: Int64)? {
        guard !isAnticipated, booking != .repeated, let content, offer.programme != .carriesIt else { return nil }
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
        return (asked, clock.map { min($0.filled(content, now: turn.now), asked) } ?? 0)
    }

    /// `dueAt` is when the playhead reaches the break.
    package mutating func left(dueAt: Instant, turn: inout Turn) {
        let overdueSince = turn.now &- turn.plan.graceNanoseconds
        switch (phase, offer.programme) {
        case (.anticipated, _), (.over, _): return
        case (.resolving, .carriesIt):
            // Not a failure of the target before its time.
            return conclude(dueAt < overdueSince ? .failed(.deadlineMissed) : .past, turn: &turn)
        case (.ready, .carriesIt): return conclude(.past, turn: &turn)
        case (.scheduled, _): break
        case (.resolving, _), (.ready, _), (.deferred, _), (.lapsed, _): pass(.leftBefore, turn: &turn)
        case (.waiting(let arrival), _):
            if arrival.dueAt < overdueSince {
                book(.breakFailed(cause(of: .deadlineMissed, turn)), turn: &turn)
            } else {
                pass(.leftBefore, turn: &turn)
            }
        case (.playing, _): turn.count(.leftDuringAds)
        }
        conclude(.left, turn: &turn)
    }

    /// A failure is the line's if the target had answered by the end of the grace.
    func cause(of failure: BreakFailure, _ turn: Turn) -> BreakFailure {
        guard failure == .deadlineMissed || failure == .assetFailed, let assets = queue?.assets else { return failure }
        let lastAt = arrival?.dueAt.later(by: turn.plan.graceNanoseconds) ?? .distantFuture
        return assets.contains { $0.isOnLine(answeredBy: lastAt) } ? .ownLine : failure
    }

    /// `index`: that of the asset.
    package func subject(ofAsset index: UInt8) -> BreakSubject {
        let (assets, isTrimmed) = (content?.assets ?? [], content?.isTrimmed ?? false)
        return BreakSubject(
            planned: planned,
            isSameForAll: offer.interstitial?.contentMayVary == false,
            isTrimmed: isTrimmed,
            isNearlyOver: isTrimmed && isJoinedNearItsEnd,
            isAssetList: offer.content?.isAssetList ?? false,
            longestContent: offer.interstitial?.longestContent,
            asset: assets.indices.contains(Int(index)) ? assets[Int(index)] : nil
        )
    }

    /// Whether the viewer joined in the last second; true without an announced duration.
    private var isJoinedNearItsEnd: Bool {
        guard let joinedAt, let length = offer.interstitial?.announcedDuration else { return true }
        return joinedAt + .seconds(1) > length
    }
}

/// A break as an audit sees it.
package struct BreakSubject: Sendable {
    package let planned: PlannedBreak
    /// X-CONTENT-MAY-VARY=NO (bis-22 appendix D.2).
    package let isSameForAll: Bool
    /// Whether the list was requested from the viewer's join on.
    package let isTrimmed: Bool
    /// Whether the viewer joined so late that no asset may be left to play.
    package let isNearlyOver: Bool
    package let isAssetList: Bool
    /// See ``Interstitial/longestContent``.
    package var longestContent: Duration?
    /// Nil if the break has no such asset.
    package var asset: Asset?

    package var isOwn: Bool { planned.isOwn }

    /// Whether a request is the first that the break's content needs; bursts consist of these.
    package func isContentRequest(_ role: ViewerRole, index: UInt8) -> Bool {
        switch role {
        case .podManifest, .assetList: true
        case .assetManifest: !isAssetList && index == 0
        default: false
        }
    }
}
