package import AdServing
import Synchronization
package import Values

/// A break and the name of its pod: one object for all viewers that have that break under that name.
package final class PlannedBreak: Sendable {
    package let scheduled: ScheduledBreak
    package let identifier: PodIdentifier
    /// The identifier in the pod's path; for a break of the channel, the name of its source.
    package let pathComponent: String
    package let source: BreakSource

    /// A pod of the viewer's own.
    package init(_ scheduled: ScheduledBreak, _ identifier: PodIdentifier, source: BreakSource) {
        self.scheduled = scheduled
        self.identifier = identifier
        self.pathComponent = identifier.pathComponent
        self.source = source
    }

    /// A break of the channel.
    package init(_ scheduled: ScheduledBreak, source: BreakSource) {
        self.scheduled = scheduled
        self.identifier = .adBreakID(scheduled.key)
        self.pathComponent = source.rawValue
        self.source = source
    }

    package var isOwn: Bool { source.isOwn }

    /// Whether each viewer reaches the break when it joins, so that no instant is the same for all.
    package var isMetAtJoin: Bool { source == .preRoll }
}

extension PlannedBreak: BreakOffer {
    package var planned: PlannedBreak { self }
    package var start: WallTime? { scheduled.start }
    package var content: OfferedContent? { .pod }
    package var beacons: [DueBeacon] { [] }
}
