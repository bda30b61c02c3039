package import Results
import Rules

/// Response times between updates; a result keeps them for whole windows only.
package struct LiveCourse: Sendable {
    struct Latency: Equatable, Sendable {
        var kind: RequestKind
        var count: UInt64
        var p50Microseconds: Int64
        var p99Microseconds: Int64
    }

    struct Point: Equatable, Sendable {
        /// From the start of the run.
        var seconds: Double
        /// Nil without answers.
        var playlistP99Microseconds: Int64?
        var podP99Microseconds: Int64?
    }

    /// Beyond it neighbours are merged.
    static let limit = 600
    private static let pods: Set<RequestKind> = [.podManifest, .podPlaylist, .assetList, .assetManifest]

    private(set) var latencies: [Latency] = []
    private(set) var points: [Point] = []
    private var counts = [[UInt64]](repeating: [], count: RequestKind.allCases.count)

    package init() {}

    /// `totals` must include those of the last update; `seconds` count from the start of the run on a monotonic clock.
    package mutating func take(_ totals: RunTotals, at seconds: Double) {
        latencies = RequestKind.allCases.compactMap { latency($0, totals.latency($0, .response)) }
        let pods = latencies.filter { Self.pods.contains($0.kind) }
        let point = Point(
            seconds: seconds,
            playlistP99Microseconds: latencies.first { $0.kind == .playlist }?.p99Microseconds,
            podP99Microseconds: pods.map(\.p99Microseconds).max()
        )
        if points.count == Self.limit {
            points = stride(from: 0, to: points.count, by: 2).map { Self.joined(points[$0], points[$0 + 1]) }
        }
        points.append(point)
    }

    private static func joined(_ first: Point, _ second: Point) -> Point {
        let larger = { (figure: KeyPath<Point, Int64?>) in
            [first[keyPath: figure], second[keyPath: figure]].compactMap(\.self).max()
        }
        return Point(
            seconds: second.seconds,
            playlistP99Microseconds: larger(\.playlistP99Microseconds),
            podP99Microseconds: larger(\.podP99Microseconds)
        )
    }

    /// New samples since the last update.
    private mutating func latency(_ kind: RequestKind, _ durations: some BucketedDurations) -> Latency? {
        var new: [(index: Int, count: UInt64)] = []
        var known = counts[Int(kind.rawValue)]
        durations.forEachBucket { index, count in
            if index >= known.count { known += repeatElement(0, count: index + 1 - known.count) }
            if count > known[index] { new.append((index, count - known[index])) }
            known[index] = count
        }
        counts[Int(kind.rawValue)] = known
        let all = new.reduce(0) { $0 &+ $1.count }
        guard all > 0 else { return nil }
        let figure = { (share: Double) -> Int64 in
            let wanted = max(1, (Double(all) * share).rounded(.up))
            var seen = 0.0
            let bucket = new.first { bucket in
                seen += Double(bucket.count)
                return seen >= wanted
            }
            let highest = bucket.map { Int64(clamping: durations.digits.highestValue(in: $0.index)) } ?? 0
            // A bucket may exceed the maximum duration.
            return min(highest, durations.maximumMicroseconds)
        }
        return Latency(kind: kind, count: all, p50Microseconds: figure(0.5), p99Microseconds: figure(0.99))
    }
}
