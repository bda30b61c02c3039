package import Profile
package import Results
import Values

/// Breaks and audience of one run of a search.
package struct RunCourse: Equatable, Sendable {
    package static let leastSpacing = Duration.seconds(4)
    private static let leastJoining = Duration.seconds(1)
    /// Time for playlists and sessions after the last join, by whose the breaks are; that of the channel is an assumption.
    private static let settling = (own: Duration.seconds(4), ofChannel: Duration.seconds(10))

    /// Peak of concurrent viewers.
    package let viewers: Int
    /// Audience of each break; empty if the channel schedules the breaks.
    package let sizes: [Int]
    /// Starts of the breaks, from the start of the run; empty if the channel schedules them.
    package let breaks: [Duration]
    package let joining: Duration
    package let duration: Duration
    package let points: [CurvePoint]
    /// Breaks that begin earlier after the start of the run are not judged, because the audience is not complete.
    package let firstJudged: Duration
    /// Judged breaks after which the run ends; nil for a run with a fixed timetable.
    package let enough: Int?

    /// Plans the viewers' own breaks, `spacing` apart, at instants that the search chooses.
    ///
    /// The first break comes when its audience has joined and settled. Viewers join or leave in the third quarter of the time
    /// between two breaks: no pods are fetched then, and every viewer has a playlist before the next break. `sizes` are
    /// viewers, at least one break and one viewer each; `joinsPerSecond` is that of the profile's own audience.
    package init(sizes: [Int], spacing: Duration, joinsPerSecond: Double) {
        let sizes = sizes.map { max(1, $0) }
        let spacing = max(spacing, Self.leastSpacing)
        let viewers = sizes.max() ?? 1
        let joining = Self.joining(sizes.first ?? 1, perSecond: joinsPerSecond)
        let breaks = sizes.indices.map { joining + max(Self.settling.own, spacing / 4) + spacing * $0 }
        let shares = sizes.map { Double($0) / Double(viewers) }
        var points = [CurvePoint(at: .zero, share: 0), CurvePoint(at: joining, share: shares.first ?? 1)]
        for (index, start) in breaks.enumerated().dropFirst() {
            points.append(CurvePoint(at: start - spacing / 2, share: shares[index - 1]))
            points.append(CurvePoint(at: start - spacing / 4, share: shares[index]))
        }
        (self.viewers, self.sizes, self.breaks, self.joining, self.points) = (viewers, sizes, breaks, joining, points)
        // Until the last break can be judged.
        duration = (breaks.last ?? .zero) + spacing
        (firstJudged, enough) = (.zero, nil)
    }

    /// Plans a run that waits for breaks of the channel, whose times are unknown.
    ///
    /// One audience joins, settles, and watches until `count` breaks were judged, for at most `longest`. `viewers` and `count`
    /// are at least 1; `joinsPerSecond` is that of the profile's own audience.
    package init(viewers: Int, count: Int, longest: Duration, joinsPerSecond: Double) {
        self.viewers = max(1, viewers)
        (sizes, breaks) = ([], [])
        joining = Self.joining(self.viewers, perSecond: joinsPerSecond)
        points = [CurvePoint(at: .zero, share: 0), CurvePoint(at: joining, share: 1)]
        firstJudged = joining + Self.settling.ofChannel
        duration = firstJudged + max(longest, .seconds(1))
        enough = max(1, count)
    }

    private static func joining(_ viewers: Int, perSecond: Double) -> Duration {
        let seconds = Double(viewers) / max(perSecond, 0.001)
        return max(.milliseconds(Int64(min(seconds, 86_400) * 1_000)), leastJoining)
    }

    /// Planned viewers at an offset from the start of the run.
    package func planned(at offset: Duration) -> Int {
        let level = AudienceCurve(viewers: viewers, points: points).level(at: offset.nanosecondsHeld)
        return max(0, Int(level.rounded()))
    }

    /// Adds lost breaks: those that were due but not counted, or one of the channel if a condition ended the run.
    ///
    /// A target that loses every viewer, or enough for a condition to end the run, has missed the break too. Instants are in
    /// microseconds since the Unix epoch. A break can be judged from `grace` after its start on. Breaks are in the order of
    /// their starts.
    package func withLost(
        _ judged: [JudgedBreak],
        start: Int64,
        end: Int64,
        grace: Duration,
        abortedBy: String?
    ) -> [JudgedBreak] {
        let reason = abortedBy.map { "the run was ended by \($0)" }
        guard enough == nil else {
            return judged + (reason.map { [.lost(startMicroseconds: end, planned: viewers, reason: $0)] } ?? [])
        }
        let late = grace + .seconds(2)
        let lost = zip(breaks, sizes).compactMap { offset, size -> JudgedBreak? in
            let instant = start &+ offset.nanosecondsHeld / 1_000
            let isCounted = judged.contains { abs($0.startMicroseconds &- instant) < 1_000_000 }
            guard !isCounted, instant < end else { return nil }
            if let reason { return .lost(startMicroseconds: instant, planned: size, reason: reason) }
            guard instant &+ late.nanosecondsHeld / 1_000 <= end else { return nil }
            return .lost(startMicroseconds: instant, planned: size, reason: "nobody was due")
        }
        return (judged + lost).sorted { $0.startMicroseconds < $1.startMicroseconds }
    }
}
