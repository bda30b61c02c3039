import HLS

extension VersionChecks {
    static func checkDates(_ pair: VersionPair, _ result: inout VersionTransition) {
        checkKeptDates(pair, &result)
        checkAddedDates(pair, &result)
        result.exitGlitch = exitGlitch(pair)
    }

    private static func checkKeptDates(_ pair: VersionPair, _ result: inout VersionTransition) {
        for number in pair.overlap {
            let (before, after) = pair.segments(number)
            guard let was = pair.previous.programDate(at: before), let became = pair.next.programDate(at: after),
                isOff(was, became)
            else { continue }
            result.add(
                .programDateJump,
                expected: "\(number): #EXT-X-PROGRAM-DATE-TIME:\(was.iso8601)",
                observed: "\(number): #EXT-X-PROGRAM-DATE-TIME:\(became.iso8601)"
            )
            return
        }
    }

    private static func checkAddedDates(_ pair: VersionPair, _ result: inout VersionTransition) {
        let next = pair.next
        for index in next.segments.indices.dropFirst(max(pair.firstAdded, 1)) {
            let segment = next.segments[index]
            guard !segment.isDiscontinuity, let date = segment.programDate,
                let before = next.programDate(at: index - 1)
            else { continue }
            let expected = before + .microseconds(next.segments[index - 1].durationMicroseconds)
            guard isOff(expected, date) else { continue }
            let number = next.mediaSequence(at: index)
            result.add(
                .programDateJump,
                expected: "\(number): #EXT-X-PROGRAM-DATE-TIME:\(expected.iso8601), without a discontinuity",
                observed: "\(number): #EXT-X-PROGRAM-DATE-TIME:\(date.iso8601)"
            )
            return
        }
    }

    private static func isOff(_ left: WallTime, _ right: WallTime) -> Bool {
        left.microseconds.subtractingClamped(right.microseconds).magnitude > UInt64(dateTolerance)
    }

    /// A move of the live edge near the end of a break that the media in between does not explain: back, or far ahead.
    private static func exitGlitch(_ pair: VersionPair) -> Violation? {
        guard let was = pair.previous.endProgramDate, let became = pair.next.endProgramDate else { return nil }
        let media = pair.addedMicroseconds.subtractingClamped(pair.withdrawnMicroseconds)
        let shift = became.microseconds.subtractingClamped(was.microseconds).subtractingClamped(media)
        let isBack = shift < -pair.targetMicroseconds / 2 && became < was
        let isAhead = shift > pair.targetMicroseconds &* patienceTargets
        guard isBack || isAhead, isNearBreakEnd(pair, was) else { return nil }
        return Violation(
            .breakExitUpdateWrong,
            expected: "a live edge about \((was + .microseconds(media)).iso8601) at the end of the break",
            observed: "a live edge at \(became.iso8601), which the next version took back"
        )
    }

    private static func isNearBreakEnd(_ pair: VersionPair, _ edge: WallTime) -> Bool {
        let reach = UInt64(clamping: pair.targetMicroseconds &* patienceTargets)
        return (breakEnds(pair.previous) + breakEnds(pair.next)).contains {
            $0.microseconds.subtractingClamped(edge.microseconds).magnitude <= reach
        }
    }

    /// Ends of breaks by date, from date ranges and cue tags.
    private static func breakEnds(_ playlist: MediaPlaylist) -> [WallTime] {
        let ranges = playlist.dateRanges.lazy.filter(\.isBreak).compactMap { range in
            range.knownEndDate ?? range.startDate.flatMap { start in range.plannedDuration.map { start + $0 } }
        }
        let cues = CueMark.all(in: playlist).lazy.filter { $0.kind == .in }.compactMap { mark -> WallTime? in
            let index = Int(clamping: mark.mediaSequence - playlist.mediaSequence(at: 0))
            return index < playlist.segments.count ? playlist.programDate(at: index) : playlist.endProgramDate
        }
        return Array(ranges) + Array(cues)
    }
}

extension DateRange {
    /// Whether viewers leave the programme for it, or play something in its place.
    var isBreak: Bool { scte35Out != nil || classAttribute == Interstitial.classAttribute }
}
