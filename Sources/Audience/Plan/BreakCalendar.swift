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
        case announced
        case none
    }

    private let source: Source
    private let policy: IdentifierPolicy
    /// Where the viewer's own breaks come from.
    package let ownSource: BreakSource
    /// True where breaks are read from the live playlist instead of being computed.
    package var readsPlaylist: Bool { ownSource != .schedule }
    /// True where neither a break nor its name depends on when a viewer pressed play.
    package let isSameForAll: Bool

    /// The calendar of a plan whose run starts at this instant.
    package init(_ plan: BreakPlan, runStart: WallTime) {
        switch plan.source {
        case .every(let interval, let offset):
            source = .computed(
                .every(
                    interval: interval,
                    epoch: Self.wholeMultiple(of: interval, notAfter: runStart - offset),
                    firstOffset: offset,
                    duration: plan.podDuration
                )
            )
        case .list(let listed): source = .listed(Self.breaks(listed, runStart: runStart, duration: plan.podDuration))
        case .guideMinute(let repeats):
            source = .guideMinute(duration: plan.podDuration, repeats: repeats)
        case .dateRange:
            source = .announced
        case .none:
            source = .none
        }
        switch plan.podIdentifier {
        case .synchronised: policy = .synchronised(template: plan.identifierTemplate)
        case .sequence: policy = .sequence
        case .guideSample: policy = .guideSample
        }
        ownSource =
            switch plan.source {
            case .dateRange: .dateRange
            case .every, .list, .guideMinute, .none: .schedule
            }
        isSameForAll =
            switch source {
            case .computed, .listed: plan.podIdentifier != .guideSample
            case .announced, .guideMinute, .none: false
            }
    }

    /// True where each break follows from the moment at which a viewer presses play.
    package var countsFromClick: Bool {
        guard case .guideMinute = source else { return false }
        return true
    }

    /// The first break strictly after `instant`; nil where breaks are announced in the playlist or there is none left.
    ///
    /// - Parameters:
    ///   - instant: Breaks at or before it are over for this viewer.
    ///   - clickedAt: When the viewer pressed play, which the guide's rule counts from.
    ///   - isFirst: False once the viewer has had a break.
    /// - Returns: The break, in the future of `instant`.
    package func nextBreak(after instant: WallTime, clickedAt: WallTime, isFirst: Bool) -> ScheduledBreak? {
        switch source {
        case .computed(let schedule):
            return schedule.next(after: instant)
        case .listed(let breaks):
            return breaks.first { $0.start > instant }
        case .guideMinute(let duration, let repeats):
            guard isFirst || repeats else { return nil }
            return GuideMinuteRule.nextBreak(clickedAt: isFirst ? clickedAt : instant, duration: duration)
        case .announced, .none:
            return nil
        }
    }

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
