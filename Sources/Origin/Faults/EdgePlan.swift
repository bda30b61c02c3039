import HLS

/// How many edges of a CDN the origin plays, and which of them a request reaches; one plays none.
///
/// All edges answer alike, but for faults that are planned for one of them.
struct EdgePlan: Sendable, Equatable {
    enum Assignment: String, CaseIterable, Sendable {
        /// All requests of one viewer reach the same edge.
        case viewer
        /// An edge is chosen anew each half target duration, so that nearly each poll of a viewer may reach another.
        case request
    }

    var count = 1
    var assignment = Assignment.viewer

    /// More than any test of a CDN needs.
    static let most = 64

    /// The edge, from 1, that a request reaches: a pure function of the seed, of who asks and when.
    func edge(viewer: UInt64, at now: WallTime, targetDuration: Duration, seed: UInt64) -> Int {
        guard count > 1 else { return 1 }
        var hash = SeededHash(seed: seed)
        hash.combine(viewer)
        if assignment == .request {
            let half = max(1, targetDuration.wholeMicroseconds / 2)
            hash.combine(UInt64(bitPattern: now.microseconds / half))
        }
        return Int(hash.value % UInt64(count)) + 1
    }
}
