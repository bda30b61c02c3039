/// The size beyond which latency rises clearly faster than before.
///
/// Both axes are scaled to 0…1; the bend is where the curve lies furthest below the straight line from its first point to its
/// last.
///
/// Source: Satopää, Albrecht, Irwin and Raghavan, "Finding a 'Kneedle' in a Haystack: Detecting Knee Points in System
/// Behavior", ICDCS Workshops 2011, for a convex curve. The sensitivity is a half because points are few; there is no smoothing
/// spline.
package struct LatencyKnee: Codable, Equatable, Sendable {
    private static let leastPoints = 5
    /// A latency that rises by less than this factor over all sizes counts as flat, whatever its shape: an assumption.
    private static let leastRise = 1.3

    package let size: Double
    package let latency: Double

    /// Finds the bend; nil for fewer than five sizes and for a curve without a bend.
    ///
    /// Points of one size are averaged.
    package init?(_ points: [(size: Double, latency: Double)]) {
        let groups = Dictionary(grouping: points.filter { $0.size.isFinite && $0.latency.isFinite }, by: \.size)
        let curve = groups.map { size, points in
            (size: size, latency: points.reduce(0) { $0 + $1.latency } / Double(points.count))
        }.sorted { $0.size < $1.size }
        guard curve.count >= Self.leastPoints, let first = curve.first, let last = curve.last else { return nil }
        guard first.latency > 0, last.latency >= Self.leastRise * first.latency else { return nil }
        let below = curve.map {
            ($0.size - first.size) / (last.size - first.size)
                - ($0.latency - first.latency) / (last.latency - first.latency)
        }
        guard let bend = below.indices.max(by: { below[$0] < below[$1] }) else { return nil }
        // Half of the mean step of the scaled axis; a smaller distance is unevenness.
        guard below[bend] >= 0.5 / Double(curve.count - 1) else { return nil }
        (size, latency) = (curve[bend].size, curve[bend].latency)
    }
}
