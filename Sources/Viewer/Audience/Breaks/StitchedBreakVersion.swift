import AdServing
package import Values

/// A break stitched into the live playlist, as one version shows it: one object for all viewers of a loop.
package final class StitchedBreakVersion: Sendable {
    package struct Segment: Sendable, Equatable {
        package var sequence: UInt64
        /// Hash of its URI without the session's own parts.
        package var hash: UInt64
        /// The end of its path, redacted; nil if this version no longer lists it.
        package var name: String?

        /// Compares what was shown, whether or not it is still listed.
        package static func == (lhs: Segment, rhs: Segment) -> Bool {
            lhs.sequence == rhs.sequence && lhs.hash == rhs.hash
        }
    }

    package let planned: PlannedBreak
    package let firstDate: WallTime
    package let segments: [Segment]
    /// Media sequence number of the first ad segment; nil if that was gone when the break was first seen.
    package let firstSequence: UInt64?
    package let hasEnded: Bool

    package init(
        planned: PlannedBreak,
        firstDate: WallTime,
        segments: [Segment],
        firstSequence: UInt64?,
        hasEnded: Bool
    ) {
        self.planned = planned
        self.firstDate = firstDate
        self.segments = segments
        self.firstSequence = firstSequence
        self.hasEnded = hasEnded
    }

    package var key: String { planned.scheduled.key }

    /// Whether both give the ads that they share the same names; those of two renditions may differ.
    package func agrees(with other: StitchedBreakVersion) -> Bool {
        guard self !== other, let first = segments.first, let next = other.segments.first else { return true }
        let shared = max(first.sequence, next.sequence)
        return zip(segments.drop { $0.sequence < shared }, other.segments.drop { $0.sequence < shared }).allSatisfy {
            $0.sequence != $1.sequence || $0.hash == $1.hash
        }
    }

    package func isSame(as other: StitchedBreakVersion) -> Bool {
        key == other.key && firstDate == other.firstDate && segments == other.segments && hasEnded == other.hasEnded
    }
}

extension StitchedBreakVersion: BreakOffer {
    package var start: WallTime? { firstDate }
    package var content: OfferedContent? { nil }
    package var beacons: [DueBeacon] { [] }
}
