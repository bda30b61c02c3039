import AdServing
import HLS

/// A break that is stitched into the live playlist, as one version shows it: one object for all viewers of a loop.
package final class StitchedBreakVersion: Sendable {
    struct Segment: Sendable, Equatable {
        var sequence: UInt64
        /// Of its URI without the query, which may be a session's own.
        var hash: UInt64
        /// The end of its path, redacted; nil where this version does not list it any more.
        var name: String?

        /// By what was shown, whether or not that is listed still.
        static func == (lhs: Segment, rhs: Segment) -> Bool { lhs.sequence == rhs.sequence && lhs.hash == rhs.hash }
    }

    let planned: PlannedBreak
    let start: WallTime
    /// The ad segments that this version lists.
    let segments: [Segment]
    /// Media sequence number of the first ad segment; nil where that was gone when the break was first seen.
    let firstSequence: UInt64?
    let hasEnded: Bool

    init(planned: PlannedBreak, start: WallTime, segments: [Segment], firstSequence: UInt64?, hasEnded: Bool) {
        self.planned = planned
        self.start = start
        self.segments = segments
        self.firstSequence = firstSequence
        self.hasEnded = hasEnded
    }

    var key: String { self.planned.scheduled.key }

    func isSame(as other: StitchedBreakVersion) -> Bool {
        self.key == other.key && self.start == other.start && self.segments == other.segments
            && self.hasEnded == other.hasEnded
    }
}

/// One stitched break as one viewer has it.
struct StitchedEntry: Sendable {
    var version: StitchedBreakVersion
    /// When its first ad segment was there for this viewer, monotonic nanoseconds; .max before.
    var inHandAt = Int64.max
    /// Over the ad segments that this viewer was shown, in order.
    var fingerprint: UInt64 = 0xCBF2_9CE4_8422_2325
    /// Media sequence number of the ad segment that is to follow; nil before the first.
    var nextSequence: UInt64?
    /// False where the viewer did not see all ad segments, so that there is nothing to compare.
    var isWhole = true
    var isBooked = false
    var isReported = false

    init(_ version: StitchedBreakVersion) {
        self.version = version
        self.nextSequence = version.firstSequence
        self.isWhole = version.firstSequence != nil
    }

    /// Adds the ad segments that are new in a version.
    mutating func take(_ version: StitchedBreakVersion) {
        self.version = version
        for segment in version.segments where segment.sequence >= self.nextSequence ?? 0 {
            if segment.sequence != self.nextSequence {
                self.isWhole = false
            }
            self.nextSequence = segment.sequence &+ 1
            self.fingerprint = (self.fingerprint ^ segment.hash) &* 0x100_0000_01B3
            self.fingerprint ^= self.fingerprint >> 29
        }
    }
}
