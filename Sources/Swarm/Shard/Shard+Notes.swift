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
        case .added(let counter, let number): self.recorder.count(counter, by: number)
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
            self.foundByMachine(code, expected: expected, observed: observed, viewer)
        }
    }
}

extension Shard {
    /// Books what a machine found, under the URL that it found it at.
    private func foundByMachine(_ code: FindingCode, expected: String, observed: String, _ viewer: ViewerSlot) {
        let url: String
        var slot: Int32 = -1
        switch code {
        case .registrationWithoutStreamID: url = self.plan.adServers.first ?? ""
        case .deltaMismatch: url = viewer.machine.playlistURL
        default:
            url = viewer.podURL
            slot = viewer.breakSlot
        }
        self.found(code, url: url, expected: expected, observed: observed, viewer, breakSlot: slot)
    }

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
