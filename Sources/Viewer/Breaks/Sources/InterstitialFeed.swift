import AdServing
import HLS
import Profile
import Rules
import Values

struct InterstitialFeed: Sendable {
    struct Scene {
        let playhead: WallTime
        let windowStart: WallTime
        let playback: PlaybackPart
        let dates: InterstitialFacts.Dates

        /// Nil while unknown.
        func start(of offer: ScheduledInterstitial) -> WallTime? {
            offer.start.flatMap { playback.placed($0, by: dates) }
        }
    }

    /// Dates have a finite resolution.
    static let tolerance = Duration.milliseconds(20)

    private static let keptOnce = 64

    private var schedule: BreakOffers?
    private var playedOnce: [String] = []
    /// Latest start of reached interstitials that left the list; one that is listed again is not new.
    private var forgottenUntil = WallTime.distantPast

    /// Returns whether these offers are the first.
    mutating func follow(_ offers: BreakOffers, _ scene: Scene, _ breaks: inout BreakList, turn: inout Turn) -> Bool {
        guard schedule !== offers else { return false }
        let isFirst = schedule == nil
        schedule = offers
        prune(offers, scene, &breaks, turn: &turn)
        for offer in offers.interstitials {
            if let index = breaks.interstitial(offer.id) {
                update(index, to: offer, scene, &breaks, turn: &turn)
            } else {
                admit(offer, scene, &breaks, turn: &turn)
            }
        }
        return isFirst
    }

    mutating func remember(_ offer: any BreakOffer) {
        playedOnce.append(offer.planned.scheduled.key, atMost: Self.keptOnce)
    }

    private func admit(_ offer: ScheduledInterstitial, _ scene: Scene, _ breaks: inout BreakList, turn: inout Turn) {
        guard breaks.hasRoom else { return }
        let phase = offer.tag == nil ? Break.Phase.anticipated(nil) : .scheduled(.byTrigger)
        var new = Break(offer, serial: breaks.takeSerial(), phase: phase, knownAt: turn.now)
        guard offer.tag != nil else {
            breaks.insert(new)
            return
        }
        if !turn.begins { turn.note(.breakDiscovered(at: turn.receivedAt), of: offer.planned) }
        if let doubled = offer.doubledEvent {
            let observed = DoubledPing.observed(doubled)
            turn.found(.pingDoubled, of: offer.planned, expected: DoubledPing.expected, observed: observed)
        }
        new.start = scene.start(of: offer)
        switch place(of: offer, scene, turn) {
        case .ahead:
            if offer.isPreRoll { new.start = scene.playhead }
            turn.count(.eventsScheduled)
        case .inside(let offset, let passed):
            // A viewer that was shut out at the start has lost the break, even if it joins inside.
            if passed.isOfShutOut(turn) {
                new = new.revived(serial: new.serial, joinedAt: offset, now: turn.now)
            } else {
                new.joinedAt = offset
            }
            turn.count(.eventsScheduled)
            turn.count(.joinedMidBreak)
        case .passed(let passed):
            let outcome = passed.outcome(scene.playback, &turn)
            if outcome != .past { turn.count(.eventsScheduled) }
            new.conclude(outcome, turn: &turn)
            turn.noteAnnouncedLate(outcome, passed, of: offer.planned)
        case .past: new.conclude(.past, turn: &turn)
        }
        breaks.insert(new)
    }

    private enum Place {
        case ahead
        case inside(Duration, PassedBreak)
        /// The viewer was present at the start.
        case passed(PassedBreak)
        case past
    }

    private func place(of offer: ScheduledInterstitial, _ scene: Scene, _ turn: Turn) -> Place {
        if offer.isOnce, playedOnce.contains(offer.id) { return .past }
        if offer.isPreRoll { return turn.begins ? .ahead : .past }
        guard let start = scene.start(of: offer) else {
            // A player that has not placed it yet will only if its media is ahead.
            let covered = offer.start.flatMap { scene.playback.placed($0, by: .coveringTag) }
            return covered.map { $0 + Self.tolerance < scene.playhead } ?? false ? .past : .ahead
        }
        guard start + Self.tolerance < scene.playhead else { return .ahead }
        guard let startAt = scene.playback.playheadInstant(of: start, turn), start > forgottenUntil else {
            return .past
        }
        let passed = PassedBreak(startAt: startAt)
        if passed.isInTime(turn) { return .ahead }
        let isOver = offer.occupied.map { scene.playhead + Self.tolerance >= start + $0 } ?? true
        guard turn.begins || startAt < turn.joinedAt else { return .passed(passed) }
        if isOver { return .past }
        return turn.begins ? .inside(scene.playhead.duration(since: start), passed) : .passed(passed)
    }

    private func update(
        _ index: Int,
        to offer: ScheduledInterstitial,
        _ scene: Scene,
        _ breaks: inout BreakList,
        turn: inout Turn
    ) {
        guard let old = breaks[index].offer as? ScheduledInterstitial, old !== offer else { return }
        breaks[index].offer = offer
        if old.tag == nil {
            // Still only a preload range.
            guard offer.tag != nil else { return }
            becomeReal(index, anticipatedFor: old.preload?.uri, scene, &breaks, turn: &turn)
            return
        }
        if !offer.isUnchanged(from: old), !breaks[index].isOver { turn.count(.eventsChanged) }
        guard breaks[index].isAhead else { return }
        if !offer.isPreRoll, offer.start != old.start { breaks[index].start = scene.start(of: offer) }
        if let preload = old.preload, offer.preload == nil, scene.playhead < preload.endDate {
            breaks.discardPreloaded(index)
        }
    }

    /// Preloaded content is kept only if both name the same URI (bis-22 appendix F).
    private func becomeReal(
        _ index: Int,
        anticipatedFor uri: String?,
        _ scene: Scene,
        _ breaks: inout BreakList,
        turn: inout Turn
    ) {
        turn.count(.eventsScheduled)
        var real = breaks.remove(at: index)
        real.start = (real.offer as? ScheduledInterstitial).flatMap(scene.start)
        real.becomeReal()
        breaks.insert(real)
        guard let newIndex = breaks.index(ofSerial: real.serial), real.content != nil,
            (real.offer as? ScheduledInterstitial)?.tag?.content.uri != uri
        else { return }
        breaks.discardPreloaded(newIndex)
    }

    /// Cancels unlisted interstitials that were not reached, except those that left the live window with their segments.
    private mutating func prune(_ offers: BreakOffers, _ scene: Scene, _ breaks: inout BreakList, turn: inout Turn) {
        var index = 0
        while index < breaks.indices.upperBound {
            let known = breaks[index]
            let isStaying =
                known.isCurrent || known.offer.programme != .paused
                || offers.interstitials.contains { $0.id == known.planned.scheduled.key }
            let isGoneWithItsWindow = known.isAhead && (known.start ?? .distantFuture) < scene.windowStart
            guard !isStaying, !isGoneWithItsWindow else {
                index += 1
                continue
            }
            if known.isAhead { breaks[index].conclude(.cancelled, turn: &turn) }
            if let start = known.start, start < scene.playhead { forgottenUntil = max(forgottenUntil, start) }
            breaks.remove(at: index)
        }
    }
}

extension Break {
    /// A pre-roll can move a viewer that joined inside an interstitial out of it, or further into it.
    mutating func isStillInside(at playhead: WallTime?) -> Bool {
        guard let start, let playhead else { return false }
        let into = playhead.duration(since: start)
        if content?.queue == nil { joinedAt = max(into, .zero) }
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
            self[index].restart(serial: serial, in: .scheduled(.byTrigger))
        }
    }
}
