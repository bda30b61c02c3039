import AdServing
import HLS
import Profile
import Rules
import Values

struct InterstitialFeed: Sendable {
    /// Dates have a finite resolution.
    static let tolerance = Duration.milliseconds(20)

    private static let keptOnce = 64

    fileprivate var schedule: BreakOffers?
    fileprivate var playedOnce: [String] = []
    /// Latest start of reached interstitials that left the list; one that is listed again is not new.
    fileprivate var forgottenUntil = WallTime.distantPast

    fileprivate enum Place {
        case ahead
        case inside(Duration, startAt: Instant)
        /// The viewer was present at the start.
        case passed(startAt: Instant)
        case past
    }

    mutating func remember(_ offer: any BreakOffer) {
        playedOnce.append(offer.planned.scheduled.key, atMost: Self.keptOnce)
    }
}

extension Screen {
    /// Returns whether these offers are the first.
    mutating func follow(_ offers: BreakOffers, playhead: WallTime, turn: inout Turn) -> Bool {
        let known = feeds.interstitials.schedule
        guard known !== offers else { return false }
        feeds.interstitials.schedule = offers
        prune(offers, playhead: playhead, turn: &turn)
        for offer in offers.interstitials {
            if let index = breaks.interstitial(offer.id) {
                update(index, to: offer, playhead: playhead, turn: &turn)
            } else {
                admit(offer, playhead: playhead, turn: &turn)
            }
        }
        return known == nil
    }

    /// Nil while unknown.
    private func start(of offer: ScheduledInterstitial, _ turn: Turn) -> WallTime? {
        offer.start.flatMap { playback.placed($0, by: turn.playerFacts.persona.interstitials.dates) }
    }

    private mutating func admit(_ offer: ScheduledInterstitial, playhead: WallTime, turn: inout Turn) {
        guard breaks.hasRoom else { return }
        let phase = offer.tag == nil ? Break.Phase.anticipated : .scheduled(nil)
        var new = Break(offer, serial: breaks.takeSerial(), phase: phase, knownAt: turn.now)
        guard offer.tag != nil else { return breaks.insert(new) }
        if !turn.begins { turn.note(.breakDiscovered(at: turn.receivedAt), of: offer.planned) }
        if let doubled = offer.doubledEvent {
            let observed = DoubledPing.observed(doubled)
            turn.found(.pingDoubled, of: offer.planned, expected: DoubledPing.expected, observed: observed)
        }
        new.start = start(of: offer, turn)
        switch place(of: offer, playhead: playhead, turn) {
        case .ahead:
            if offer.isPreRoll { new.start = playhead }
            turn.count(.eventsScheduled)
        case .inside(let offset, let startAt):
            // A viewer that was shut out at the start has lost the break, even if it joins inside.
            if turn.wasShutOut(at: startAt) {
                new = new.revived(serial: new.serial, joinedAt: offset, now: turn.now)
            } else {
                new.joinedAt = offset
            }
            turn.count(.eventsScheduled)
            turn.count(.joinedMidBreak)
        case .passed(let startAt):
            let outcome = turn.outcome(ofPassed: startAt, playback)
            if outcome != .past { turn.count(.eventsScheduled) }
            new.conclude(outcome, turn: &turn)
            turn.noteAnnouncedLate(outcome, startAt, of: offer.planned)
        case .past: new.conclude(.past, turn: &turn)
        }
        breaks.insert(new)
    }

    private func place(of offer: ScheduledInterstitial, playhead: WallTime, _ turn: Turn)
        -> InterstitialFeed.Place
    {
        if offer.isOnce, feeds.interstitials.playedOnce.contains(offer.id) { return .past }
        if offer.isPreRoll { return turn.begins ? .ahead : .past }
        guard let start = start(of: offer, turn) else {
            // A player that has not placed it yet will only if its media is ahead.
            let covered = offer.start.flatMap { playback.placed($0, by: .coveringTag) }
            return covered.map { $0 + InterstitialFeed.tolerance < playhead } ?? false ? .past : .ahead
        }
        guard start + InterstitialFeed.tolerance < playhead else { return .ahead }
        guard let startAt = playback.playheadInstant(of: start, turn), start > feeds.interstitials.forgottenUntil
        else { return .past }
        if turn.learnsInTime(of: startAt) { return .ahead }
        let isOver = offer.occupied.map { playhead + InterstitialFeed.tolerance >= start + $0 } ?? true
        guard turn.begins || startAt < turn.joinedAt else { return .passed(startAt: startAt) }
        if isOver { return .past }
        return turn.begins ? .inside(playhead.duration(since: start), startAt: startAt) : .passed(startAt: startAt)
    }

    private mutating func update(_ index: Int, to offer: ScheduledInterstitial, playhead: WallTime, turn: inout Turn) {
        guard let old = breaks[index].offer as? ScheduledInterstitial, old !== offer else { return }
        breaks[index].offer = offer
        guard old.tag != nil else {
            // Otherwise it is still only a preload range.
            if offer.tag != nil { becomeReal(index, anticipatedFor: old.preload?.uri, turn: &turn) }
            return
        }
        if !offer.isUnchanged(from: old), !breaks[index].isOver { turn.count(.eventsChanged) }
        guard breaks[index].isAhead else { return }
        if !offer.isPreRoll, offer.start != old.start { breaks[index].start = start(of: offer, turn) }
        if let preload = old.preload, offer.preload == nil, playhead < preload.endDate {
            breaks.discardPreloaded(index)
        }
    }

    /// Preloaded content is kept only if both name the same URI (bis-22 appendix F).
    private mutating func becomeReal(_ index: Int, anticipatedFor uri: String?, turn: inout Turn) {
        turn.count(.eventsScheduled)
        var real = breaks.remove(at: index)
        let offer = real.offer as? ScheduledInterstitial
        real.start = offer.flatMap { start(of: $0, turn) }
        real.becomeReal()
        breaks.insert(real)
        guard let newIndex = breaks.index(ofSerial: real.serial), real.content != nil, offer?.tag?.content.uri != uri
        else { return }
        breaks.discardPreloaded(newIndex)
    }

    /// Cancels unlisted interstitials that were not reached, except those that left the live window with their segments.
    private mutating func prune(_ offers: BreakOffers, playhead: WallTime, turn: inout Turn) {
        let windowStart = playback.latest.map(playback.dates)?[0] ?? .distantPast
        var index = 0
        while index < breaks.indices.upperBound {
            let known = breaks[index]
            let isStaying =
                known.arrival != nil || known.offer.programme != .paused
                || offers.interstitials.contains { $0.id == known.planned.scheduled.key }
            let isGoneWithItsWindow = known.isAhead && (known.start ?? .distantFuture) < windowStart
            guard !isStaying, !isGoneWithItsWindow else {
                index += 1
                continue
            }
            if known.isAhead { breaks[index].conclude(.cancelled, turn: &turn) }
            if let start = known.start, start < playhead {
                feeds.interstitials.forgottenUntil = max(feeds.interstitials.forgottenUntil, start)
            }
            breaks.remove(at: index)
        }
    }
}

extension Break {
    /// A pre-roll can move a viewer that joined inside an interstitial out of it, or further into it.
    mutating func isStillInside(at playhead: WallTime?) -> Bool {
        guard let start, let playhead else { return false }
        let into = playhead.duration(since: start)
        if queue == nil { joinedAt = max(into, .zero) }
        return (offer as? ScheduledInterstitial)?.occupied.map { into < $0 } ?? true
    }
}

extension BreakList {
    fileprivate func interstitial(_ id: String) -> Int? {
        firstIndex { $0.offer.programme == .paused && $0.planned.scheduled.key == id }
    }

    /// Content is bound late each time that the interstitial lies ahead (bis-22 appendix D.1).
    ///
    /// A viewer that seeks back into one begins inside.
    mutating func revive(_ index: Int, from playhead: WallTime, to target: WallTime, turn: inout Turn) {
        let old = self[index]
        guard old.isOver, !old.offer.isOnce, !old.offer.isPreRoll, let start = old.start, start <= playhead,
            let offer = old.offer as? ScheduledInterstitial, offer.tag != nil
        else { return }
        var inside: Duration?
        if start < target {
            guard let occupied = offer.occupied, target + InterstitialFeed.tolerance < start + occupied else { return }
            inside = target.duration(since: start)
        }
        self[index] = old.revived(serial: takeSerial(), joinedAt: inside, now: turn.now)
        turn.count(.eventsScheduled)
    }

    fileprivate mutating func discardPreloaded(_ index: Int) {
        switch self[index].preload {
        case .open, .none: return
        case .at: self[index].preload = .none
        case .taken:
            self[index].preload = .none
            let serial = takeSerial()
            self[index].restart(serial: serial)
        }
    }
}
