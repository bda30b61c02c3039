import HLS

/// Checks that program dates exist, and match the durations between them.
struct ProgramDateChecks {
    /// Microseconds between a date and the sum of durations, above which they contradict each other.
    private static let tolerance: Int64 = 1_000_000

    /// Half a unit of a duration's last decimal place, by the number of places; microseconds.
    private static let rounding: [Int64] = [500_000, 50_000, 5_000, 500, 50, 5, 0]

    private(set) var hasDates = false
    /// The date of the first segment, if it has one.
    private(set) var start: WallTime?
    private var pending: WallTime?
    private var isPendingUnreadable = false
    private var latest: WallTime?
    /// The first date since a discontinuity, and the durations since.
    private var anchor: (date: WallTime, played: Int64, rounding: Int64)?
    private var firstLine: TagLine?
    private var undated: [TagLine] = []

    /// A date for the next segment; nil for an unreadable one.
    mutating func read(_ date: WallTime?) {
        hasDates = true
        pending = date
        isPendingUnreadable = date == nil
    }

    mutating func endSegment(
        _ line: TagLine,
        duration: Int64,
        decimals: Int,
        isDiscontinuity: Bool,
        isReadable: Bool,
        _ list: inout ViolationList
    ) {
        if firstLine == nil {
            firstLine = line
            start = pending
        }
        if isDiscontinuity || isPendingUnreadable {
            if isDiscontinuity, let date = pending { checkOrder(date, line, &list) }
            anchor = nil
        }
        if let date = pending {
            latest = max(latest ?? date, date)
            if anchor.map({ check(date, $0, line, &list) }) ?? true { anchor = (date, 0, 0) }
        } else if isDiscontinuity, !isPendingUnreadable, undated.count < ViolationList.limitPerCode {
            undated.append(line)
        }
        pending = nil
        isPendingUnreadable = false
        guard isReadable else {
            anchor = nil
            return
        }
        guard let known = anchor else { return }
        // A duration may be half a unit of its last place off, and the clocks of dates and media 100 ppm apart.
        let rounding = Self.rounding[min(max(decimals, 0), Self.rounding.count - 1)] + duration / 10_000
        anchor = (
            known.date, MediaChecks.sum(known.played, duration), MediaChecks.sum(known.rounding, rounding)
        )
    }

    func finish(segments: Int, isDelta: Bool, _ list: inout ViolationList) {
        guard hasDates else {
            guard segments > 0, !isDelta, let firstLine else { return }
            list.note(.programDateMissing, firstLine, expected: "EXT-X-PROGRAM-DATE-TIME in a live playlist")
            return
        }
        for line in undated {
            list.note(.programDateMissing, line, expected: "EXT-X-PROGRAM-DATE-TIME after a discontinuity")
        }
    }

    /// After a discontinuity dates may jump ahead, but one date names one moment (bis-22 section 6.2.1).
    private func checkOrder(_ date: WallTime, _ line: TagLine, _ list: inout ViolationList) {
        let played = anchor.map { $0.date + .microseconds($0.played) }
        guard let latest = [latest, played].compactMap(\.self).max(),
            latest.microseconds.subtractingClamped(date.microseconds) > Self.tolerance
        else { return }
        let shown = list.shown(line)
        list.note(
            .programDateInconsistent,
            at: line.start,
            expected: "\(latest.iso8601) or later, which the segments before have reached",
            observed: "\(date.iso8601) for \(shown)"
        )
    }

    private func check(
        _ date: WallTime,
        _ anchor: (date: WallTime, played: Int64, rounding: Int64),
        _ line: TagLine,
        _ list: inout ViolationList
    ) -> Bool {
        let apart = date.microseconds.subtractingClamped(anchor.date.microseconds).subtractingClamped(anchor.played)
        guard apart.magnitude > (Self.tolerance + anchor.rounding).magnitude else { return false }
        let expected = anchor.date + .microseconds(anchor.played)
        let shown = list.shown(line)
        list.note(
            .programDateInconsistent,
            at: line.start,
            expected:
                "\(expected.iso8601), which is \(SecondsText.shortest(anchor.played)) s after \(anchor.date.iso8601)",
            observed: "\(date.iso8601) for \(shown)"
        )
        return true
    }
}
