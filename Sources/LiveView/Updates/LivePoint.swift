/// One step of a run's charts.
package struct LivePoint: Equatable, Codable, Sendable {
    /// End of the step, from the start of the run.
    package var atSeconds: Double
    package var spanSeconds: Double
    package var requestsPerSecond: Double
    package var errorsPerSecond: Double
    package var viewers: Int64
    /// How many are to watch at the end of the step; nil where the profile gives no curve.
    package var plannedViewers: Int64?
    /// Response times in the step; nil where nothing was answered.
    package var playlistP99Microseconds: Int64?
    package var podP99Microseconds: Int64?
    package var latenessMaximumMicroseconds: Int64
    package var loopDelayMaximumMicroseconds: Int64
    package var cpuCores: Double
    package var residentBytes: Int64

    /// This step and the next as one: rates are means, everything else keeps the worst.
    func joined(with next: LivePoint) -> LivePoint {
        let span = max(spanSeconds + next.spanSeconds, .leastNonzeroMagnitude)
        let mean = { (first: Double, second: Double) in
            (first * spanSeconds + second * next.spanSeconds) / span
        }
        var sum = next
        sum.spanSeconds = span
        sum.requestsPerSecond = mean(requestsPerSecond, next.requestsPerSecond)
        sum.errorsPerSecond = mean(errorsPerSecond, next.errorsPerSecond)
        sum.playlistP99Microseconds = Self.larger(playlistP99Microseconds, next.playlistP99Microseconds)
        sum.podP99Microseconds = Self.larger(podP99Microseconds, next.podP99Microseconds)
        sum.latenessMaximumMicroseconds = max(latenessMaximumMicroseconds, next.latenessMaximumMicroseconds)
        sum.loopDelayMaximumMicroseconds = max(loopDelayMaximumMicroseconds, next.loopDelayMaximumMicroseconds)
        sum.cpuCores = max(cpuCores, next.cpuCores)
        sum.residentBytes = max(residentBytes, next.residentBytes)
        return sum
    }

    private static func larger(_ lhs: Int64?, _ rhs: Int64?) -> Int64? { [lhs, rhs].compactMap(\.self).max() }
}

/// The run so far for somebody who comes late, within a fixed size.
///
/// Past the limit, neighbours are joined and each step lasts twice as long.
struct LiveHistory: Sendable {
    static let standardLimit = 600

    let limit: Int
    private(set) var points: [LivePoint] = []
    private var pointsPerStep = 1
    private var pointsInLast = 0

    init(limit: Int = standardLimit) {
        self.limit = max(2, limit)
    }

    mutating func append(_ point: LivePoint) {
        if pointsInLast > 0, pointsInLast < pointsPerStep {
            points[points.count - 1] = points[points.count - 1].joined(with: point)
            pointsInLast += 1
            return
        }
        if points.count == limit { coarsen() }
        points.append(point)
        pointsInLast = 1
    }

    /// Halves the steps; an odd one out stays last.
    private mutating func coarsen() {
        points = stride(from: 0, to: points.count, by: 2).map { index in
            index + 1 < points.count ? points[index].joined(with: points[index + 1]) : points[index]
        }
        pointsPerStep *= 2
    }
}
