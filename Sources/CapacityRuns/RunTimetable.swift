package import CapacityResult
package import Curves
import Time

/// When breaks are in one run of a search, and how many watch at each.
///
/// The first comes when its audience has joined and settled. From one to the next viewers come or go in the third quarter of
/// the time between, so that nobody does while pods are fetched and everybody has a playlist before the next break.
package struct RunTimetable: Equatable, Sendable {
    /// Shortest time from one break to the next.
    package static let leastSpacing = Duration.seconds(4)
    /// Playlists are loaded and sessions known so long after the last join.
    private static let settling = Duration.seconds(4)
    private static let leastJoining = Duration.seconds(1)

    package let sizes: [Int]
    package let spacing: Duration
    /// How long the first audience takes to join.
    package let joining: Duration

    /// - Parameters:
    ///   - sizes: Viewers of each break, at least one break and one viewer each.
    ///   - spacing: From one break to the next.
    ///   - joinsPerSecond: How fast the profile's own audience joins.
    package init(sizes: [Int], spacing: Duration, joinsPerSecond: Double) {
        self.sizes = sizes.map { max(1, $0) }
        self.spacing = max(spacing, Self.leastSpacing)
        joining = Self.joining(self.sizes.first ?? 1, perSecond: joinsPerSecond)
    }

    /// How long an audience takes to join.
    static func joining(_ viewers: Int, perSecond: Double) -> Duration {
        let seconds = Double(viewers) / max(perSecond, 0.001)
        return max(.milliseconds(Int64(min(seconds, 86_400) * 1_000)), leastJoining)
    }

    /// The most who watch at once.
    package var viewers: Int { sizes.max() ?? 1 }

    /// When breaks start, from the start of the run.
    package var breaks: [Duration] {
        sizes.indices.map { joining + max(Self.settling, spacing / 4) + spacing * $0 }
    }

    /// Until the last break can be judged.
    package var duration: Duration { (breaks.last ?? .zero) + spacing }

    /// How many watch over time, as the profile would say it.
    package var points: [CurvePoint] {
        var points = [CurvePoint(at: .zero, share: 0), CurvePoint(at: joining, share: share(0))]
        for (index, start) in breaks.enumerated().dropFirst() {
            points.append(CurvePoint(at: start - spacing / 2, share: share(index - 1)))
            points.append(CurvePoint(at: start - spacing / 4, share: share(index)))
        }
        return points
    }

    private func share(_ index: Int) -> Double { Double(sizes[index]) / Double(viewers) }
}

extension RunTimetable {
    /// The breaks of a run that has ended, with those of which nothing was counted though their time had come.
    ///
    /// A target that loses every viewer, or so much that a condition ends the run, has missed the break all the same.
    ///
    /// - Parameters:
    ///   - judged: What was counted.
    ///   - start: Of the run, in microseconds since the Unix epoch.
    ///   - end: When it ended.
    ///   - grace: So long after its start a break could not be judged yet.
    ///   - abortedBy: The condition that ended the run early; nil where none did.
    /// - Returns: In the order of their starts.
    package func withLost(
        _ judged: [JudgedBreak],
        start: Int64,
        end: Int64,
        grace: Duration,
        abortedBy: String?
    ) -> [JudgedBreak] {
        let late = grace + .seconds(2)
        let lost = zip(breaks, sizes).compactMap { offset, size -> JudgedBreak? in
            let instant = start &+ offset.nanosecondsHeld / 1_000
            let isCounted = judged.contains { abs($0.startMicroseconds &- instant) < 1_000_000 }
            guard !isCounted, instant < end else { return nil }
            if let abortedBy {
                return .lost(startMicroseconds: instant, planned: size, reason: "the run was ended by \(abortedBy)")
            }
            guard instant &+ late.nanosecondsHeld / 1_000 <= end else { return nil }
            return .lost(startMicroseconds: instant, planned: size, reason: "nobody was due")
        }
        return (judged + lost).sorted { $0.startMicroseconds < $1.startMicroseconds }
    }
}
