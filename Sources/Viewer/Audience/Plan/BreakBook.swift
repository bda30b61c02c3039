package import AdServing
import Synchronization
package import Values

/// The breaks that the viewers of a run wait for, each created once.
///
/// Safe to use from any thread. The lock is taken once per viewer and break, so its cost does not matter.
package final class BreakBook: Sendable {
    private struct Page {
        /// The schedule has no break between this instant and `planned`.
        var since: WallTime
        let planned: PlannedBreak
    }

    /// Viewers differ by few in their next break: by their playheads, and by late joins.
    private static let keptPages = 8

    private let calendar: BreakCalendar
    private let called: CalledBreaks
    private let pages = Mutex<[Page]>([])

    package init(_ calendar: BreakCalendar, called: CalledBreaks = CalledBreaks()) {
        self.calendar = calendar
        self.called = called
    }

    /// `BreakCalendar.nextBreak` with the name of the pod.
    package func nextBreak(after instant: WallTime, clickedAt: WallTime, isFirst: Bool) -> PlannedBreak? {
        // Lookup and insertion share one lock: otherwise a break called for meanwhile would be missing from the page.
        pages.withLock { pages in
            let known = pages.first { $0.since <= instant && instant < $0.planned.scheduled.start }
            if calendar.isSameForAll, let known { return known.planned }
            return calendar.nextBreak(after: instant, clickedAt: clickedAt, isFirst: isFirst)
                .map { planned($0, clickedAt: clickedAt, source: .schedule, since: instant, in: &pages) }
        }
    }

    /// Break with the name under which a viewer that pressed play at `clickedAt` requests its pod.
    package func planned(_ scheduled: ScheduledBreak, clickedAt: WallTime, source: BreakSource) -> PlannedBreak {
        pages.withLock { pages in
            planned(scheduled, clickedAt: clickedAt, source: source, since: scheduled.start, in: &pages)
        }
    }

    /// Adds a break that was called for.
    ///
    /// Viewers that look for their next break find it from now on; the others must be told of the returned break.
    package func call(_ scheduled: ScheduledBreak) -> PlannedBreak {
        pages.withLock { pages in
            called.add(scheduled)
            for index in pages.indices where scheduled.start < pages[index].planned.scheduled.start {
                pages[index].since = max(pages[index].since, scheduled.start)
            }
            return planned(
                scheduled,
                clickedAt: scheduled.start,
                source: .schedule,
                since: scheduled.start,
                in: &pages
            )
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
        let index = pages.firstIndex {
            $0.planned.scheduled == scheduled && $0.planned.identifier == identifier
        }
        if let index {
            pages[index].since = min(pages[index].since, since)
            return pages[index].planned
        }
        let planned = PlannedBreak(scheduled, identifier, source: source)
        pages.append(Page(since: since, planned: planned), atMost: Self.keptPages)
        return planned
    }
}
