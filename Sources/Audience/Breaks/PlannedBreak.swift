package import AdServing
import Synchronization
package import Time

/// A break and the name of its pod: one for all viewers that are to have that break under that name.
package final class PlannedBreak: Sendable {
    package let scheduled: ScheduledBreak
    package let identifier: PodIdentifier
    /// The identifier as it stands in the pod's path; of a break that the channel brings, what brings it.
    package let pathComponent: String
    package let source: BreakSource

    /// A pod of the viewer's own.
    package init(_ scheduled: ScheduledBreak, _ identifier: PodIdentifier, source: BreakSource) {
        self.scheduled = scheduled
        self.identifier = identifier
        self.pathComponent = identifier.pathComponent
        self.source = source
    }

    /// A break that the channel brings.
    package init(_ scheduled: ScheduledBreak, source: BreakSource) {
        self.scheduled = scheduled
        self.identifier = .adBreakID(scheduled.key)
        self.pathComponent = source.rawValue
        self.source = source
    }

    /// Whether its pod is asked for in the name of the viewer's session.
    package var isOwn: Bool { source.isOwn }

    /// True where no instant is the same for all viewers: each meets the break when it joins.
    package var isMetAtJoin: Bool { source == .preRoll }
}

extension PlannedBreak: BreakOffer {
    package var planned: PlannedBreak { self }
    package var start: WallTime? { scheduled.start }
    package var content: OfferedContent? { .pod }
    package var beacons: [DueBeacon] { [] }
}
