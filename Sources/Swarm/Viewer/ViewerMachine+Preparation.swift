import AdServing
import LoadProfile

// At a break's instant thousands of viewers ask at once: what each asks is made ready before.
extension ViewerMachine {
    /// When the pod's URL is built: some seconds before it is asked for, not the same for all viewers, so that the loop
    /// is not held up by thousands at once.
    var preparesAt: Int64 {
        let spread = Int64(truncatingIfNeeded: UInt64(truncatingIfNeeded: self.number) % 1024) * 3_000_000
        return self.adBreak.fetchAt.later(by: -(2_000_000_000 + spread))
    }

    mutating func prepareBreak(now: Int64, actions: inout [ViewerAction]) {
        guard self.adBreak.phase == .scheduled, self.adBreak.podURL.isEmpty else { return }
        guard let planned = self.adBreak.planned, let streamID = self.session.streamID else { return }
        self.adBreak.podURL = self.plan.podURL(
            planned.identifier,
            streamID: streamID,
            duration: planned.scheduled.duration,
            at: planned.scheduled.start
        )
        actions.append(.preparePod(url: self.adBreak.podURL))
    }

    /// A session was registered: a break whose preparation was due is prepared with the new stream id.
    mutating func prepareAnew(now: Int64, actions: inout [ViewerAction]) {
        guard self.adBreak.phase == .scheduled else { return }
        self.adBreak.podURL = ""
        if self.preparesAt <= now {
            self.prepareBreak(now: now, actions: &actions)
        }
    }
}
