package import AdServing
import Synchronization
package import Time

/// The breaks that the viewers of a run wait for, each made once.
///
/// Safe to use from any thread. Asked once for each viewer and break, so that a lock costs nothing that counts.
package final class BreakBook: Sendable {
    private struct Page {
        /// The schedule has no break between here and this one.
        var since: WallTime
        let planned: PlannedBreak
    }

    /// Viewers differ in which break comes next by few: those of other playheads, and those who join late.
    private static let keptPages = 8

    private let calendar: BreakCalendar
    private let called: CalledBreaks
    private let pages = Mutex<[Page]>([])

    /// - Parameters:
    ///   - calendar: When breaks are.
    ///   - called: What the calendar looks into for those that are called for.
    package init(_ calendar: BreakCalendar, called: CalledBreaks = CalledBreaks()) {
        self.calendar = calendar
        self.called = called
    }

    /// What `BreakCalendar.nextBreak` answers, with its name.
    package func nextBreak(after instant: WallTime, clickedAt: WallTime, isFirst: Bool) -> PlannedBreak? {
        // Looked for and kept in one: a break that is called for meanwhile would be missing from the page.
        pages.withLock { pages in
            let known = pages.first { $0.since <= instant && instant < $0.planned.scheduled.start }
            if calendar.isSameForAll, let known { return known.planned }
            return calendar.nextBreak(after: instant, clickedAt: clickedAt, isFirst: isFirst)
                .map { planned($0, clickedAt: clickedAt, source: .schedule, since: instant, in: &pages) }
        }
    }

    /// A break with the name under which a viewer that pressed play at `clickedAt` asks for its pod.
    package func planned(_ scheduled: ScheduledBreak, clickedAt: WallTime, source: BreakSource) -> PlannedBreak {
        pages.withLock { pages in
            planned(scheduled, clickedAt: clickedAt, source: source, since: scheduled.start, in: &pages)
        }
    }

    /// Takes up a break that was called for.
    ///
    /// Viewers that look for their next break find it from now on; those that have looked are to be told.
    ///
    /// - Parameter scheduled: The break.
    /// - Returns: It, as those are told of it.
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
        if pages.count == Self.keptPages {
            pages.removeFirst()
        }
        let planned = PlannedBreak(scheduled, identifier, source: source)
        pages.append(Page(since: since, planned: planned))
        return planned
    }
}
