package import Profile
package import Results
import Values

/// Times and audiences of the breaks of one run of a search.
///
/// The first break comes when its audience has joined and settled. Viewers join or leave in the third quarter of the time
/// between two breaks: no pods are fetched then, and every viewer has a playlist before the next break.
package struct RunTimetable: Equatable, Sendable {
    package static let leastSpacing = Duration.seconds(4)
    /// Time for playlists and sessions after the last join.
    private static let settling = Duration.seconds(4)
    private static let leastJoining = Duration.seconds(1)

    package let sizes: [Int]
    package let spacing: Duration
    package let joining: Duration

    /// `sizes` are viewers, at least one break and one viewer each; `joinsPerSecond` is that of the profile's own audience.
    package init(sizes: [Int], spacing: Duration, joinsPerSecond: Double) {
        self.sizes = sizes.map { max(1, $0) }
        self.spacing = max(spacing, Self.leastSpacing)
        joining = Self.joining(self.sizes.first ?? 1, perSecond: joinsPerSecond)
    }

    static func joining(_ viewers: Int, perSecond: Double) -> Duration {
        let seconds = Double(viewers) / max(perSecond, 0.001)
        return max(.milliseconds(Int64(min(seconds, 86_400) * 1_000)), leastJoining)
    }

    /// Peak of concurrent viewers.
    package var viewers: Int { sizes.max() ?? 1 }

    /// Starts of the breaks, from the start of the run.
    package var breaks: [Duration] {
        sizes.indices.map { joining + max(Self.settling, spacing / 4) + spacing * $0 }
    }

    /// Time until the last break can be judged.
    package var duration: Duration { (breaks.last ?? .zero) + spacing }

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
    /// Adds breaks that were due but not counted, as lost.
    ///
    /// A target that loses every viewer, or enough for a condition to end the run, has missed the break too.
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
