import AdServing
import LoadProfile
import Measurement

// An ad cannot be started in picture in picture; one that is already running goes on when the viewer enters it
// (IMA picture-in-picture guide).
extension ViewerMachine {
    mutating func scheduleEntry(now: Int64, actions: inout [ViewerAction]) {
        let away = self.chance.nanoseconds(untilNextOfMean: self.plan.pictureInPicture.every.nanosecondsHeld)
        actions.append(.schedule(.pictureInPicture, at: now.later(by: max(away, 1_000_000))))
    }

    mutating func pictureInPictureToggled(now: Int64, actions: inout [ViewerAction]) {
        self.isInPictureInPicture.toggle()
        guard !self.isInPictureInPicture else {
            self.note(.enteredPictureInPicture, &actions)
            let stay = max(self.plan.pictureInPicture.stay.nanosecondsHeld, 1_000_000)
            actions.append(.schedule(.pictureInPicture, at: now.later(by: stay)))
            return
        }
        self.note(.leftPictureInPicture, &actions)
        self.scheduleEntry(now: now, actions: &actions)
        guard self.adBreak.isDeferred else { return }
        self.adBreak.isDeferred = false
        actions.append(.cancel(.breakStart))
        self.skip(.pictureInPictureDeferred, &actions)
        if self.adBreak.phase == .ready {
            self.startAds(now: now, actions: &actions)
        } else {
            self.adBreak.phase = .waiting
        }
    }

    /// Keeps the break for the viewer's return, or loses it, by the plan's rule; called when ads were to start.
    mutating func meetBreakInPictureInPicture(now: Int64, actions: inout [ViewerAction]) {
        let end = self.adBreak.startAt.later(by: self.adBreak.scheduled?.duration.nanosecondsHeld ?? 0)
        switch self.plan.pictureInPicture.rule {
        case .deferred where now < end:
            self.adBreak.isDeferred = true
            actions.append(.schedule(.breakStart, at: end))
        case .deferred, .lost:
            self.skip(.pictureInPictureLost, &actions)
            self.finishBreak(now: now, actions: &actions)
        }
    }
}
