package import HLS
import Rulebook

/// Whether a version of a media playlist follows from the one before it (bis-22 sections 6.2.1, 6.2.2 and 6.3.4).
package enum VersionChecks {
    /// Media beyond what time allows for is borne up to this many target durations.
    static let patienceTargets: Int64 = 3
    /// Dates this far off mean another moment, microseconds.
    static let dateTolerance: Int64 = 1_000_000
    /// Durations this far off are not a matter of rounding, microseconds.
    static let durationTolerance: Int64 = 10_000

    /// What a version says against the one before it.
    ///
    /// - Parameters:
    ///   - previous: The version in hand; whole.
    ///   - next: The version that came after it; whole.
    ///   - elapsed: Between the first sights of the two; nil: nothing that depends on time is looked at.
    ///   - splice: What was known of splices at the end of `previous`; nil: what it says itself.
    ///   - earlier: What was known of the date ranges in `next` before they were gone.
    ///   - isSeenBefore: Whether `next` was seen before `previous` was: caches answer with several versions by turns.
    ///   - lead: How long before its start a break must be announced, counted from the live edge, in microseconds; nil:
    ///     for players that keep the hold-back of `next`. Negative where players are further behind.
    ///   - tolerance: How far apart times of one date range may be and still be the same.
    /// - Returns: The violations, at most one of each code.
    package static func transition(
        from previous: MediaPlaylist,
        to next: MediaPlaylist,
        elapsed: Duration?,
        splice: SpliceState? = nil,
        earlier: DateRangeHistory.Earlier = DateRangeHistory.Earlier(),
        isSeenBefore: Bool = false,
        lead: Int64? = nil,
        tolerance: AnnouncementTolerance = .usual
    ) -> VersionTransition {
        let pair = VersionPair(previous, next)
        let known = splice ?? SpliceState(reading: previous)
        var result = VersionTransition(splice: known)
        let isBehind = isSeenBefore && next.endMediaSequence < previous.endMediaSequence
        guard !isBehind, !isOlder(pair) else {
            result.isOlder = true
            return result
        }
        checkHeader(pair, &result)
        checkPromises(pair, &result)
        checkRemoval(pair, &result)
        guard !checkSequence(pair, elapsed: elapsed, &result) else {
            result.splice = SpliceState(reading: next)
            return result
        }
        checkSegments(pair, &result)
        checkAttributes(pair, &result)
        checkUncounted(pair, &result)
        checkDates(pair, &result)
        checkDateRanges(pair, earlier: earlier, lead: lead ?? usualLead(next), tolerance: tolerance, &result)
        var splice = known
        splice.follow(pair, &result)
        result.splice = splice
        return result
    }

    /// The violations of a transition alone.
    package static func violations(
        from previous: MediaPlaylist,
        to next: MediaPlaylist,
        elapsed: Duration?
    ) -> [Violation] {
        transition(from: previous, to: next, elapsed: elapsed).violations
    }

    /// The same playlist at an earlier moment: it begins earlier, ends no later, and all that both list is the same.
    private static func isOlder(_ pair: VersionPair) -> Bool {
        guard pair.next.mediaSequence < pair.previous.mediaSequence, !pair.overlap.isEmpty,
            pair.next.endMediaSequence <= pair.previous.endMediaSequence
        else { return false }
        return pair.overlap.allSatisfy { number in
            let (before, after) = pair.segments(number)
            return isSameResource(pair, before, after)
        }
    }

    private static func checkHeader(_ pair: VersionPair, _ result: inout VersionTransition) {
        let (previous, next) = (pair.previous, pair.next)
        if previous.targetDurationSeconds != next.targetDurationSeconds {
            result.add(
                Violation(
                    .targetDurationChanged,
                    expected: "#EXT-X-TARGETDURATION:\(previous.targetDurationSeconds)",
                    observed: "#EXT-X-TARGETDURATION:\(next.targetDurationSeconds)"
                )
            )
        }
        if next.hasEndList, !previous.hasEndList, previous.playlistType == nil {
            result.add(
                Violation(
                    .endlistOnLive,
                    expected: "a playlist that goes on, as it did at media sequence \(previous.endMediaSequence)",
                    observed: "#EXT-X-ENDLIST after media sequence \(next.endMediaSequence)"
                )
            )
        }
    }

    /// Media sequence numbers and the amount of media.
    ///
    /// - Returns: Whether the versions have nothing in common that could be compared.
    private static func checkSequence(
        _ pair: VersionPair,
        elapsed: Duration?,
        _ result: inout VersionTransition
    ) -> Bool {
        let (previous, next) = (pair.previous, pair.next)
        if next.mediaSequence < previous.mediaSequence {
            result.add(
                Violation(
                    .mediaSequenceBackwards,
                    expected: "#EXT-X-MEDIA-SEQUENCE:\(previous.mediaSequence) or more",
                    observed: "#EXT-X-MEDIA-SEQUENCE:\(next.mediaSequence)"
                )
            )
            return true
        }
        if next.mediaSequence(at: 0) > previous.endMediaSequence {
            checkJump(pair, elapsed: elapsed, &result)
            return true
        }
        if next.endMediaSequence < previous.endMediaSequence {
            result.add(
                Violation(
                    .playlistShrunk,
                    expected: "segments up to media sequence \(previous.endMediaSequence &- 1) or more",
                    observed: "segments up to \(next.endMediaSequence &- 1)"
                )
            )
        }
        let allowed = elapsed.map { $0.wholeMicroseconds.adding(pair.targetMicroseconds &* patienceTargets) }
        if let allowed, let elapsed, pair.addedMicroseconds > allowed {
            result.add(
                Violation(
                    .windowExplosion,
                    expected: "about \(elapsed.wholeMicroseconds.secondsText) of new media",
                    observed: "\(pair.addedMicroseconds.secondsText) in "
                        + "\(next.segments.count - pair.firstAdded) new segments"
                )
            )
        }
        return pair.overlap.isEmpty
    }

    private static func checkJump(_ pair: VersionPair, elapsed: Duration?, _ result: inout VersionTransition) {
        let (previous, next) = (pair.previous, pair.next)
        guard let elapsed, !previous.segments.isEmpty else { return }
        let mean = previous.durationMicroseconds / Int64(previous.segments.count)
        let passed = next.endMediaSequence - previous.endMediaSequence
        let media = Int64(clamping: passed).multipliedReportingOverflow(by: mean)
        let allowed = elapsed.wholeMicroseconds.adding(pair.targetMicroseconds &* patienceTargets)
        guard media.overflow || media.partialValue > allowed else { return }
        result.add(
            Violation(
                .mediaSequenceJump,
                expected: "#EXT-X-MEDIA-SEQUENCE of at most \(previous.endMediaSequence) "
                    + "after \(elapsed.wholeMicroseconds.secondsText)",
                observed: "#EXT-X-MEDIA-SEQUENCE:\(next.mediaSequence)"
            )
        )
    }
}
