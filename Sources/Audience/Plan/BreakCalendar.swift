package import AdServing
package import LoadProfile
package import Time

/// Answers when a viewer's next break is and under which name its pod is asked for.
package struct BreakCalendar: Sendable {
    private enum Source: Sendable {
        case computed(BreakSchedule)
        /// By start.
        case listed([ScheduledBreak])
        case guideMinute(duration: Duration, repeats: Bool)
        case called
    }

    /// Those that need no playlist.
    private let sources: [Source]
    private let called: CalledBreaks
    private let policy: IdentifierPolicy
    /// True where breaks are read from the live playlist.
    package let readsPlaylist: Bool
    /// True where neither a break nor its name depends on when a viewer pressed play.
    package let isSameForAll: Bool
    /// True where each break follows from the moment at which a viewer presses play.
    package let countsFromClick: Bool

    /// The calendar of a plan whose run starts at this instant.
    ///
    /// - Parameters:
    ///   - plan: Of the breaks.
    ///   - runStart: When the first viewer joins.
    ///   - called: Where those go that are called for.
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

    /// Whether there are breaks that need no playlist.
    package var hasSchedule: Bool { !sources.isEmpty }

    /// The first break strictly after `instant`; nil where breaks are announced in the playlist or there is none left.
    ///
    /// - Parameters:
    ///   - instant: Breaks at or before it are over for this viewer.
    ///   - clickedAt: When the viewer pressed play, which the guide's rule counts from.
    ///   - isFirst: False once the viewer has had a break.
    /// - Returns: The break, in the future of `instant`; of two that begin at once, that of the source that stands first.
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

    /// The first two breaks of which one begins before the other has ended, of those that begin in a stretch of time.
    ///
    /// Viewers that are still in the ads of the one leave the other out.
    ///
    /// - Parameter range: From when to when.
    /// - Returns: The earlier one and the later one; nil where there are none, among some thousands of them.
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

    /// The name under which a viewer that pressed play at `clickedAt` asks for this break's pod.
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
