import AdServing
import HLS
import LoadProfile

// At a break's instant thousands of viewers ask at once: what each asks is made ready before.
extension ViewerMachine {
    /// When the pod's URL is built: some seconds before anything needs it, not the same for all viewers, so that the
    /// loop is not held up by thousands at once.
    var preparesAt: Int64 {
        let spread = Int64(truncatingIfNeeded: UInt64(truncatingIfNeeded: self.number) % 1024) * 3_000_000
        return min(self.adBreak.fetchAt, self.warmsAt ?? .max).later(by: -(2_000_000_000 + spread))
    }

    /// When a connection for the pod request is to be there; nil where the plan opens none ahead.
    private var warmsAt: Int64? {
        guard self.plan.preconnectNanoseconds > 0, let planned = self.adBreak.planned else { return nil }
        let instant =
            switch self.plan.breaks.trigger {
            case .rendezvous: self.plan.timebase.monotonic(planned.scheduled.start)
            case .playhead: self.adBreak.startAt
            }
        return instant.later(by: -self.plan.preconnectNanoseconds)
    }

    /// Prepares the break to come as far as its time has come, and sets the timer for the rest.
    mutating func prepareBreak(now: Int64, actions: inout [ViewerAction]) {
        guard self.adBreak.phase == .scheduled else { return }
        guard self.preparesAt <= now else {
            actions.append(.schedule(.breakPreparation, at: self.preparesAt))
            return
        }
        self.preparePodURL(&actions)
        guard let warmsAt = self.warmsAt, now < self.adBreak.fetchAt else { return }
        guard warmsAt <= now else {
            actions.append(.schedule(.breakPreparation, at: warmsAt))
            return
        }
        if !self.adBreak.podURL.isEmpty {
            actions.append(.warm)
        }
    }

    /// A session was registered: what was prepared in the name of an older one is prepared anew.
    mutating func prepareAnew(now: Int64, actions: inout [ViewerAction]) {
        guard self.adBreak.phase == .scheduled else { return }
        self.adBreak.podURL = ""
        self.prepareBreak(now: now, actions: &actions)
    }

    mutating func preparePodURL(_ actions: inout [ViewerAction]) {
        guard self.adBreak.podURL.isEmpty, let planned = self.adBreak.planned, let streamID = self.session.streamID
        else { return }
        self.adBreak.podVerificationURL = self.session.verificationURL
        self.adBreak.podURL = self.plan.podURL(
            planned.identifier,
            streamID: streamID,
            duration: planned.scheduled.duration,
            at: planned.scheduled.start,
            viewer: self.number
        )
        actions.append(.preparePod(url: self.adBreak.podURL))
    }
}
