import Audit
import Profile
import Results
import Rules
import Values
import Viewer

extension Crowd {
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
