package import AdServing
package import Profile
import Synchronization
package import Values

/// Computes a viewer's next break and the name of its pod.
package struct BreakCalendar: Sendable {
    private enum Source: Sendable {
        case computed(BreakSchedule)
        /// Sorted by start.
        case listed([ScheduledBreak])
        case guideMinute(duration: Duration, repeats: Bool)
        case called
    }

    private let sources: [Source]
    fileprivate let called: CalledBreaks
    private let policy: IdentifierPolicy
    private let template: String
    package let readsPlaylist: Bool
    /// Whether neither a break nor its name depends on when a viewer pressed play.
    package let isSameForAll: Bool
    /// Whether breaks depend on when a viewer presses play.
    package let countsFromClick: Bool

    package init(_ plan: BreakPlan, runStart: WallTime, called: CalledBreaks = CalledBreaks()) {
        self.called = called
        sources = plan.source.each.compactMap { source in
            switch source {
            case .every(let interval, let offset):
                .computed(
                    .every(
                        interval: interval,
                        epoch: Self.wholeMultiple(of: interval, notAfter: runStart - offset),
                        firstOffset: offset,
                        duration: plan.podDuration
                    )
                )
            case .list(let listed): .listed(Self.breaks(listed, runStart: runStart, duration: plan.podDuration))
            case .guideMinute(let repeats): .guideMinute(duration: plan.podDuration, repeats: repeats)
            case .trigger: .called
            case .dateRange, .several, .none: nil
            }
        }
        (policy, template) = (plan.podIdentifier, plan.identifierTemplate)
        readsPlaylist = plan.source.readsDateRanges
        countsFromClick = sources.contains { if case .guideMinute = $0 { true } else { false } }
        isSameForAll = !sources.isEmpty && !countsFromClick && plan.podIdentifier != .guideSample
    }

    /// Strictly after `instant`; nil if the playlist announces breaks, or none is left; of two breaks with the same
    /// start, the one of the first source.
    ///
    /// `clickedAt` is when the viewer pressed play, from which the guide's rule counts. `isFirst` is false once the
    /// viewer has had a break.
    package func nextBreak(after instant: WallTime, clickedAt: WallTime, isFirst: Bool) -> ScheduledBreak? {
        sources.lazy.compactMap { next(of: $0, after: instant, clickedAt: clickedAt, isFirst: isFirst) }
            .min { $0.start < $1.start }
    }

    private func next(of source: Source, after date: WallTime, clickedAt: WallTime, isFirst: Bool) -> ScheduledBreak? {
        switch source {
        case .computed(let schedule): return schedule.next(after: date)
        case .listed(let breaks): return breaks.first { $0.start > date }
        case .guideMinute(let duration, let repeats):
            guard isFirst || repeats else { return nil }
            return GuideMinuteRule.nextBreak(clickedAt: isFirst ? clickedAt : date, duration: duration)
        case .called: return called.next(after: date)
        }
    }

    /// First two overlapping breaks; viewers in the ads of the earlier one leave out the later one.
    package func overlap(in range: Range<WallTime>) -> (ScheduledBreak, ScheduledBreak)? {
        guard sources.count > 1 else { return nil }
        var last = nextBreak(after: range.lowerBound - .microseconds(1), clickedAt: range.lowerBound, isFirst: true)
        for _ in 0..<Self.mostLookedAt {
            guard let earlier = last, earlier.start < range.upperBound else { return nil }
            let later = nextBreak(after: earlier.start, clickedAt: earlier.start, isFirst: false)
            if let later, later.start < min(earlier.end, range.upperBound) { return (earlier, later) }
            last = later
        }
        return nil
    }

    private static let mostLookedAt = 10_000

    package func identifier(for scheduled: ScheduledBreak, clickedAt: WallTime) -> PodIdentifier {
        policy.identifier(for: scheduled, clickedAt: clickedAt, template: template)
    }

    private static func breaks(_ listed: [ListedBreak], runStart: WallTime, duration: Duration) -> [ScheduledBreak] {
        listed.sorted { $0.at < $1.at }.enumerated().map { index, one in
            let (start, duration) = (runStart + one.at, one.duration ?? duration)
            var scheduled = ScheduledBreak(start: start, duration: duration, ordinal: index + 1)
            scheduled.scte35 = one.scte35
            return scheduled
        }
    }

    private static func wholeMultiple(of interval: Duration, notAfter instant: WallTime) -> WallTime {
        let step = max(interval.nanosecondsHeld / 1000, 1)
        let remainder = instant.microseconds % step
        return WallTime(microseconds: instant.microseconds - (remainder < 0 ? remainder + step : remainder))
    }
}

/// Safe to use from any thread.
package final class CalledBreaks: Sendable {
    /// Bounded, since a run may last for weeks.
    private static let kept = 4_096

    private let breaks = Mutex<[ScheduledBreak]>([])

    package init() {}

    /// Ignores a break whose start is known already.
    package func add(_ scheduled: ScheduledBreak) {
        breaks.withLock { breaks in
            let index = breaks.partitioningIndex { $0.start >= scheduled.start }
            guard index == breaks.count || breaks[index].start != scheduled.start else { return }
            breaks.insert(scheduled, at: index)
            if breaks.count > Self.kept { breaks.removeFirst() }
        }
    }

    package func next(after instant: WallTime) -> ScheduledBreak? {
        breaks.withLock { breaks in
            let index = breaks.partitioningIndex { $0.start > instant }
            return index < breaks.count ? breaks[index] : nil
        }
    }
}

/// Creates each break once for all viewers; safe to use from any thread.
package final class BreakBook: Sendable {
    private struct Page {
        /// The schedule has no break between this instant and `planned`.
        var since: WallTime
        let planned: PlannedBreak
    }

    /// Viewers differ by few in their next break: by their playheads, and by late joins.
    private static let keptPages = 8

    private let calendar: BreakCalendar
    private let pages = Mutex<[Page]>([])

    package init(_ calendar: BreakCalendar) { self.calendar = calendar }

    /// ``BreakCalendar/nextBreak(after:clickedAt:isFirst:)`` with the pod's name.
    package func nextBreak(after instant: WallTime, clickedAt: WallTime, isFirst: Bool) -> PlannedBreak? {
        // Lookup and insertion share one lock: otherwise a break called for meanwhile would be missing from the page.
        pages.withLock { pages in
            let known = pages.first { $0.since <= instant && instant < $0.planned.scheduled.start }
            if calendar.isSameForAll, let known { return known.planned }
            return calendar.nextBreak(after: instant, clickedAt: clickedAt, isFirst: isFirst)
                .map { planned($0, clickedAt: clickedAt, source: .schedule, since: instant, in: &pages) }
        }
    }

    package func planned(_ scheduled: ScheduledBreak, clickedAt: WallTime, source: BreakSource) -> PlannedBreak {
        pages.withLock { pages in
            planned(scheduled, clickedAt: clickedAt, source: source, since: scheduled.start, in: &pages)
        }
    }

    /// Viewers that look for their next break find it; the caller must announce the returned break to the others.
    package func call(_ scheduled: ScheduledBreak) -> PlannedBreak {
        pages.withLock { pages in
            calendar.called.add(scheduled)
            for index in pages.indices where scheduled.start < pages[index].planned.scheduled.start {
                pages[index].since = max(pages[index].since, scheduled.start)
            }
            return planned(scheduled, clickedAt: scheduled.start, source: .schedule, since: scheduled.start, in: &pages)
        }
    }

    private func planned(
        _ scheduled: ScheduledBreak,
        clickedAt: WallTime,
        source: BreakSource,
        since: WallTime,
        in pages: inout [Page]
    ) -> PlannedBreak {
        let identifier = calendar.identifier(for: scheduled, clickedAt: clickedAt)
        let index = pages.firstIndex { $0.planned.scheduled == scheduled && $0.planned.identifier == identifier }
        if let index {
            pages[index].since = min(pages[index].since, since)
            return pages[index].planned
        }
        let planned = PlannedBreak(scheduled, identifier, source: source)
        pages.append(Page(since: since, planned: planned), atMost: Self.keptPages)
        return planned
    }
}
