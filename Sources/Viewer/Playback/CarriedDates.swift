import HLS
import Profile
import Values

/// Program dates of one version on a viewer's own time line.
///
/// The line carries on the first date of the viewer's first playlist, and does not jump at discontinuities.
struct CarriedDates {
    let shared: SharedPlaylist
    /// Microseconds of the version's dates at its live edge ahead of the time line.
    let shift: Int64

    private var jumps: [DateJump] { shared.dateJumps }

    private func carried(_ date: WallTime, ahead: Int64) -> WallTime {
        WallTime(microseconds: date.microseconds.subtractingClamped(ahead))
    }

    private func shift(ofSegment index: Int) -> Int64 {
        jumps.reduce(shift) { $1.segmentIndex > index ? $0.subtractingClamped($1.microseconds) : $0 }
    }

    subscript(index: Int) -> WallTime? {
        shared.playlist.programDate(at: index).map { carried($0, ahead: shift(ofSegment: index)) }
    }

    func end(ofSegment index: Int) -> WallTime? {
        self[index].map { $0 + .microseconds(shared.playlist.segments[index].durationMicroseconds) }
    }

    var end: WallTime? { shared.playlist.endProgramDate.map { carried($0, ahead: shift) } }

    /// End of the listing including partial segments.
    var edge: WallTime? { shared.edge.map { carried($0, ahead: shift) } }

    /// Number of segments for a date past the edge; nil without dates.
    func segment(at date: WallTime) -> Int? {
        let segments = shared.playlist.segments
        guard let end else { return nil }
        // Dates are rounded, and a boundary belongs to the segment after it.
        let wanted = date + .milliseconds(1)
        guard wanted < end else { return segments.count }
        // A playlist may list thousands of segments and jumps, so both are walked once.
        var (index, ahead, rest) = (segments.count - 1, shift, jumps[...])
        while index > 0 {
            while let jump = rest.last, jump.segmentIndex > index {
                ahead = ahead.subtractingClamped(jump.microseconds)
                rest.removeLast()
            }
            guard let begin = shared.playlist.programDate(at: index), carried(begin, ahead: ahead) > wanted else {
                break
            }
            index -= 1
        }
        return index
    }

    func nearestBoundary(to date: WallTime) -> WallTime? {
        guard let index = segment(at: date) else { return nil }
        let ahead = shift(ofSegment: min(index, shared.playlist.segments.count - 1))
        return shared.playlist.nearestBoundary(to: date + .microseconds(ahead)).map { carried($0, ahead: ahead) }
    }

    /// Date at which a player shows what a tag dates; nil while the player does not place it.
    func placed(_ date: WallTime, by rule: InterstitialFacts.Dates) -> WallTime? {
        switch rule {
        case .firstPlaylist: return date
        case .coveringTag: return carried(date, ahead: shiftOfLine(covering: date))
        case .firstTag:
            guard !jumps.isEmpty else { return carried(date, ahead: shift) }
            guard let first = shared.playlist.programDate(at: 0), first <= date else { return nil }
            return carried(date, ahead: shift(ofSegment: 0))
        }
    }

    /// Shift of the last stretch between jumps whose dates cover a date, else of the last stretch.
    ///
    /// The first stretch also covers what is before it, and the last one what is past the live edge.
    private func shiftOfLine(covering date: WallTime) -> Int64 {
        let playlist = shared.playlist
        var shift = shift
        var end = playlist.hasEndList ? playlist.endProgramDate ?? .distantFuture : .distantFuture
        for jump in jumps.reversed() {
            let begin = playlist.programDate(at: jump.segmentIndex) ?? .distantFuture
            if begin <= date, date <= end { return shift }
            shift = shift.subtractingClamped(jump.microseconds)
            end = begin - .microseconds(jump.microseconds)
        }
        return date <= end ? shift : self.shift
    }
}

extension SharedPlaylist {
    /// Microseconds by which dates at the live edge jump ahead of an earlier version's, or another rendition's.
    ///
    /// Discontinuities of one playlist may be numbered wrongly, so segment numbers are compared there; between renditions
    /// discontinuity numbers agree (bis-22 section 6.2.4).
    func dateJump(since other: SharedPlaylist) -> Int64 {
        guard !dateJumps.isEmpty || !other.dateJumps.isEmpty, let own = playlist.lastDatedSegment,
            let before = other.playlist.lastDatedSegment
        else { return 0 }
        let isSame = url == other.url
        func jumps(
            of one: SharedPlaylist,
            after last: (mediaSequence: UInt64, discontinuitySequence: UInt64),
            upTo end: UInt64
        ) -> Int64 {
            // A playlist that was begun anew has other numbers.
            guard !isSame || end >= one.playlist.mediaSequence(at: 0) else { return 0 }
            return one.dateJumps.reduce(Int64(0)) { sum, jump in
                let isAfter =
                    isSame
                    ? jump.mediaSequence > last.mediaSequence
                    : jump.discontinuitySequence > last.discontinuitySequence
                return isAfter ? sum.addingClamped(jump.microseconds) : sum
            }
        }
        return jumps(of: self, after: before, upTo: other.playlist.endMediaSequence)
            .subtractingClamped(jumps(of: other, after: own, upTo: playlist.endMediaSequence))
    }

    /// Microseconds beyond ``dateJump(since:)`` in a gap between two versions; 0 if they share segments.
    ///
    /// Estimated from media sequence numbers. Without a discontinuity an encoder stood still. Numbers more than a day ahead are
    /// those of a playlist that was begun anew.
    func unlistedDateJump(since other: SharedPlaylist) -> Int64 {
        let earlier = other.playlist
        guard playlist.mediaSequence(at: 0) >= earlier.endMediaSequence, url == other.url,
            let known = earlier.segments.last?.discontinuitySequence,
            let newest = playlist.segments.last?.discontinuitySequence,
            newest > min(known, playlist.discontinuitySequence),
            let was = earlier.endProgramDate, let now = playlist.endProgramDate
        else { return 0 }
        let mean = earlier.durationMicroseconds / Int64(earlier.segments.count)
        let passed = Int64(clamping: playlist.endMediaSequence - earlier.endMediaSequence)
        let media = passed.multipliedClamped(by: mean)
        let jump = now.microseconds.subtractingClamped(was.microseconds).subtractingClamped(media)
            .subtractingClamped(dateJump(since: other))
        guard media <= 86_400_000_000, jump.magnitude >= max(60_000_000, media.magnitude / 4) else { return 0 }
        return jump
    }
}

struct DateShift: Sendable {
    /// Microseconds of the dates at the live edge ahead of the viewer's time line.
    var ahead: Int64
    /// Date up to which Media3 had placed the breaks of earlier versions: three target durations past their end (1.11.0
    /// HlsInterstitialsAdsLoader.java:1597-1600).
    var placedUntil: WallTime
}

extension PlaybackPart {
    func dates(of shared: SharedPlaylist) -> CarriedDates { CarriedDates(shared: shared, shift: ahead(of: shared)) }

    private func ahead(of shared: SharedPlaylist) -> Int64 {
        let ahead = dateShift?.ahead ?? 0
        guard let latest, latest !== shared else { return ahead }
        return ahead.addingClamped(shared.dateJump(since: latest))
    }

    func placed(_ date: WallTime, by rule: InterstitialFacts.Dates) -> WallTime? {
        guard dateShift != nil, let latest else { return date }
        return dates(of: latest).placed(date, by: rule)
    }

    mutating func beginDates(with shared: SharedPlaylist) {
        guard !shared.dateJumps.isEmpty else { return }
        let ahead = shared.dateJumps.reduce(Int64(0)) { $0.addingClamped($1.microseconds) }
        dateShift = DateShift(ahead: ahead, placedUntil: .distantPast)
    }

    mutating func carryDates(from before: SharedPlaylist?, to shared: SharedPlaylist) {
        guard let before, before !== shared else { return }
        let unlisted = shared.unlistedDateJump(since: before)
        guard dateShift != nil || !shared.dateJumps.isEmpty || unlisted != 0 else { return }
        let old = CarriedDates(shared: before, shift: dateShift?.ahead ?? 0)
        let reach = Duration.seconds(before.playlist.targetDurationSeconds) * 3
        dateShift = DateShift(
            ahead: old.shift.addingClamped(shared.dateJump(since: before)).addingClamped(unlisted),
            placedUntil: old.end.map { $0 + reach } ?? .distantPast
        )
    }
}
