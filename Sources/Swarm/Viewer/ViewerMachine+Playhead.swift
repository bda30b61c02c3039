import HLS

// Where the viewer is in the programme, and what follows when that changes.
extension ViewerMachine {
    /// When this viewer's playhead reaches a date of the programme, monotonic nanoseconds; nil before it plays.
    func playheadInstant(of date: WallTime) -> Int64? {
        self.playback.latency.map { self.plan.timebase.monotonic(date).later(by: $0) }
    }

    /// The date of the programme that is shown at a moment; nil before the viewer plays.
    func playheadDate(at now: Int64) -> WallTime? {
        self.playback.latency.map { self.plan.timebase.wall(now.later(by: -$0)) }
    }

    /// Goes on with the programme from this date, now: after an interstitial, a stall or a seek.
    mutating func resumePlayhead(at date: WallTime, now: Int64) {
        self.playback.latency = now &- self.plan.timebase.monotonic(date)
    }

    /// A version of the live playlist that brings anything new.
    mutating func programmeChanged(_ shared: SharedPlaylist, now: Int64, actions: inout [ViewerAction]) {
        self.considerAnnounced(shared.announced, now: now, actions: &actions)
    }
}
