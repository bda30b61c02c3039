import HLS

/// A playlist's dated segments as spans of program time, in microseconds since 1970.
///
/// Dates are not carried over a discontinuity: each player and each window places such segments otherwise.
struct RenditionTimeline {
    struct Span {
        let index: Int
        let start: Int64
        let end: Int64
        let discontinuitySequence: UInt64

        var middle: Int64 { start &+ (end &- start) / 2 }
    }

    /// In the order of the playlist, never empty.
    let spans: [Span]
    /// Discontinuities, and when the dated segments before them end.
    private let endings: [(UInt64, Int64)]

    /// Microseconds from which on dates differ.
    private static let tolerance: Int64 = 500_000
    /// Microseconds that no rounding to frames of audio explains.
    private static let farApart: Int64 = 1_000_000

    /// Whether `end` is the playlist's end: stitched ads may have dates of their own, years past or to come.
    let isWhole: Bool

    var isComplete: Bool { isWhole && spans.count == (spans.last?.index ?? 0) + 1 }

    init?(_ playlist: MediaPlaylist) {
        spans = playlist.segments.indices.compactMap { index in
            playlist.ownProgramDate(at: index).map { date in
                let segment = playlist.segments[index]
                return Span(
                    index: index,
                    start: date.microseconds,
                    end: date.microseconds.addingClamped(segment.durationMicroseconds),
                    discontinuitySequence: segment.discontinuitySequence
                )
            }
        }
        guard let last = spans.last else { return nil }
        endings = spans.compactMap { span in
            let next = span.index + 1
            guard next < playlist.segments.count else { return nil }
            let number = playlist.segments[next].discontinuitySequence
            return number > span.discontinuitySequence ? (number, span.end) : nil
        }
        let latest = spans.reduce(last.end) { max($0, $1.end) }
        isWhole =
            last.index == playlist.segments.count - 1
            && latest.subtractingClamped(last.end) <= Self.farApart
    }

    var start: Int64 { spans.first?.start ?? 0 }
    var end: Int64 { spans.last?.end ?? 0 }
    var range: Range<Int64> { start..<max(start, end) }

    /// One may end in ads with dates of another year.
    func isNear(_ other: RenditionTimeline) -> Bool {
        spans.last?.discontinuitySequence == other.spans.last?.discontinuitySequence
            || end.subtractingClamped(other.end).magnitude < UInt64(Self.reach)
    }

    /// Microseconds.
    private static let reach: Int64 = 3_600_000_000

    /// Pairs of an own span and the other's that contains its middle.
    func matches(in other: RenditionTimeline) -> [(own: Int, other: Int)] {
        var matches: [(own: Int, other: Int)] = []
        var otherIndex = 0
        // A segment without any length covers no time that another could list.
        for index in spans.indices where spans[index].end > spans[index].start {
            let middle = spans[index].middle
            while otherIndex < other.spans.count, other.spans[otherIndex].end <= middle { otherIndex += 1 }
            guard otherIndex < other.spans.count else { break }
            if other.spans[otherIndex].start <= middle { matches.append((index, otherIndex)) }
        }
        return matches
    }

    /// A shift between segments of equal length that never begin together; renditions, above all audio, may be cut elsewhere.
    func shift(from other: RenditionTimeline) -> Violation? {
        let pairs = matches(in: other)
        guard pairs.count >= 2 else { return nil }
        var distance = Int64.max
        var equal = 0
        var length = Int64.max
        for pair in pairs {
            let own = spans[pair.own]
            let match = other.spans[pair.other]
            let ownLength = own.end.subtractingClamped(own.start)
            let difference = ownLength.subtractingClamped(match.end.subtractingClamped(match.start))
            if difference.magnitude <= UInt64(clamping: ownLength / 20) { equal += 1 }
            length = min(length, ownLength)
            let toStart = own.start.subtractingClamped(match.start)
            let toEnd = own.start.subtractingClamped(match.end)
            distance = min(distance, Int64(clamping: min(toStart.magnitude, toEnd.magnitude)))
        }
        guard equal * 10 >= pairs.count * 9 else { return nil }
        // With short segments a boundary is never far away.
        guard distance >= min(Self.tolerance, length / 5 * 2), let pair = pairs.last else { return nil }
        let (own, known) = (spans[pair.own].start, other.spans[pair.other].start)
        let shift = own.subtractingClamped(known)
        // Segments of one length do not tell which of two neighbours is meant.
        let other = shift.addingClamped(shift < 0 ? length : -length)
        let observed = "one of the same length from \(own.dateText), \(shift.shiftText) or \(other.shiftText)"
        return Violation(.renditionProgramDateDiffers, expected: "a segment from \(known.dateText)", observed: observed)
    }

    /// A time with two discontinuity numbers, not close to a change of the number; or a number that begins at two times.
    func renumbering(beside other: RenditionTimeline) -> Violation? {
        if let moved = movedDiscontinuity(beside: other) { return moved }
        for (index, match) in matches(in: other) {
            let own = spans[index]
            let wanted = other.spans[match].discontinuitySequence
            guard own.discontinuitySequence != wanted else { continue }
            guard !other.isNearChange(own.middle, at: match) else { continue }
            let expected = "discontinuity number \(wanted) at \(own.start.dateText)"
            let shift = leastShift(of: own.discontinuitySequence, beside: other, wanted)
            let observed = "discontinuity number \(own.discontinuitySequence)\(shift)"
            let likely =
                shift.isEmpty
                ? likelyCause(ofNumber: own.discontinuitySequence, before: index, other, match)
                : "The rendition is cut at another place, or a discontinuity was left out in one of the two."
            return Violation(.renditionDiscontinuityDiffers, expected: expected, observed: observed, likely: likely)
        }
        return nil
    }

    /// Least shift of a discontinuity that only one of the two lists; empty for a wrong count.
    private func leastShift(of number: UInt64, beside other: RenditionTimeline, _ wanted: UInt64) -> String {
        let (mine, its) = (
            Dictionary(beginnings) { first, _ in first }, Dictionary(other.beginnings) { first, _ in first }
        )
        let isRenumbered = mine.values.contains { start in
            its.values.contains { start.subtractingClamped($0).magnitude <= UInt64(Self.farApart) }
        }
        guard !isRenumbered, !mine.isEmpty || !its.isEmpty else { return "" }
        let isEarlier = number > wanted
        let apart =
            isEarlier
            ? (its[number] ?? other.end).subtractingClamped(mine[number] ?? start)
            : (mine[wanted] ?? end).subtractingClamped(its[wanted] ?? other.start)
        guard (1..<Self.nearby).contains(apart) else { return "" }
        return ", at least \(SecondsText.shortest(apart)) s \(isEarlier ? "earlier" : "later")"
    }

    /// Microseconds by which renditions are cut apart at most.
    private static let nearby: Int64 = 10_000_000

    /// Such as a break that audio enters earlier.
    ///
    /// A discontinuity without a date begins where the segment before it ends.
    private func movedDiscontinuity(beside other: RenditionTimeline) -> Violation? {
        let dated = Set(beginnings.map(\.0)).intersection(other.beginnings.map(\.0))
        func undated(_ endings: [(UInt64, Int64)]) -> [(UInt64, Int64)] { endings.filter { !dated.contains($0.0) } }
        return Self.moved(beginnings, from: other.beginnings)
            ?? Self.moved(undated(endings), from: undated(other.endings))
    }

    private static func moved(_ beginnings: [(UInt64, Int64)], from others: [(UInt64, Int64)]) -> Violation? {
        let wanted = Dictionary(others) { first, _ in first }
        for (number, start) in beginnings {
            guard let known = wanted[number] else { continue }
            let apart = start.subtractingClamped(known)
            // Ads may have dates of their recording.
            guard apart.magnitude > UInt64(farApart), apart.magnitude < UInt64(reach) else { continue }
            // One place under another number is a wrong count.
            let isRenumbered = wanted.values.contains { start.subtractingClamped($0).magnitude <= UInt64(farApart) }
            guard !isRenumbered else { return nil }
            let expected = "discontinuity number \(number) from \(known.dateText) on"
            let observed = "from \(start.dateText) on, \(apart.shiftText)"
            let likely = "The rendition is cut at another place, or its dates shift behind the discontinuity."
            return Violation(.renditionDiscontinuityDiffers, expected: expected, observed: observed, likely: likely)
        }
        return nil
    }

    /// Nil if a wrong count explains the difference.
    private func likelyCause(
        ofNumber number: UInt64,
        before index: Int,
        _ other: RenditionTimeline,
        _ match: Int
    ) -> String? {
        let (own, wanted) = (spans[0].discontinuitySequence, other.spans[0].discontinuitySequence)
        if own == 0, beginnings.isEmpty, !other.beginnings.isEmpty {
            return "Ads were stitched into other renditions only, or this one is written without discontinuities."
        }
        guard own == wanted, index > 0, match > 0 else { return nil }
        let rendition = number < other.spans[match].discontinuitySequence ? "this" : "the other"
        return "EXT-X-DISCONTINUITY was left out in \(rendition) rendition."
    }

    private var beginnings: [(UInt64, Int64)] {
        zip(spans, spans.dropFirst()).compactMap { before, span in
            span.index == before.index + 1 && before.discontinuitySequence < span.discontinuitySequence
                ? (span.discontinuitySequence, span.start) : nil
        }
    }

    /// Rounding moves the boundaries of renditions.
    private func isNearChange(_ time: Int64, at index: Int) -> Bool {
        let span = spans[index]
        let margin = UInt64(clamping: min(Self.tolerance, span.end.subtractingClamped(span.start) / 5 * 2))
        func changes(_ neighbour: Int) -> Bool {
            spans.indices.contains(neighbour)
                && spans[neighbour].discontinuitySequence != span.discontinuitySequence
        }
        return changes(index - 1) && time.subtractingClamped(span.start).magnitude < margin
            || changes(index + 1) && span.end.subtractingClamped(time).magnitude < margin
    }
}

extension Range<Int64> {
    /// Less a margin at both ends: the window may have moved on between two requests.
    func common(with other: Range<Int64>, margin: Int64) -> Range<Int64> {
        let lower = Swift.max(lowerBound, other.lowerBound).addingClamped(margin)
        let upper = Swift.min(upperBound, other.upperBound).subtractingClamped(margin)
        return lower..<Swift.max(lower, upper)
    }
}

extension Int64 {
    var dateText: String { WallTime(microseconds: self).iso8601 }
}
