import AdServing
import Audience
import Breaks
import LoadProfile
import Rulebook
import Time

/// Whether one viewer watches in picture in picture, and what becomes of a pod meanwhile.
///
/// A pod's ads cannot be started in picture in picture; those that run already go on when the viewer enters it. The guide's
/// code starts them on LOADED only, unless picture in picture is active, and never later (IMA picture-in-picture guide).
/// Interstitials of the channel are the player's own, which plays them wherever it plays the programme.
struct PictureInPicture: Sendable {
    /// What is done with a pod whose ads must not start.
    enum Withholding: Sendable {
        /// It waits for the viewer's return.
        case kept(Deferral)
        case lost
    }

    private var isEntered = false

    /// The viewer joins: it may be one that enters now and then.
    func joined(turn: inout Turn) {
        if turn.chance.happens(turn.plan.pictureInPicture.share) { planEntry(turn: &turn) }
    }

    private func planEntry(turn: inout Turn) {
        let away = turn.chance.nanoseconds(untilNextOfMean: turn.plan.pictureInPicture.every.nanosecondsHeld)
        turn.schedule(.pictureInPicture, at: turn.now.later(by: max(away, 1_000_000)))
    }

    /// Its timer fired: the viewer enters or leaves, and the timer is set for the next time.
    ///
    /// - Returns: Whether it is back in standard playback.
    mutating func change(turn: inout Turn) -> Bool {
        isEntered.toggle()
        guard isEntered else {
            turn.count(.leftPictureInPicture)
            planEntry(turn: &turn)
            return true
        }
        turn.count(.enteredPictureInPicture)
        let stay = max(turn.plan.pictureInPicture.stay.nanosecondsHeld, 1_000_000)
        turn.schedule(.pictureInPicture, at: turn.now.later(by: stay))
        return false
    }

    /// By the plan's rule, for a pod whose ads are to start now; nil where nothing keeps them from it.
    func withholding(_ one: Break, dueAt: Instant, _ turn: Turn) -> Withholding? {
        guard isEntered else { return nil }
        let until = dueAt.later(by: one.planned.scheduled.duration)
        guard turn.plan.pictureInPicture.rule == .deferred, turn.now < until, one.content != nil else {
            return .lost
        }
        var inHandAt: Instant?
        switch one.phase {
        case .ready(_, let instant): inHandAt = instant
        case .waiting: inHandAt = turn.now
        default: break
        }
        return .kept(Deferral(dueAt: dueAt, until: until, inHandAt: inHandAt))
    }
}
