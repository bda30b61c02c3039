package import HLS

/// Checks that a version of a media playlist follows from the previous one (bis-22 sections 6.2.1, 6.2.2 and 6.3.4).
package struct VersionChecks {
    /// Target durations of media beyond the elapsed time that are tolerated.
    private static let patienceTargets: Int64 = 3
    /// Microseconds.
    static let dateTolerance: Int64 = 1_000_000
    /// Microseconds; larger differences are not rounding.
    static let durationTolerance: Int64 = 10_000
    /// Microseconds: three times the target duration's rounding, at most half a second.
    private static let windowTolerance: Int64 = 1_500_000

    let pair: VersionPair
    let elapsed: Duration?
    let earlier: DateRangeHistory.Earlier
    let lead: Int64
    let tolerance: Duration
    var result: VersionTransition

    /// At most one violation of each code, from whole versions.
    ///
    /// `elapsed` is the time between their first sights; nil skips checks of time. `splice` is the state at the end of
    /// `previous`; nil derives it from that version. `isSeenBefore`: `next` was seen before `previous`, since caches answer
    /// with several versions in turns. `lead` is the minimum time in microseconds between announcement and start of a break,
    /// counted from the live edge, negative for players further behind; nil assumes the hold-back of `next`.
    package static func transition(
        from previous: MediaPlaylist,
        to next: MediaPlaylist,
        elapsed: Duration?,
        splice: SpliceState? = nil,
        earlier: DateRangeHistory.Earlier = DateRangeHistory.Earlier(),
        isSeenBefore: Bool = false,
        lead: Int64? = nil,
        tolerance: Duration = .announcementTolerance
    ) -> VersionTransition {
        var checks = VersionChecks(
            pair: VersionPair(previous, next),
            elapsed: elapsed,
            earlier: earlier,
            lead: lead ?? usualLead(next),
            tolerance: tolerance,
            result: VersionTransition(splice: splice ?? SpliceState(reading: previous))
        )
        let isBehind = isSeenBefore && next.endMediaSequence < previous.endMediaSequence
        checks.check(isOlder: isBehind || checks.isOlder)
        return checks.result
    }

    var patience: Int64 { pair.targetMicroseconds &* Self.patienceTargets }

    private mutating func check(isOlder: Bool) {
        result.isOlder = isOlder
        guard !isOlder else { return }
        checkHeader()
        checkPromises()
        checkRemoval()
        guard !checkSequence() else {
            result.splice = SpliceState(reading: pair.next)
            return
        }
        checkSegments()
        checkAttributes()
        checkUncounted()
        checkDates()
        checkDateRanges()
        var splice = result.splice
        splice.follow(pair, &result)
        result.splice = splice
    }

    private var isOlder: Bool {
        guard pair.next.mediaSequence < pair.previous.mediaSequence, !pair.overlap.isEmpty,
            pair.next.endMediaSequence <= pair.previous.endMediaSequence
        else { return false }
        return pair.overlap.allSatisfy { number in
            let (before, after) = pair.segments(number)
            return isSameResource(before, after)
        }
    }

    private mutating func checkHeader() {
        let (previous, next) = (pair.previous, pair.next)
        if previous.targetDurationSeconds != next.targetDurationSeconds {
            let expected = "#EXT-X-TARGETDURATION:\(previous.targetDurationSeconds)"
            let observed = "#EXT-X-TARGETDURATION:\(next.targetDurationSeconds)"
            result.add(Violation(.targetDurationChanged, expected: expected, observed: observed))
        }
        if next.hasEndList, !previous.hasEndList, previous.playlistType == nil, next.playlistType == nil {
            let expected = "a playlist that goes on, as it did at media sequence \(previous.endMediaSequence)"
            let observed = "#EXT-X-ENDLIST after media sequence \(next.endMediaSequence)"
            result.add(Violation(.endlistOnLive, expected: expected, observed: observed))
        }
    }

    /// Returns true if the versions have nothing in common to compare.
    private mutating func checkSequence() -> Bool {
        let (previous, next) = (pair.previous, pair.next)
        if next.mediaSequence < previous.mediaSequence {
            let expected = "#EXT-X-MEDIA-SEQUENCE:\(previous.mediaSequence) or more"
            let observed = "#EXT-X-MEDIA-SEQUENCE:\(next.mediaSequence)"
            result.add(Violation(.mediaSequenceBackwards, expected: expected, observed: observed))
            return true
        }
        if next.mediaSequence(at: 0) > previous.endMediaSequence {
            checkJump()
            return true
        }
        if next.endMediaSequence < previous.endMediaSequence {
            let less = pair.withdrawnMicroseconds.secondsText
            let expected = "segments up to media sequence \(previous.endMediaSequence &- 1) or more"
            let observed = "segments up to \(next.endMediaSequence &- 1), \(less) less"
            result.add(Violation(.playlistShrunk, expected: expected, observed: observed))
        }
        let allowed = elapsed.map { $0.wholeMicroseconds.addingClamped(patience) }
        if let allowed, let elapsed, pair.addedMicroseconds > allowed {
            let expected = "about \(elapsed.wholeMicroseconds.secondsText) of new media"
            let added = next.segments.count - pair.firstAdded
            let observed = "\(pair.addedMicroseconds.secondsText) in \(added) new segments"
            result.add(Violation(.windowExplosion, expected: expected, observed: observed))
        }
        return pair.overlap.isEmpty
    }

    private mutating func checkJump() {
        let (previous, next) = (pair.previous, pair.next)
        guard let elapsed, !previous.segments.isEmpty else { return }
        let mean = previous.durationMicroseconds / Int64(previous.segments.count)
        let passed = next.endMediaSequence - previous.endMediaSequence
        let media = Int64(clamping: passed).multipliedReportingOverflow(by: mean)
        let allowed = elapsed.wholeMicroseconds.addingClamped(patience)
        guard media.overflow || media.partialValue > allowed else { return }
        let (most, time) = (previous.endMediaSequence, elapsed.wholeMicroseconds.secondsText)
        let expected = "#EXT-X-MEDIA-SEQUENCE of at most \(most) after \(time)"
        let observed = "#EXT-X-MEDIA-SEQUENCE:\(next.mediaSequence)"
        result.add(Violation(.mediaSequenceJump, expected: expected, observed: observed))
    }

    /// Only the two counts and the lines at its ends may change (bis-22 section 6.2.1).
    ///
    /// Tags may appear when low-latency delivery starts, and the version number follows what is listed.
    private mutating func checkPromises() {
        let (previous, next) = (pair.previous, pair.next)
        if let known = previous.playlistType, next.playlistType != known {
            let expected = "#EXT-X-PLAYLIST-TYPE:\(known.rawValue), and EXT-X-ENDLIST alone at the end"
            let observed = next.playlistType.map { "#EXT-X-PLAYLIST-TYPE:\($0.rawValue)" } ?? "no EXT-X-PLAYLIST-TYPE"
            let isEventEnded = known == .event && next.playlistType == .vod
            let likely = isEventEnded ? "The packager writes VOD in place of EVENT when the event ends." : nil
            result.add(Violation(.headerChanged, expected: expected, observed: observed, likely: likely))
        }
        let targets = [previous, next].map { $0.partTargetMicroseconds.map { Double($0) / 1_000_000 } }
        check("#EXT-X-PART-INF:PART-TARGET", targets[0], targets[1])
        guard let known = previous.serverControl, let found = next.serverControl, known != found else { return }
        check("#EXT-X-SERVER-CONTROL:HOLD-BACK", known.holdBackSeconds, found.holdBackSeconds)
        check("#EXT-X-SERVER-CONTROL:PART-HOLD-BACK", known.partHoldBackSeconds, found.partHoldBackSeconds)
        check("#EXT-X-SERVER-CONTROL:CAN-SKIP-UNTIL", known.canSkipUntilSeconds, found.canSkipUntilSeconds)
    }

    private mutating func check(_ name: StaticString, _ known: Double?, _ found: Double?) {
        guard let known, let found, known != found else { return }
        result.add(Violation(.headerChanged, expected: "\(name)=\(known)", observed: "\(name)=\(found)"))
    }

    /// Least length of a playlist that loses segments (bis-22 sections 4.4.3.5, 6.2.1 and 6.2.2).
    ///
    /// One version alone proves no removal, since a playlist may begin at any number.
    private mutating func checkRemoval() {
        let next = pair.next
        guard next.mediaSequence > pair.previous.mediaSequence else { return }
        let removed = "segments removed up to media sequence \(next.mediaSequence - 1)"
        if let type = next.playlistType {
            guard type == .event || pair.previous.playlistType == .event else { return }
            let expected = "no EXT-X-PLAYLIST-TYPE once segments are removed"
            let observed = "#EXT-X-PLAYLIST-TYPE:\(type.rawValue) with \(removed)"
            result.add(Violation(.livePlaylistTyped, expected: expected, observed: observed))
        } else if !next.hasEndList {
            let least = pair.targetMicroseconds &* 3
            let left = next.durationMicroseconds
            guard left.addingClamped(Self.windowTolerance) < least else { return }
            let expected = "at least three target durations, \(least.secondsText), once segments are removed"
            let observed =
                "\(GroupedDigits.counted(next.segments.count, "segment")) of \(left.secondsText) left, with \(removed)"
            result.add(Violation(.liveWindowShort, expected: expected, observed: observed))
        }
    }
}
