import AdServing
import Audit
import HLS
import Profile
import Results
import Rules
import Transport
import Values
import Viewer

extension Crowd {
    func take(
        _ note: ViewerNote,
        of planned: PlannedBreak?,
        _ viewer: ViewerSlot,
        _ answer: borrowing TransferResult?,
        now: Instant
    ) {
        switch note {
        case .counted(let counter):
            recorder.count(counter)
            shutOut.follow(counter, viewer, now: now)
            let isAwaited = viewer.follow(counter, recorder, now: now)
            if isAwaited { schedule(CrowdToken.arrival, index: viewer.seat, at: now) }
        case .added(let counter, let number): recorder.count(counter, by: number)
        case .shutOut(let cause, let since, let until):
            shutOut.note(viewer.cohort, cause, from: since, until: until)
        case .breakDue, .breakOnTime, .breakLate, .breakFailed, .breakSkipped, .breakDiscovered:
            guard let planned else { return }
            book(note, of: planned, viewer)
        case .adEvent(let event): recorder.count(ViewerCounter(event))
        case .podInHand: recorder.count(.podsFollowed)
        case .breakFilled(let asked, let filled) where planned?.isOwn == true:
            recorder.count(.podAskedMilliseconds, by: UInt64(clamping: asked / 1_000_000))
            recorder.count(.podFilledMilliseconds, by: UInt64(clamping: filled / 1_000_000))
        case .breakFilled, .stitchedObserved, .finding, .deltaMismatched: break
        }
        auditor.noted(
            note,
            of: planned,
            podURL: viewer.podURL,
            facts: viewer.machine,
            viewer.record,
            answer: answer,
            at: now
        )
    }

    private func book(_ note: ViewerNote, of planned: PlannedBreak, _ viewer: ViewerSlot) {
        let slot = auditor.context.slot(of: planned, viewer.record)
        guard !viewer.record.hasMissed(planned.scheduled.key) else { return }
        let cohort = viewer.cohort
        // For a break met at the join, only the time from the viewer's own instant means anything.
        let isMetAtJoin = planned.isPreRoll
        // At the playhead, in nanoseconds; negative before the break's start.
        func picture(afterStart: Int64) {
            guard plan.loadsAds(of: planned) else { return }
            recorder.withKeptBreak(slot) { $0.firstPicture.record(max(afterStart, 0) / 1_000) }
        }
        switch note {
        case .breakDue: recorder.viewerDue(slot, of: cohort)
        case .breakDiscovered(let now) where !isMetAtJoin:
            recorder.withKeptBreak(slot) { $0.discovery.count(at: wallMicroseconds(now)) }
        case .breakOnTime(let afterStart, let inHandAt):
            picture(afterStart: afterStart)
            recorder.viewerOnTime(
                slot,
                inHandAfterStart: afterStart,
                wallMicroseconds: isMetAtJoin ? nil : wallMicroseconds(inHandAt),
                of: cohort
            )
        case .breakLate(let lateness, let inHandAt, let isOfLine):
            picture(afterStart: lateness &+ plan.graceNanoseconds)
            recorder.viewerLate(
                slot,
                lateness: lateness,
                isOfLine: isOfLine,
                wallMicroseconds: isMetAtJoin ? nil : wallMicroseconds(inHandAt),
                of: cohort
            )
        case .breakFailed(let failure): recorder.viewerFailed(slot, failure, of: cohort)
        case .breakSkipped(let reason): recorder.viewerSkipped(slot, reason)
        default: break
        }
    }

    private func wallMicroseconds(_ instant: Instant) -> Int64 { plan.timebase.wall(at: instant).microseconds }

    /// A break is known late within these nanoseconds after its start.
    private static let leastSettling: Int64 = 10_000_000_000
    /// Microseconds; breaks that started before are not examined.
    private static let lookedBack: Int64 = 120_000_000
    /// Microseconds between the starts of one break with two names: dates of two servers may differ.
    private static let slack = Int64(2_000_000)...10_000_000

    /// Counts viewers that watched past a break which only other viewers learned of: each was due and failed.
    ///
    /// `isEnd` means that no playlist can list a break any more.
    func countUnlisted(at now: Instant, isEnd: Bool = false) {
        let earliest = plan.timebase.wall(at: now).microseconds &- Self.lookedBack
        for one in channelBreaks.add(recorder.channelBreaks(since: earliest), since: earliest) {
            let start = WallTime(microseconds: one.startMicroseconds)
            let length = Int64(one.durationMilliseconds)
            let settling = isEnd ? 0 : max(length &* 1_000_000, Self.leastSettling)
            let slack = min(max(length &* 500, Self.slack.lowerBound), Self.slack.upperBound)
            // Announced pods are met at the playhead as well.
            let isStitched = one.meeting == .atPlayhead && !plan.calendar.readsPlaylist
            for viewer in viewers {
                let cohort = viewer.cohort
                guard !viewer.record.isTold(of: one.startMicroseconds, within: slack),
                    !viewer.record.hasMissed(one.key), !viewer.record.hasForgotten(one.startMicroseconds),
                    one.meeting != .interstitial
                        || plan.personas[Int(cohort.persona)].persona.interstitials.trigger != .never,
                    viewer.machine.hasPassed(
                        start,
                        isStitched: isStitched,
                        by: now,
                        for: plan.graceNanoseconds &+ settling
                    )
                else { continue }
                viewer.record.miss(one.key, start: one.startMicroseconds)
                let slot = recorder.breakSlot(
                    for: one.key,
                    start: one.startMicroseconds,
                    durationMilliseconds: one.durationMilliseconds,
                    meeting: one.meeting
                )
                recorder.viewerDue(slot, of: cohort)
                recorder.viewerFailed(slot, .notListed, of: cohort)
            }
        }
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
