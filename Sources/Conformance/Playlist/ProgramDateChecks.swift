internal import HLS
internal import Measurement

/// Whether program dates are there, and fit the durations between them.
struct ProgramDateChecks {
    /// Further apart than this, date and durations contradict each other; microseconds.
    private static let tolerance: Int64 = 1_000_000

    private(set) var hasDates = false
    private var pending: WallTime?
    private var isPendingUnreadable = false
    /// The last date since a discontinuity, and what was played since.
    private var anchor: (date: WallTime, played: Int64, rounding: Int64)?
    private var firstLine: PlaylistLines.Line?
    /// Segments after a discontinuity that have no date.
    private var undated: [PlaylistLines.Line] = []

    /// A date for the segment to come; nil for one that cannot be read.
    mutating func read(_ date: WallTime?) {
        hasDates = true
        pending = date
        isPendingUnreadable = date == nil
    }

    mutating func endSegment(
        _ line: PlaylistLines.Line,
        duration: Int64,
        isWhole: Bool,
        isDiscontinuity: Bool,
        isReadable: Bool,
        _ list: inout ViolationList
    ) {
        if firstLine == nil { firstLine = line }
        if isDiscontinuity || isPendingUnreadable { anchor = nil }
        if let date = pending {
            if let anchor { check(date, anchor, line, &list) }
            anchor = (date, 0, 0)
        } else if isDiscontinuity, !isPendingUnreadable, undated.count < ViolationList.limitPerCode {
            undated.append(line)
        }
        pending = nil
        isPendingUnreadable = false
        guard isReadable else {
            anchor = nil
            return
        }
        anchor?.played += duration
        // A duration in whole seconds may be half a second off.
        anchor?.rounding += isWhole ? 500_000 : 0
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

    private func check(
        _ date: WallTime,
        _ anchor: (date: WallTime, played: Int64, rounding: Int64),
        _ line: PlaylistLines.Line,
        _ list: inout ViolationList
    ) {
        let expected = anchor.date + .microseconds(anchor.played)
        let apart = date.duration(since: expected).wholeMicroseconds
        guard apart.magnitude > (Self.tolerance + anchor.rounding).magnitude else { return }
        let shown = list.shown(line)
        list.note(
            .programDateInconsistent,
            at: line.start,
            expected: "\(expected.iso8601), which is \(MediaChecks.seconds(anchor.played)) s after the date before",
            observed: "\(date.iso8601) for \(shown)"
        )
    }
}
