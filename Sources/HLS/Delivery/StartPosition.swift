/// Where in a playlist playback begins, and which dates its positions have.
///
/// Positions are microseconds from the start of the first listed segment.
extension MediaPlaylist {
    /// HOLD-BACK, or three target durations where it is absent (bis-22 section 4.4.3.8).
    package var holdBack: Duration {
        serverControl?.holdBackSeconds.map { .microseconds(SecondsText.microseconds($0)) }
            ?? .seconds(3) * targetDurationSeconds
    }

    /// PART-HOLD-BACK; nil where the playlist gives none.
    package var partHoldBack: Duration? {
        serverControl?.partHoldBackSeconds.map { .microseconds(SecondsText.microseconds($0)) }
    }

    /// The end of what is listed, parts of the segment that is not complete included.
    package var edgeMicroseconds: Int64 {
        parts.reversed()
            .prefix { $0.segmentIndex == segments.count }
            .reduce(durationMicroseconds) { $0.addingClamped($1.durationMicroseconds) }
    }

    /// The date of ``edgeMicroseconds``; nil without EXT-X-PROGRAM-DATE-TIME.
    package var edgeDate: WallTime? {
        programDate(atMicroseconds: edgeMicroseconds)
    }

    /// The sum of the last `count` segments' durations.
    package func durationOfLastSegments(_ count: Int) -> Duration {
        .microseconds(segments.suffix(max(0, count)).reduce(Int64(0)) { $0.addingClamped($1.durationMicroseconds) })
    }

    /// The position that EXT-X-START names, inside of what is listed; nil without the tag (RFC 8216 section 4.3.5.2).
    ///
    /// Without PRECISE=YES playback begins with the segment that holds the position.
    package var startTagMicroseconds: Int64? {
        guard let startPoint else {
            return nil
        }
        let end = durationMicroseconds
        let offset = startPoint.offsetMicroseconds
        let position = max(0, min(end, offset < 0 ? end.addingClamped(offset) : offset))
        guard !startPoint.isPrecise, let index = segmentIndex(atMicroseconds: position) else {
            return position
        }
        return segments[index].startOffsetMicroseconds
    }

    /// The position this far behind the edge, but inside of what is listed.
    package func position(behindEdge distance: Duration) -> Int64 {
        max(0, edgeMicroseconds.subtractingClamped(max(0, distance.wholeMicroseconds)))
    }

    /// The listed segment that holds a position; nil past the end, the first one before the beginning.
    package func segmentIndex(atMicroseconds position: Int64) -> Int? {
        guard !segments.isEmpty, position < durationMicroseconds else {
            return nil
        }
        var low = 0
        var high = segments.count - 1
        while low < high {
            let middle = (low + high + 1) / 2
            if segments[middle].startOffsetMicroseconds <= position {
                low = middle
            } else {
                high = middle - 1
            }
        }
        return low
    }

    /// The date of a position, by the segment that holds it or, past the end, by the last one.
    package func programDate(atMicroseconds position: Int64) -> WallTime? {
        let index = segmentIndex(atMicroseconds: position) ?? segments.count - 1
        guard let start = programDate(at: index) else {
            return nil
        }
        let inside = position.subtractingClamped(segments[index].startOffsetMicroseconds)
        return start + .microseconds(inside)
    }

    /// The position of a date; where dates overlap, in the later segment (bis-22 section 6.2.1).
    ///
    /// Dates before the first segment give negative positions, those past the end positions past it; a date in a gap
    /// between two segments' dates is the start of the later one. Nil without EXT-X-PROGRAM-DATE-TIME.
    package func position(of date: WallTime) -> Int64? {
        guard let first = programDate(at: 0) else {
            return nil
        }
        guard let index = segments.indices.last(where: { programDate(at: $0).map { $0 <= date } ?? false }) else {
            return date.duration(since: first).wholeMicroseconds
        }
        let segment = segments[index]
        let inside = date.duration(since: programDate(at: index) ?? date).wholeMicroseconds
        let isLast = index == segments.count - 1
        let length = isLast ? inside : min(inside, segment.durationMicroseconds)
        return segment.startOffsetMicroseconds.addingClamped(length)
    }

    /// The segment boundary nearest to a date, for X-SNAP; of two equally near ones the earlier (bis-22 appendix D.2).
    ///
    /// Both the start of each segment and the end of the last are boundaries. Nil without EXT-X-PROGRAM-DATE-TIME.
    package func nearestBoundary(to date: WallTime) -> WallTime? {
        var nearest: WallTime?
        for index in segments.indices {
            closer(programDate(at: index), to: date, &nearest)
        }
        closer(endProgramDate, to: date, &nearest)
        return nearest
    }

    private func closer(_ candidate: WallTime?, to date: WallTime, _ nearest: inout WallTime?) {
        guard let candidate else {
            return
        }
        let distance = candidate.duration(since: date).wholeMicroseconds.magnitude
        if let known = nearest, known.duration(since: date).wholeMicroseconds.magnitude <= distance {
            return
        }
        nearest = candidate
    }
}
