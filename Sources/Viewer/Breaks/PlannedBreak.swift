package import AdServing
import HLS
import LoadProfile
import Rulebook
import Synchronization

/// A break and the name of its pod: one for all viewers that are to have that break under that name.
package final class PlannedBreak: Sendable {
    package let scheduled: ScheduledBreak
    package let identifier: PodIdentifier
    /// The identifier as it stands in the pod's path; of a break that the channel brings, what brings it.
    package let pathComponent: String
    let source: BreakSource

    /// A pod of the viewer's own.
    init(_ scheduled: ScheduledBreak, _ identifier: PodIdentifier, source: BreakSource) {
        self.scheduled = scheduled
        self.identifier = identifier
        self.pathComponent = identifier.pathComponent
        self.source = source
    }

    /// A break that the channel brings.
    init(_ scheduled: ScheduledBreak, source: BreakSource) {
        self.scheduled = scheduled
        self.identifier = .adBreakID(scheduled.key)
        self.pathComponent = source.rawValue
        self.source = source
    }

    /// Whether its pod is asked for in the name of the viewer's session.
    package var isOwn: Bool {
        switch source {
        case .schedule, .dateRange: true
        case .interstitial, .preRoll, .stitched: false
        }
    }

    /// True where no instant is the same for all viewers: each meets the break when it joins.
    package var isMetAtJoin: Bool { source == .preRoll }
}

extension PlannedBreak: BreakOffer {
    var planned: PlannedBreak { self }
    var start: WallTime? { scheduled.start }
    var content: OfferedContent? { .pod }
    var beacons: [DueBeacon] { [] }
}

// What is wrong with a pod for the viewer that got it.
extension PlannedBreak {
    /// Notes a pod that is empty, or off the length that was asked for.
    func inspect(_ content: AdTimeline, turn: inout Turn) {
        guard content.segmentCount > 0 else {
            let empty = "a pod without segments"
            turn.note(.finding(.emptyPod, expected: "at least one segment", observed: empty), of: self)
            return
        }
        let wanted = scheduled.duration.nanosecondsHeld / 1000
        let off = content.durationMicroseconds &- wanted
        let tolerance = turn.plan.pods.durationTolerance.nanosecondsHeld / 1000
        guard off.magnitude > UInt64(max(tolerance, 0)) else { return }
        let finding = ViewerNote.finding(
            off < 0 ? .podUnderfilled : .podOverfilled,
            expected: "\(wanted / 1000) ms",
            observed: "\(content.durationMicroseconds / 1000) ms"
        )
        turn.note(finding, of: self)
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
        if calendar.isSameForAll, let known = self.known(after: instant) {
            return known
        }
        return calendar.nextBreak(after: instant, clickedAt: clickedAt, isFirst: isFirst)
            .map { planned($0, clickedAt: clickedAt, since: instant) }
    }

    /// A break with the name under which a viewer that pressed play at `clickedAt` asks for its pod.
    func planned(_ scheduled: ScheduledBreak, clickedAt: WallTime) -> PlannedBreak {
        planned(scheduled, clickedAt: clickedAt, since: scheduled.start)
    }

    private func known(after instant: WallTime) -> PlannedBreak? {
        pages.withLock { pages in
            pages.first { $0.since <= instant && instant < $0.planned.scheduled.start }?.planned
        }
    }

    private func planned(_ scheduled: ScheduledBreak, clickedAt: WallTime, since: WallTime) -> PlannedBreak {
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
            let planned = PlannedBreak(scheduled, identifier, source: calendar.readsPlaylist ? .dateRange : .schedule)
            pages.append(Page(since: since, planned: planned))
            return planned
        }
    }
}
