package import AdServing
package import HLS
package import Profile
import Values

/// Reads announcements of breaks that viewers already know by the wall clock, for comparison.
package struct ScheduledAnnouncements: Sendable {
    private let interval: Duration
    private let offset: Duration
    private let duration: Duration

    /// Nil for a plan whose breaks do not all follow one rule of the wall clock.
    package init?(_ plan: BreakPlan) {
        switch plan.source {
        case .every(let interval, let offset):
            self.interval = interval
            self.offset = offset
        case .guideMinute:
            interval = .seconds(60)
            offset = .zero
        case .list, .dateRange, .trigger, .several, .none: return nil
        }
        guard interval > .zero else { return nil }
        duration = plan.podDuration
    }

    /// Breaks that the playlist's splices announce, with the identity of the nearest scheduled break.
    package func breaks(in playlist: MediaPlaylist) -> [ScheduledBreak] {
        let slack = Duration.seconds(playlist.targetDurationSeconds) * 2
        return playlist.dateRanges.compactMap { range in
            guard range.scte35Out != nil, let start = range.startDate else { return nil }
            let nearest = self.nearest(to: start)
            let distance = nearest.start.duration(since: start)
            guard distance <= slack, distance >= .zero - slack else { return nil }
            return ScheduledBreak(
                start: nearest.start,
                duration: duration,
                key: nearest.start.iso8601,
                ordinal: nearest.ordinal,
                dateRangeID: range.id
            )
        }
    }

    private func nearest(to date: WallTime) -> (start: WallTime, ordinal: Int) {
        let step = interval.nanosecondsHeld / 1_000
        let first = offset.nanosecondsHeld / 1_000
        let since = date.microseconds.subtractingClamped(first).addingClamped(step / 2)
        let index = max(since, 0) / step
        return (WallTime(microseconds: first.addingClamped(index &* step)), Int(clamping: index.addingClamped(1)))
    }
}
