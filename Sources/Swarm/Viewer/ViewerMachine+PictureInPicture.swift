import AdServing
import LoadProfile
import Measurement

// An ad cannot be started in picture in picture; one that is already running goes on when the viewer enters it
// (IMA picture-in-picture guide).
extension ViewerMachine {
    mutating func scheduleEntry(now: Int64, actions: inout [ViewerAction]) {
        let away = self.chance.nanoseconds(untilNextOfMean: self.plan.pictureInPicture.every.nanosecondsHeld)
        actions.append(.schedule(.pictureInPicture, at: now &+ max(away, 1_000_000)))
    }

    mutating func pictureInPictureToggled(now: Int64, actions: inout [ViewerAction]) {
        self.isInPictureInPicture.toggle()
        guard !self.isInPictureInPicture else {
            self.note(.enteredPictureInPicture, &actions)
            let stay = max(self.plan.pictureInPicture.stay.nanosecondsHeld, 1_000_000)
            actions.append(.schedule(.pictureInPicture, at: now &+ stay))
            return
        }
        self.note(.leftPictureInPicture, &actions)
        self.scheduleEntry(now: now, actions: &actions)
        guard self.adBreak.isDeferred else { return }
        self.adBreak.isDeferred = false
        self.adBreak.isResolved = true
        actions.append(.cancel(.breakStart))
        actions.append(.note(.breakSkipped(.pictureInPictureDeferred)))
        if self.adBreak.phase == .ready {
            self.startAds(now: now, actions: &actions)
        } else {
            self.adBreak.phase = .waiting
        }
    }

    mutating func meetBreakInPictureInPicture(now: Int64, actions: inout [ViewerAction]) {
        switch self.plan.pictureInPicture.rule {
        case .deferred:
            self.adBreak.isDeferred = true
            let duration = self.adBreak.scheduled?.duration.nanosecondsHeld ?? 0
            actions.append(.schedule(.breakStart, at: now &+ duration))
        case .lost:
            actions.append(.note(.breakSkipped(.pictureInPictureLost)))
            self.finishBreak(now: now, actions: &actions)
        }
    }
}
