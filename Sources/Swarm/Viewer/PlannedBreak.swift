package import AdServing
import HLS
import Synchronization

/// A break and the name of its pod: one for all viewers that are to have that break under that name.
package final class PlannedBreak: Sendable {
    package let scheduled: ScheduledBreak
    package let identifier: PodIdentifier
    /// The identifier as it stands in the pod's path; of a break that the channel brings, what kind it is.
    let pathComponent: String
    /// True where no instant is the same for all viewers: each meets the break when it joins.
    let isMetAtJoin: Bool

    init(_ scheduled: ScheduledBreak, _ identifier: PodIdentifier) {
        self.scheduled = scheduled
        self.identifier = identifier
        self.pathComponent = identifier.pathComponent
        self.isMetAtJoin = false
    }

    /// Who brings a break that is not the viewer's own.
    enum ChannelKind: String, Sendable {
        case interstitial
        case preRoll = "pre-roll"
        case stitched
    }

    /// A break that the channel brings.
    init(_ scheduled: ScheduledBreak, kind: ChannelKind) {
        self.scheduled = scheduled
        self.identifier = .adBreakID(scheduled.key)
        self.pathComponent = kind.rawValue
        self.isMetAtJoin = kind == .preRoll
    }
}

/// The breaks that the viewers of a run wait for, each made once.
///
/// Safe to use from any thread. Asked once for each viewer and break, so that a lock costs nothing that counts.
final class BreakBook: Sendable {
    private struct Page {
        /// The schedule has no break between here and this one.
        var since: WallTime
        let planned: PlannedBreak
    }

    /// Viewers differ in which break comes next by few: those of other playheads, and those who join late.
    private static let keptPages = 8

    private let calendar: BreakCalendar
    private let pages = Mutex<[Page]>([])

    init(_ calendar: BreakCalendar) {
        self.calendar = calendar
    }

    /// What `BreakCalendar.nextBreak` answers, with its name.
    func nextBreak(after instant: WallTime, clickedAt: WallTime, isFirst: Bool) -> PlannedBreak? {
        if self.calendar.isSameForAll, let known = self.known(after: instant) {
            return known
        }
        return self.calendar.nextBreak(after: instant, clickedAt: clickedAt, isFirst: isFirst)
            .map { self.planned($0, clickedAt: clickedAt, since: instant) }
    }

    /// A break with the name under which a viewer that pressed play at `clickedAt` asks for its pod.
    func planned(_ scheduled: ScheduledBreak, clickedAt: WallTime) -> PlannedBreak {
        self.planned(scheduled, clickedAt: clickedAt, since: scheduled.start)
    }

    private func known(after instant: WallTime) -> PlannedBreak? {
        self.pages.withLock { pages in
            pages.first { $0.since <= instant && instant < $0.planned.scheduled.start }?.planned
        }
    }

    private func planned(_ scheduled: ScheduledBreak, clickedAt: WallTime, since: WallTime) -> PlannedBreak {
        let identifier = self.calendar.identifier(for: scheduled, clickedAt: clickedAt)
        return self.pages.withLock { pages in
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
            let planned = PlannedBreak(scheduled, identifier)
            pages.append(Page(since: since, planned: planned))
            return planned
        }
    }
}
