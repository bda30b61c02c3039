import HLS

struct ProgramDateChecks {
    /// Microseconds between a date and the sum of durations.
    private static let tolerance: Int64 = 1_000_000

    /// Microseconds: two frames of 24 a second, rounded up.
    static let driftPerSegment: Int64 = 100_000
    /// Half a unit of a duration's last decimal place, by the number of places; microseconds.
    private static let rounding: [Int64] = [500_000, 50_000, 5_000, 500, 50, 5, 0]

    private(set) var hasDates = false
    private(set) var start: WallTime?
    var end: WallTime? { recent.map { $0.date + .microseconds($0.played) } }
    private var pending: WallTime?
    private var isPendingUnreadable = false
    /// Dates before the last discontinuity, one stretch between two of them.
    private var stretches: [(start: WallTime, end: WallTime)] = []
    private var stretchStart: WallTime?
    /// The first date since a discontinuity, and the media since.
    private var anchor: (date: WallTime, played: Int64, rounding: Int64)?
    /// The last date since a discontinuity, and the media since.
    private var recent: (date: WallTime, played: Int64, segments: Int64)?
    private var firstLine: TagLine?
    private var undated: [TagLine] = []
    /// The date that players carry on over undated segments behind a discontinuity.
    private var carried: (date: WallTime, since: TagLine)?
    private var hasOddForm = false

    /// Whether the date contradicts another one of the same segment.
    func isOther(_ date: WallTime?) -> Bool { pending.map { date ?? $0 != $0 } ?? false }

    /// Nil for an unreadable date.
    mutating func read(_ date: WallTime?) {
        hasDates = true
        pending = date
        isPendingUnreadable = date == nil
    }

    /// Nil if no date since the last discontinuity tells it.
    func next(isDiscontinuity: Bool) -> WallTime? {
        if pending != nil || isPendingUnreadable || isDiscontinuity { return pending }
        return recent.map { $0.date + .microseconds($0.played) }
    }

    mutating func endSegment(
        duration: Int64,
        decimals: Int,
        isDiscontinuity: Bool,
        isReadable: Bool,
        _ reader: inout TagReader
    ) {
        let line = reader.line
        if firstLine == nil {
            firstLine = line
            start = pending
        }
        if isDiscontinuity || isPendingUnreadable {
            endStretch()
            if isDiscontinuity, let date = pending { checkOrder(date, &reader) }
            if isDiscontinuity, pending == nil, !isPendingUnreadable, carried == nil, let known = anchor {
                carried = (known.date + .microseconds(known.played), line)
            }
            (anchor, recent) = (nil, nil)
            if isPendingUnreadable { carried = nil }
        }
        if let date = pending {
            checkCarried(date, &reader)
            if stretchStart == nil { stretchStart = date }
            if anchor.map({ check(date, $0, &reader) }) ?? true { anchor = (date, 0, 0) }
            recent = (date, 0, 0)
        } else if isDiscontinuity, !isPendingUnreadable, undated.count < TagReader.limitPerCode {
            undated.append(line)
        }
        pending = nil
        isPendingUnreadable = false
        guard isReadable else {
            (anchor, recent, carried) = (nil, nil, nil)
            return
        }
        if let known = carried { carried = (known.date + .microseconds(duration), known.since) }
        if let known = recent { recent = (known.date, MediaChecks.sum(known.played, duration), known.segments + 1) }
        guard let known = anchor else { return }
        // A duration may be half a unit of its last place off, and clocks 100 ppm apart.
        let rounding = Self.rounding[min(max(decimals, 0), Self.rounding.count - 1)] + duration / 10_000
        anchor = (known.date, MediaChecks.sum(known.played, duration), MediaChecks.sum(known.rounding, rounding))
    }

    func finish(segments: Int, isDelta: Bool, _ reader: inout TagReader) {
        guard hasDates else {
            guard segments > 0, !isDelta, let firstLine else { return }
            reader.note(.programDateMissing, firstLine, expected: "EXT-X-PROGRAM-DATE-TIME in a live playlist")
            return
        }
        for line in undated {
            reader.note(.programDateMissing, line, expected: "EXT-X-PROGRAM-DATE-TIME after a discontinuity")
        }
    }

    private mutating func endStretch() {
        if let start = stretchStart, let recent {
            let end = recent.date + .microseconds(recent.played)
            if stretches.count == Self.keptStretches { stretches.removeFirst() }
            stretches.append((start, max(start, end)))
        }
        stretchStart = nil
    }

    private static let keptStretches = 32
    /// Microseconds by which dates may go back and still name past moments of this channel.
    private static let reach: Int64 = 3_600_000_000

    /// After a discontinuity dates may jump, but one date names one moment (bis-22 section 6.2.1).
    ///
    /// Ads may have dates of their recording, and a loop those of its first round.
    private func checkOrder(_ date: WallTime, _ reader: inout TagReader) {
        let backs = stretches.map { stretch in
            (stretch, back: stretch.end.microseconds.subtractingClamped(date.microseconds))
        }
        guard let latest = backs.max(by: { $0.back < $1.back }) else { return }
        let listed = backs.filter { $0.0.start <= date && $0.back > Self.tolerance }.max { $0.back < $1.back }
        let isNear = latest.back > Self.tolerance && latest.back < Self.reach
        guard let known = listed ?? (isNear ? latest : nil) else { return }
        let shown = reader.shown(reader.line)
        reader.note(
            // Moments that are not listed any more are named twice only perhaps.
            listed == nil ? .playlistFormLoose : .programDateInconsistent,
            at: reader.line.start,
            expected: "\(known.0.end.iso8601) or later, which the segments before have reached",
            observed: "\(date.iso8601) for \(shown), "
                + date.microseconds.subtractingClamped(known.0.end.microseconds).shiftText,
            likely: "The encoder's clock was set back, or an ad or a loop brings the dates of its recording."
        )
    }

    /// Dates may not name moments that players have given to undated segments (bis-22 section 6.2.1).
    ///
    /// Advice: players differ in what they do then.
    private mutating func checkCarried(_ date: WallTime, _ reader: inout TagReader) {
        guard let known = carried else { return }
        carried = nil
        let back = known.date.microseconds.subtractingClamped(date.microseconds)
        guard back > Self.tolerance, !reader.hasNoted(at: reader.line.start) else { return }
        let shown = reader.shown(known.since)
        let expected = "EXT-X-PROGRAM-DATE-TIME after a discontinuity, or later dates behind the undated segments"
        let (last, seconds) = (known.date.iso8601, SecondsText.shortest(back))
        let effect = "hls.js carries dates on to \(last), so \(seconds) s of dates are ambiguous"
        let observed = "\(shown) without a date, and \(date.iso8601) later on: \(effect)"
        reader.note(.programDateMissing, at: known.since.start, expected: expected, observed: observed)
    }

    mutating func checkForm(_ text: UnsafeRawBufferPointer, _ reader: inout TagReader) {
        guard !hasOddForm, let oddity = DateOddity(of: text) else { return }
        hasOddForm = true
        reader.note(.playlistFormLoose, expected: oddity.expected, likely: oddity.likely)
    }

    private func check(
        _ date: WallTime,
        _ anchor: (date: WallTime, played: Int64, rounding: Int64),
        _ reader: inout TagReader
    ) -> Bool {
        let apart = date.microseconds.subtractingClamped(anchor.date.microseconds).subtractingClamped(anchor.played)
        guard apart.magnitude > (Self.tolerance + anchor.rounding).magnitude else { return false }
        let last = recent ?? (anchor.date, anchor.played, 1)
        let step = date.microseconds.subtractingClamped(last.date.microseconds).subtractingClamped(last.played)
        // Overlaps of less than a second are allowed each (bis-22 section 6.2.1).
        if apart < 0, step >= -Self.tolerance { return false }
        // A drift of a frame or two a segment leaves no segment's date in doubt.
        guard step.magnitude > (last.segments * Self.driftPerSegment).magnitude else { return true }
        // Small steps that add up show that one of the two clocks is wrong.
        let isGap = step > Self.tolerance
        let expected = anchor.date + .microseconds(anchor.played)
        let shown = reader.shown(reader.line)
        reader.note(
            isGap ? .playlistFormLoose : .programDateInconsistent,
            at: reader.line.start,
            expected:
                "\(expected.iso8601), which is \(SecondsText.shortest(anchor.played)) s after \(anchor.date.iso8601)"
                + (isGap ? "; players that go by one date alone, as Media3, place later breaks elsewhere" : ""),
            observed: "\(date.iso8601) for \(shown), \(apart.shiftText)",
            likely: apart.isZoneShift
                ? "The dates are written with two time zones."
                : isGap
                    ? "Segments were lost without EXT-X-GAP or EXT-X-DISCONTINUITY, or EXTINF is too short."
                    : apart > 0 ? "EXTINF is rounded or too short, or the clock of the dates is fast." : nil
        )
        return true
    }
}

extension Int64 {
    /// Whether so many microseconds lie between two time zones, but for a second.
    var isZoneShift: Bool {
        let step: UInt64 = 1_800_000_000
        let rest = magnitude % step
        return magnitude > step / 2 && Swift.min(rest, step - rest) <= 1_000_000
    }
}

/// A form of ISO 8601 that bis-22 sections 4.4.4.6 and 4.4.5.1 allow, and that players read differently or refuse.
///
/// hls.js reads dates with Date.parse (fragment.ts, date-range.ts), Media3 with a pattern of the extended form and with a shift
/// of 0 without a zone (Util.java, `XS_DATE_TIME_PATTERN` and `parseXsDateTime`).
struct DateOddity {
    let expected: String
    let likely: String

    init?(of text: UnsafeRawBufferPointer) {
        if !WallTime.isExtended(text) {
            expected =
                "hyphens and colons in the date, as in 2026-03-01T10:00:00Z: ISO 8601 allows it without, but Media3 "
                + "refuses the playlist, and hls.js has no date"
            likely = "The date is written in the basic format of ISO 8601."
        } else if text[7] != UInt8(ascii: "-") {
            expected =
                "a month and a day in the date, as in 2026-03-01T10:00:00Z: ISO 8601 allows other dates, but Media3 "
                + "refuses the playlist, and browsers have no such date"
            likely = "The date is written by weeks or by days of the year."
        } else if !WallTime.namesZone(text) {
            expected =
                "a time zone in each date, such as Z: without one hls.js takes the viewer's own, and Media3 takes UTC"
            likely = "The date is written in local time, or the Z at its end is missing."
        } else if text.count < 19 || text[13] != UInt8(ascii: ":") || text[16] != UInt8(ascii: ":") {
            expected = "minutes and seconds in the date: without them Media3 refuses the playlist"
            likely = "The date is written to the minute or the hour."
        } else {
            return nil
        }
    }
}
