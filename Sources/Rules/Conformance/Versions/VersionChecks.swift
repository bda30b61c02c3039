package import HLS

/// Checks that a version of a media playlist follows from the previous one (bis-22 sections 6.2.1, 6.2.2 and 6.3.4).
package enum VersionChecks {
    /// Target durations of media beyond the elapsed time that are tolerated.
    static let patienceTargets: Int64 = 3
    /// Microseconds.
    static let dateTolerance: Int64 = 1_000_000
    /// Microseconds; larger differences are not rounding.
    static let durationTolerance: Int64 = 10_000

    /// Differences between two whole versions, at most one violation of each code.
    ///
    /// `elapsed` is the time between the first sights of the two; nil skips checks of time. `splice` is the state of splices at
    /// the end of `previous`; nil derives it from that version alone. `earlier` is the earlier knowledge about the date ranges
    /// in `next`. `isSeenBefore` says that `next` was seen before `previous`: caches answer with several versions in turns.
    /// `lead` is the minimum time between announcement and start of a break, counted from the live edge, in microseconds;
    /// negative for players further behind. A nil `lead` assumes players that keep the hold-back of `next`.
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

    package static func violations(
        from previous: MediaPlaylist,
        to next: MediaPlaylist,
        elapsed: Duration?
    ) -> [Violation] {
        transition(from: previous, to: next, elapsed: elapsed).violations
    }

    /// Whether `next` is an earlier moment: it begins earlier, ends no later, and all segments that both list are equal.
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

    /// Checks media sequence numbers and the amount of media; returns true if the versions have nothing in common to compare.
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
