import AdServing
import HLS
import LoadProfile
import Measurement

// What the breaks of a viewer are told by its playback.
extension ViewerMachine {
    /// A version of the live playlist that brings anything new.
    mutating func programmeChanged(_ shared: SharedPlaylist, now: Int64, actions: inout [ViewerAction]) {
        if self.plan.calendar.readsPlaylist {
            self.discover(shared.announced, now: now, actions: &actions)
            self.considerAnnounced(shared.announced, now: now, actions: &actions)
        }
        guard let schedule = shared.schedule else { return }
        self.followStitched(schedule, now: now, actions: &actions)
        self.follow(schedule, now: now, actions: &actions)
        self.progressEvents(now: now, actions: &actions)
    }

    /// The end of what is buffered has moved.
    mutating func bufferAdvanced(now: Int64, actions: inout [ViewerAction]) {
        guard self.events.isInUse else { return }
        self.progressEvents(now: now, actions: &actions)
    }

    /// The playhead is not where it would have been: a stall or a seek has ended, or playback has begun.
    mutating func playheadShifted(now: Int64, actions: inout [ViewerAction]) {
        self.shiftAnnouncedBreak(now: now, actions: &actions)
        guard self.events.isInUse else { return }
        self.progressEvents(now: now, actions: &actions)
    }

    /// An interstitial is over, and the programme goes on.
    mutating func programmeResumed(now: Int64, actions: inout [ViewerAction]) {
        self.goOnLoading(now: now, actions: &actions)
    }

    /// A break that the playlist announced is reached when the playhead reaches it, which now is another moment.
    mutating func shiftAnnouncedBreak(now: Int64, actions: inout [ViewerAction]) {
        guard self.plan.calendar.readsPlaylist, !self.adBreak.isDeferred, let start = self.adBreak.scheduled?.start,
            let startAt = self.playheadInstant(of: start), startAt != self.adBreak.startAt
        else { return }
        switch self.adBreak.phase {
        case .scheduled:
            if self.plan.breaks.trigger == .playhead {
                let shift = startAt &- self.adBreak.startAt
                self.adBreak.fetchAt = max(self.adBreak.fetchAt.later(by: shift), now)
                actions.append(.schedule(.breakFetch, at: self.adBreak.fetchAt))
            }
            self.adBreak.startAt = startAt
            self.prepareBreak(now: now, actions: &actions)
        case .asking, .ready:
            self.adBreak.startAt = startAt
            actions.append(.schedule(.breakStart, at: max(startAt, now)))
        case .none, .waiting, .playing: break
        }
    }
}
