import Audience
import Audit
import Players
import Recording
import Rulebook
import Time
import Viewer

extension Crowd {
    /// Until so long after its start, in nanoseconds, news of a break makes it a late one.
    private static let leastSettling: Int64 = 10_000_000_000
    /// Breaks that started before that are not looked at any more, in microseconds.
    private static let lookedBack: Int64 = 120_000_000
    /// A break of another name that starts so near is the same, in microseconds: dates of two servers may differ.
    private static let slack = Int64(2_000_000)...10_000_000

    /// Counts the viewers that watched past a break which no playlist of theirs listed, though others were told of it: each
    /// was due and failed.
    ///
    /// - Parameters:
    ///   - now: The moment.
    ///   - isEnd: Whether nothing more can be listed.
    func countUnlisted(at now: Instant, isEnd: Bool = false) {
        let earliest = plan.timebase.wall(at: now).microseconds &- Self.lookedBack
        for one in channelBreaks.add(recorder.channelBreaks(since: earliest), since: earliest) {
            let start = WallTime(microseconds: one.startMicroseconds)
            let length = Int64(one.durationMilliseconds)
            let settling = isEnd ? 0 : max(length &* 1_000_000, Self.leastSettling)
            let slack = min(max(length &* 500, Self.slack.lowerBound), Self.slack.upperBound)
            for viewer in viewers {
                let persona = viewer.machine.personaIndex
                guard !viewer.record.isTold(of: one.startMicroseconds, within: slack),
                    !viewer.record.hasMissed(one.key), !viewer.record.hasForgotten(one.startMicroseconds),
                    one.meeting != .interstitial
                        || plan.personas[Int(persona)].persona.interstitials.trigger != .never,
                    viewer.machine.hasPassed(start, by: now, for: plan.graceNanoseconds &+ settling)
                else { continue }
                viewer.record.miss(one.key, start: one.startMicroseconds)
                let slot = recorder.breakSlot(
                    for: one.key,
                    start: one.startMicroseconds,
                    durationMilliseconds: one.durationMilliseconds,
                    meeting: one.meeting
                )
                recorder.viewerDue(slot, persona: persona)
                recorder.viewerFailed(slot, .notListed, persona: persona)
            }
        }
    }
}
