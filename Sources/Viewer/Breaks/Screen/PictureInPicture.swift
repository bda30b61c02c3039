import AdServing
import Profile
import Rules
import Values

/// Running ads go on when the viewer enters picture in picture, but none start in it.
///
/// The guide's code starts ads on LOADED only, unless picture in picture is active, and never later (IMA picture-in-picture
/// guide). Interstitials play wherever the programme does.
extension Screen {
    enum Withholding: Sendable {
        case kept(Deferral)
        case lost
    }

    func planPictureInPicture(turn: inout Turn) {
        if turn.chance.happens(turn.plan.audience.pictureInPicture.share) { planEntry(turn: &turn) }
    }

    private func planEntry(turn: inout Turn) {
        let away = turn.chance.nanoseconds(untilNextOfMean: turn.plan.audience.pictureInPicture.every.nanosecondsHeld)
        turn.schedule(.pictureInPicture, at: turn.now.later(by: max(away, 1_000_000)))
    }

    /// Nil if the ads may start.
    func withholding(_ one: Break, dueAt: Instant, _ turn: Turn) -> Withholding? {
        guard isInPictureInPicture else { return nil }
        let until = dueAt.later(by: one.planned.scheduled.duration)
        let isDeferred = turn.plan.audience.pictureInPicture.rule == .deferred
        guard isDeferred, turn.now < until, one.content != nil else { return .lost }
        var inHandAt: Instant?
        switch one.phase {
        case .ready(_, let instant): inHandAt = instant
        case .waiting: inHandAt = turn.now
        default: break
        }
        return .kept(Deferral(dueAt: dueAt, until: until, inHandAt: inHandAt))
    }

    /// Enters or leaves picture in picture.
    mutating func changePictureInPicture(turn: inout Turn) {
        isInPictureInPicture.toggle()
        guard !isInPictureInPicture else {
            turn.count(.enteredPictureInPicture)
            let stay = max(turn.plan.audience.pictureInPicture.stay.nanosecondsHeld, 1_000_000)
            return turn.schedule(.pictureInPicture, at: turn.now.later(by: stay))
        }
        turn.count(.leftPictureInPicture)
        planEntry(turn: &turn)
        guard let own = breaks.own, case .deferred(let content, let deferral) = breaks[own].phase else { return }
        guard currentSerial == nil else { return endOwn(.leftOut(.duringAds), at: turn.now, turn: &turn) }
        breaks[own].pass(.pictureInPictureDeferred, turn: &turn)
        let leftAt = breaks[own].start ?? breaks[own].planned.scheduled.start
        let arrival = Arrival(dueAt: deferral.dueAt, leftAt: leftAt, carried: .zero)
        currentSerial = breaks[own].serial
        if let inHandAt = deferral.inHandAt {
            play(own, content, arrival, inHandAt: inHandAt, turn: &turn)
        } else {
            breaks[own].wait(arrival, turn: &turn)
        }
    }

    mutating func withhold(_ index: Int, _ withheld: Withholding, turn: inout Turn) {
        switch withheld {
        case .lost: endOwn(.leftOut(.pictureInPictureLost), at: turn.now, turn: &turn)
        case .kept(let deferral):
            breaks[index].waitForReturn(deferral, turn: &turn)
            if currentSerial == breaks[index].serial { currentSerial = nil }
        }
    }
}
