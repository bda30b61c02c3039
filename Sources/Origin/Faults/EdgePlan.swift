import HLS

/// Edges of a CDN that the origin simulates; 1 simulates none.
///
/// Edges differ only by faults that are planned for one of them.
struct EdgePlan: Sendable, Equatable {
    enum Assignment: String, CaseIterable, Sendable {
        case viewer
        /// The edge changes each half target duration, so that nearly each poll of a viewer may reach another.
        case request
    }

    var count = 1
    var assignment = Assignment.viewer

    static let most = 64

    /// Edge of a request, from 1: a pure function of seed, viewer and time.
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
