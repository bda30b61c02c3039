package import AdServing
package import Profile
package import Values

/// Computes a viewer's next break and the name of its pod.
package struct BreakCalendar: Sendable {
    private enum Source: Sendable {
        case computed(BreakSchedule)
        /// Sorted by start.
        case listed([ScheduledBreak])
        case guideMinute(duration: Duration, repeats: Bool)
        case called
    }

    /// Sources that need no playlist.
    private let sources: [Source]
    private let called: CalledBreaks
    private let policy: IdentifierPolicy
    package let readsPlaylist: Bool
    /// Whether neither a break nor its name depends on when a viewer pressed play.
    package let isSameForAll: Bool
    /// Whether each break depends on the moment at which a viewer presses play.
    package let countsFromClick: Bool

    package init(_ plan: BreakPlan, runStart: WallTime, called: CalledBreaks = CalledBreaks()) {
        self.called = called
        sources = plan.source.each.compactMap { source in
            switch source {
            case .every(let interval, let offset):
                .computed(
                    .every(
                        interval: interval,
                        epoch: Self.wholeMultiple(of: interval, notAfter: runStart - offset),
                        firstOffset: offset,
                        duration: plan.podDuration
                    )
                )
            case .list(let listed):
                .listed(Self.breaks(listed, runStart: runStart, duration: plan.podDuration))
            case .guideMinute(let repeats): .guideMinute(duration: plan.podDuration, repeats: repeats)
            case .trigger: .called
            case .dateRange, .several, .none: nil
            }
        }
        switch plan.podIdentifier {
        case .synchronised: policy = .synchronised(template: plan.identifierTemplate)
        case .sequence: policy = .sequence
        case .guideSample: policy = .guideSample
        }
        readsPlaylist = plan.source.readsDateRanges
        countsFromClick = sources.contains {
            if case .guideMinute = $0 { true } else { false }
        }
        isSameForAll = !sources.isEmpty && !countsFromClick && plan.podIdentifier != .guideSample
    }

    package var hasSchedule: Bool { !sources.isEmpty }

    /// First break strictly after `instant`; nil if breaks are announced in the playlist, or if none is left.
    ///
    /// `clickedAt` is when the viewer pressed play, from which the guide's rule counts. `isFirst` is false once the viewer has
    /// had a break. Of two breaks with the same start, the one of the first source is returned.
    package func nextBreak(after instant: WallTime, clickedAt: WallTime, isFirst: Bool) -> ScheduledBreak? {
        var next: ScheduledBreak?
        for source in sources {
            guard let found = self.next(of: source, after: instant, clickedAt: clickedAt, isFirst: isFirst) else {
                continue
            }
            if let known = next, known.start <= found.start { continue }
            next = found
        }
        return next
    }

    private func next(
        of source: Source,
        after instant: WallTime,
        clickedAt: WallTime,
        isFirst: Bool
    ) -> ScheduledBreak? {
        switch source {
        case .computed(let schedule): return schedule.next(after: instant)
        case .listed(let breaks): return breaks.first { $0.start > instant }
        case .guideMinute(let duration, let repeats):
            guard isFirst || repeats else { return nil }
            return GuideMinuteRule.nextBreak(clickedAt: isFirst ? clickedAt : instant, duration: duration)
        case .called: return called.next(after: instant)
        }
    }

    /// First two overlapping breaks that begin in a range, among some thousands of breaks.
    ///
    /// Viewers in the ads of the earlier break leave out the later one.
    package func overlap(in range: Range<WallTime>) -> (ScheduledBreak, ScheduledBreak)? {
        guard sources.count > 1 else { return nil }
        var last = nextBreak(after: range.lowerBound - .microseconds(1), clickedAt: range.lowerBound, isFirst: true)
        for _ in 0..<Self.mostLookedAt {
            guard let earlier = last, earlier.start < range.upperBound else { return nil }
            let later = nextBreak(after: earlier.start, clickedAt: earlier.start, isFirst: false)
            if let later, later.start < min(earlier.end, range.upperBound) { return (earlier, later) }
            last = later
        }
        return nil
    }

    private static let mostLookedAt = 10_000

    package func identifier(for scheduled: ScheduledBreak, clickedAt: WallTime) -> PodIdentifier {
        policy.identifier(for: scheduled, clickedAt: clickedAt)
    }

    private static func breaks(_ listed: [ListedBreak], runStart: WallTime, duration: Duration) -> [ScheduledBreak] {
        listed.sorted { $0.at < $1.at }.enumerated().map { index, one in
            var scheduled = ScheduledBreak(
                start: runStart + one.at,
                duration: one.duration ?? duration,
                ordinal: index + 1
            )
            scheduled.scte35 = one.scte35
            return scheduled
        }
    }

    private static func wholeMultiple(of interval: Duration, notAfter instant: WallTime) -> WallTime {
        let step = max(interval.nanosecondsHeld / 1000, 1)
        let remainder = instant.microseconds % step
        return WallTime(microseconds: instant.microseconds - (remainder < 0 ? remainder + step : remainder))
    }
}
