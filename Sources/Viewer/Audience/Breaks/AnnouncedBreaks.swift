package import AdServing
package import HLS
package import Profile
import Values

/// Reads the breaks that a live playlist announces by EXT-X-DATERANGE.
package struct AnnouncedBreaks: Sendable {
    /// Nil selects the ranges with SCTE35-OUT.
    private let classAttribute: String?
    private let fallbackDuration: Duration

    package init(classAttribute: String?, fallbackDuration: Duration) {
        (self.classAttribute, self.fallbackDuration) = (classAttribute, fallbackDuration)
    }

    /// Nil for a plan whose breaks come from elsewhere.
    package init?(_ plan: BreakPlan) {
        for case .dateRange(let classAttribute) in plan.source.each {
            self.init(classAttribute: classAttribute, fallbackDuration: plan.podDuration)
            return
        }
        return nil
    }

    /// Sorted by start.
    package func breaks(in playlist: MediaPlaylist) -> [ScheduledBreak] {
        playlist.dateRanges.compactMap(scheduled).sorted { $0.start < $1.start }
    }

    private func scheduled(_ range: DateRange) -> ScheduledBreak? {
        let isBreak = classAttribute.map { $0 == range.classAttribute } ?? (range.scte35Out != nil)
        guard isBreak, let start = range.startDate else { return nil }
        return ScheduledBreak(
            start: start,
            duration: range.duration ?? range.plannedDuration ?? fallbackDuration,
            key: range.id,
            ordinal: Self.trailingNumber(of: range.id) ?? 1,
            dateRangeID: range.id,
            scte35: range.scte35Out.flatMap(SpliceText.base64)
        )
    }

    private static func trailingNumber(of id: String) -> Int? {
        Int(String(decoding: id.utf8.reversed().prefix(while: \.isDigit).reversed(), as: UTF8.self))
    }
}

/// Announcements of breaks that viewers already know by the wall clock, for comparison.
package struct ScheduledAnnouncements: Sendable {
    private let interval: Duration
    private let offset: Duration
    private let duration: Duration

    /// Nil for a plan whose breaks do not all follow one rule of the wall clock.
    package init?(_ plan: BreakPlan) {
        switch plan.source {
        case .every(let interval, let offset): (self.interval, self.offset) = (interval, offset)
        case .guideMinute:
            interval = .seconds(60)
            offset = .zero
        case .list, .dateRange, .trigger, .several, .none: return nil
        }
        guard interval > .zero else { return nil }
        duration = plan.podDuration
    }

    /// Gives each announced break the identity of the nearest scheduled one.
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
