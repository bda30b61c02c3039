import AdServing
import Audience
import LoadProfile
import Rulebook
import Time

// A pod's ads cannot be started in picture in picture; those that run already go on when the viewer enters it (IMA
// picture-in-picture guide). Interstitials are the player's own, which plays them wherever it plays the programme.
extension BreaksPart {
    mutating func planPictureInPicture(turn: inout Turn) {
        let away = turn.chance.nanoseconds(untilNextOfMean: turn.plan.pictureInPicture.every.nanosecondsHeld)
        turn.schedule(.pictureInPicture, at: turn.now.later(by: max(away, 1_000_000)))
    }

    mutating func togglePictureInPicture(_ playback: inout PlaybackPart, turn: inout Turn) {
        isInPictureInPicture.toggle()
        guard !isInPictureInPicture else {
            turn.count(.enteredPictureInPicture)
            let stay = max(turn.plan.pictureInPicture.stay.nanosecondsHeld, 1_000_000)
            turn.schedule(.pictureInPicture, at: turn.now.later(by: stay))
            return
        }
        turn.count(.leftPictureInPicture)
        planPictureInPicture(turn: &turn)
        guard let own = breaks.own, case .deferred(let content, let deferral) = breaks[own].phase else { return }
        guard currentSerial == 0 else {
            endOwn(.leftOut(.duringAds), at: turn.now, playback, turn: &turn)
            return
        }
        breaks[own].pass(.pictureInPictureDeferred, turn: &turn)
        let leftAt = breaks[own].planned.scheduled.start
        let arrival = Arrival(dueAt: deferral.dueAt, leftAt: leftAt, carried: .zero)
        currentSerial = breaks[own].serial
        if let inHandAt = deferral.inHandAt {
            play(own, content, arrival, inHandAt: inHandAt, &playback, turn: &turn)
        } else {
            breaks[own].phase = .waiting(content, arrival)
        }
    }

    /// Keeps a pod for the viewer's return, or loses it, by the plan's rule; called when its ads were to start.
    mutating func meetInPictureInPicture(
        _ index: Int,
        dueAt: Instant,
        _ playback: PlaybackPart,
        turn: inout Turn
    ) {
        let one = breaks[index]
        let until = dueAt.later(by: one.planned.scheduled.duration)
        guard turn.plan.pictureInPicture.rule == .deferred, turn.now < until, let content = one.content else {
            endOwn(.leftOut(.pictureInPictureLost), at: turn.now, playback, turn: &turn)
            return
        }
        var inHandAt: Instant?
        switch one.phase {
        case .ready(_, let instant): inHandAt = instant
        case .waiting: inHandAt = turn.now
        default: break
        }
        breaks[index].phase = .deferred(content, Deferral(dueAt: dueAt, until: until, inHandAt: inHandAt))
        if currentSerial == one.serial { currentSerial = 0 }
    }
}
