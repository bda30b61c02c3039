import AdServing
import Conformance
import EventLoop
import HLS
import Measurement

extension Shard {
    /// Books what a machine noted.
    func take(_ note: ViewerNote, _ viewer: ViewerSlot) {
        let slot = viewer.breakSlot
        switch note {
        case .counted(let counter):
            self.recorder.count(counter)
            if counter == .joined { self.recorder.countViewer(persona: viewer.machine.personaIndex) }
        case .added(let counter, let number): self.recorder.count(counter, by: number)
        case .breakDue, .breakOnTime, .breakLate, .breakFailed, .breakSkipped, .breakDiscovered:
            self.book(note, slot: slot, inHandAt: viewer.machine.podInHandAt, viewer)
        case .adEvent(let event): self.recorder.count(ViewerCounter(event))
        case .podInHand(let content):
            self.recorder.count(.podsFollowed)
            let filled = UInt64(clamping: content.durationMicroseconds / 1_000)
            self.recorder.count(.podFilledMilliseconds, by: min(filled, viewer.breakMilliseconds))
        case .stitchedObserved: break
        case .finding(let code, let expected, let observed):
            self.foundByMachine(code, expected: expected, observed: observed, viewer)
        case .deltaMismatched(let mismatch, let url, let now):
            let violation = Violation(.deltaMismatch, expected: mismatch.expected, observed: mismatch.observed)
            self.found([violation], url: url, viewer, now: now)
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
        case .metadataLag, .pingDoubled:
            url = viewer.machine.metadataURL
            slot = viewer.breakSlot
        default:
            url = viewer.podURL
            slot = viewer.breakSlot
        }
        self.found(code, url: url, expected: expected, observed: observed, viewer, breakSlot: slot)
    }

    /// Books what a break came to for a viewer whose pod was in hand at a moment.
    ///
    /// `isMetAtJoin`: only the time from the viewer's own instant means anything.
    func book(_ note: ViewerNote, slot: Int32, inHandAt: Int64, isMetAtJoin: Bool = false, _ viewer: ViewerSlot) {
        let persona = viewer.machine.personaIndex
        let inHand = isMetAtJoin ? nil : self.wallMicroseconds(inHandAt)
        switch note {
        case .breakDue: self.recorder.viewerDue(slot, persona: persona)
        case .breakDiscovered(let now):
            self.recorder.breakDiscovered(slot, wallMicroseconds: self.wallMicroseconds(now))
        case .breakOnTime(let afterStart):
            self.recorder.viewerOnTime(
                slot,
                inHandAfterStart: afterStart,
                wallMicroseconds: inHand,
                persona: persona
            )
        case .breakLate(let lateness):
            self.recorder.viewerLate(
                slot,
                lateness: lateness,
                wallMicroseconds: inHand,
                persona: persona
            )
        case .breakFailed(let failure):
            self.recorder.viewerFailed(slot, failure, persona: persona)
            self.foundUnavailable(slot: slot, viewer)
        case .breakSkipped(let reason): self.recorder.viewerSkipped(slot, reason, persona: persona)
        default: break
        }
    }

    private func wallMicroseconds(_ instant: Int64) -> Int64 { self.plan.timebase.wall(instant).microseconds }
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
