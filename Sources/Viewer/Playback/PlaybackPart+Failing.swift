import HLS
import Profile
import Rules
import Values

extension PlaybackPart {
    /// A stopped player sends no more requests.
    var isStopped: Bool { downloads.isOver }

    /// Nothing can play before a playlist comes.
    mutating func contentFailed(_ reason: LoadFailure, plannedAt: Instant, turn: inout Turn) {
        let failures = video.failed()
        if let wait = turn.persona.requests.multivariant.wait(after: reason, failures: failures, chance: &turn.chance) {
            turn.schedule(.reload, at: turn.now.later(by: wait))
            return
        }
        video.failures = 0
        guard !stops(by: turn.persona.outage.noChannel, turn: &turn) else { return }
        turn.schedule(.reload, at: max(plannedAt.later(by: halfTarget(of: .video)), turn.now))
    }

    /// Retries by the player's rules; otherwise the loop continues at its slowest pace.
    mutating func loadFailed(_ reason: LoadFailure, plannedAt: Instant, index: UInt8, turn: inout Turn) {
        downloads.end()
        guard !isStopped else { return }
        guard hasContent else {
            contentFailed(reason, plannedAt: plannedAt, turn: &turn)
            return
        }
        if let rendition = rendition(ofRequest: index) {
            guard retry(rendition, reason, plannedAt: plannedAt, turn: &turn) else { return }
        }
        goOnLoading(&turn)
    }

    /// False if the request is repeated at once without its directives.
    private mutating func retry(
        _ rendition: PlayedRendition,
        _ reason: LoadFailure,
        plannedAt: Instant,
        turn: inout Turn
    ) -> Bool {
        let facts = turn.playerFacts
        let asked = self[rendition].asked
        self[rendition].asked = []
        if !asked.isDisjoint(with: [.blocking, .delta]), facts.persona.lowLatency.retriesWithoutDirectives,
            reason.isDirectivesFault
        {
            turn.count(.blockingFallbacks)
            self[rendition].goPlain()
            load(rendition, plannedAt: turn.now, turn: &turn)
            return false
        }
        let failures = self[rendition].failed()
        if facts.persona.outage.leavesFirst.contains(reason.kind), leave(rendition, reason, turn: &turn) { return true }
        let rule = facts.playlist(hasParts: self[rendition].latest?.hasParts ?? false)
        if let wait = rule.wait(after: reason, failures: failures, chance: &turn.chance) {
            awaitRetry(rendition, after: wait, failures: failures, turn: &turn)
            return true
        }
        self[rendition].failures = 0
        let goesOn = leave(rendition, reason, turn: &turn) || stops(by: facts.persona.outage.noneLeft, turn: &turn)
        guard !goesOn else { return true }
        pause(rendition, plannedAt: plannedAt, turn: &turn)
        return true
    }

    /// Whether the rendition is now loaded from elsewhere.
    private mutating func leave(_ rendition: PlayedRendition, _ reason: LoadFailure, turn: inout Turn) -> Bool {
        let generation = self[rendition].generation
        let outage = turn.persona.outage
        let leavesVariant = outage.leavesFirst.contains(reason.kind) || outage.leavesLast.contains(reason.kind)
        if rendition == .video, leavesVariant, let other = changeChoice({ $0.replaceFailed(turn: &turn) }) ?? nil {
            turn.count(.variantSwitches)
            move(to: other.variant, after: other.isForgiven ? pauseBefore(other.variant, turn) : 0, turn: &turn)
        }
        if self[rendition].generation == generation {
            move(to: changeChoice { $0.leavePathway(turn: &turn) } ?? nil, turn: &turn)
        }
        // A rendition that pathways share stays where it was.
        return self[rendition].generation != generation
    }

    /// If nothing is left to show before the retry, the errors surface then.
    private func awaitRetry(_ rendition: PlayedRendition, after wait: Int64, failures: UInt8, turn: inout Turn) {
        let at = turn.now.later(by: wait)
        let endsAt = surfaces(after: failures, turn) ? max(dryInstant(turn), turn.now) : .distantFuture
        turn.schedule(rendition.timer, at: min(at, endsAt))
    }

    private func pause(_ rendition: PlayedRendition, plannedAt: Instant, turn: inout Turn) {
        let facts = turn.playerFacts
        let fresh = self[rendition].isFresh ? facts.persona.outage.freshPause : nil
        if let pause = fresh ?? facts.persona.outage.pause {
            turn.schedule(rendition.timer, at: turn.now.later(by: pause))
        } else {
            let begin = facts.persona.reload.clock == .loadStart ? plannedAt : turn.now
            turn.schedule(rendition.timer, at: max(begin.later(by: halfTarget(of: rendition)), turn.now))
        }
    }

    private func pauseBefore(_ variant: Int, _ turn: Turn) -> Int64 {
        let outage = turn.persona.outage
        let isKnown = video.latest.map { $0.url == choice?.multivariant.url(of: .video, variant: variant) } ?? false
        let fresh = isKnown ? nil : outage.freshPause
        return (fresh ?? outage.pause)?.nanosecondsHeld ?? halfTarget(of: .video)
    }

    private func halfTarget(of rendition: PlayedRendition) -> Int64 {
        max((self[rendition].latest?.targetNanoseconds ?? 2_000_000_000) / 2, 500_000_000)
    }

    /// Returns whether the player gave up.
    ///
    /// Without a plan of abandonment the player is restarted at once.
    private mutating func stops(by ending: OutageFacts.Ending, turn: inout Turn) -> Bool {
        guard ending == .stop, turn.plan.audience.abandonment != nil else { return false }
        stop(turn: &turn)
        return true
    }

    /// Whether this many consecutive failures end a player that has nothing left to show.
    private func surfaces(after failures: UInt8, _ turn: Turn) -> Bool {
        guard let most = turn.persona.outage.stopsDryAfter else { return false }
        return turn.plan.audience.abandonment != nil && Int(failures) > most
    }

    /// Stops the player instead of a retry if nothing is left to show; returns whether it did.
    mutating func endsDry(_ rendition: PlayedRendition, turn: inout Turn) -> Bool {
        guard surfaces(after: self[rendition].failures, turn), dryInstant(turn) <= turn.now else { return false }
        stop(turn: &turn)
        return true
    }

    private mutating func stop(turn: inout Turn) {
        downloads.giveUp()
        turn.count(.playersStopped)
        for timer in PlayedRendition.allCases.map(\.timer) + [.buffering, .retry, .steering] { turn.cancel(timer) }
        guard let plan = turn.plan.audience.abandonment else { return }
        let dryAt = dryInstant(turn)
        let darkAt = dryAt == .distantFuture ? turn.now : max(dryAt, turn.now)
        turn.schedule(.abandonment, at: darkAt.later(by: plan.afterStop))
    }
}
