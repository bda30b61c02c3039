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
    private let pages = Mutex<[Page]>([])

    package init(_ calendar: BreakCalendar) {
        self.calendar = calendar
    }

    /// What `BreakCalendar.nextBreak` answers, with its name.
    package func nextBreak(after instant: WallTime, clickedAt: WallTime, isFirst: Bool) -> PlannedBreak? {
        if calendar.isSameForAll, let known = self.known(after: instant) {
            return known
        }
        return calendar.nextBreak(after: instant, clickedAt: clickedAt, isFirst: isFirst)
            .map { planned($0, clickedAt: clickedAt, source: .schedule, since: instant) }
    }

    /// A break with the name under which a viewer that pressed play at `clickedAt` asks for its pod.
    package func planned(_ scheduled: ScheduledBreak, clickedAt: WallTime, source: BreakSource) -> PlannedBreak {
        planned(scheduled, clickedAt: clickedAt, source: source, since: scheduled.start)
    }

    private func known(after instant: WallTime) -> PlannedBreak? {
        pages.withLock { pages in
            pages.first { $0.since <= instant && instant < $0.planned.scheduled.start }?.planned
        }
    }

    private func planned(
        _ scheduled: ScheduledBreak,
        clickedAt: WallTime,
        source: BreakSource,
        since: WallTime
    ) -> PlannedBreak {
        let identifier = calendar.identifier(for: scheduled, clickedAt: clickedAt)
        return pages.withLock { pages in
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
}
