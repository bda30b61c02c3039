import AdServing
import EventLoop
import HLS
import Measurement

extension Shard {
    /// Books what a machine noted.
    func take(_ note: ViewerNote, _ viewer: ViewerSlot) {
        let slot = viewer.breakSlot
        switch note {
        case .counted(let counter): self.recorder.count(counter)
        case .breakDue: self.recorder.viewerDue(slot)
        case .breakOnTime(let afterStart):
            self.recorder.viewerOnTime(slot, inHandAfterStart: afterStart, wallMicroseconds: self.inHandWall(viewer))
        case .breakLate(let lateness):
            self.recorder.viewerLate(slot, lateness: lateness, wallMicroseconds: self.inHandWall(viewer))
        case .breakFailed(let failure): self.recorder.viewerFailed(slot, failure)
        case .breakSkipped(let reason): self.recorder.viewerSkipped(slot, reason)
        case .adEvent(let event): self.recorder.count(ViewerCounter(event))
        case .podInHand(let content):
            self.recorder.count(.podsFollowed)
            let filled = UInt64(clamping: content.durationMicroseconds / 1_000)
            self.recorder.count(.podFilledMilliseconds, by: min(filled, viewer.breakMilliseconds))
        case .finding(let code, let expected, let observed):
            let isOfBreak = code != .registrationWithoutStreamID
            self.found(
                code,
                url: isOfBreak ? viewer.podURL : self.plan.adServers.first ?? "",
                expected: expected,
                observed: observed,
                viewer,
                breakSlot: isOfBreak ? slot : -1
            )
        }
    }
}

extension Shard {
    private func inHandWall(_ viewer: ViewerSlot) -> Int64 {
        self.plan.timebase.wall(viewer.machine.podInHandAt).microseconds
    }
}

extension ViewerCounter {
    fileprivate init(_ event: TrackingEvent) {
        switch event {
        case .adBreakStarted: self = .adBreakStarted
        case .adPeriodStarted: self = .adPeriodStarted
        case .started: self = .adStarted
        case .firstQuartile: self = .adFirstQuartile
        case .midpoint: self = .adMidpoint
        case .thirdQuartile: self = .adThirdQuartile
        case .complete: self = .adComplete
        case .adPeriodEnded: self = .adPeriodEnded
        case .adBreakEnded: self = .adBreakEnded
        }
    }
}
