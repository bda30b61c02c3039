import HLS

/// Compares the breaks that cue tags mark in two playlists of one channel, over their common time.
///
/// No specification defines cue tags. Like date ranges (bis-22 section 6.2.4), they must mark the same breaks in all playlists
/// that have any.
struct CueAgreement {
    /// The begin or the end of a break.
    private struct Mark {
        let index: Int
        let isEnd: Bool
        /// In microseconds of its axis.
        let start: Int64
        var duration: Int64?
        /// Room for a rendition that is not cut at the break.
        let slack: Int64

        var tag: String { isEnd ? "EXT-X-CUE-IN" : "EXT-X-CUE-OUT" }

        var text: String {
            isEnd ? "the end of a break" : "a break" + (duration.map { " of \(SecondsText.shortest($0)) s" } ?? "")
        }
    }

    private let own: [Mark]
    private let other: [Mark]
    private let common: Range<Int64>
    private let axis: CueAxis

    /// Places and lengths differ by the rounding to frames and segments.
    private static let tolerance = SpliceChecks.tolerance.wholeMicroseconds
    /// Breaks further apart are not the same one at another place.
    private static let nearby: Int64 = 30_000_000
    /// More marks are not compared.
    private static let kept = 512

    /// Nil if neither has cue tags; one has none, and need not; or nothing tells which segments are of one time.
    init?(_ playlist: MediaPlaylist, as kind: RenditionKind, beside reference: MediaPlaylist, isDated: Bool) {
        guard kind != .subtitles, playlist.isIFramesOnly == reference.isIFramesOnly,
            !playlist.otherTags.isEmpty || !reference.otherTags.isEmpty,
            let axis = isDated ? .dates : CueAxis(playlist, reference)
        else { return nil }
        self.axis = axis
        own = Self.marks(in: playlist, as: kind, axis)
        other = Self.marks(in: reference, as: .variant, axis)
        // Renditions that are played beside a variant need not repeat its tags.
        guard kind == .variant ? !own.isEmpty || !other.isEmpty : !own.isEmpty && !other.isEmpty else { return nil }
        // A rendition that is cut elsewhere has the tag up to a segment away, which may be outside of its window.
        let target = Int64(max(playlist.targetDurationSeconds, reference.targetDurationSeconds)) &* 1_000_000
        let margin = kind == .variant ? Self.tolerance : max(Self.tolerance, target)
        let both = axis.span(of: playlist, margin).common(with: axis.span(of: reference, margin), margin: margin)
        let ends = [own, other].filter { $0.count == Self.kept }.compactMap(\.last)
        let upper = ends.map { $0.start.subtractingClamped(Self.nearby) }.min() ?? both.upperBound
        common = both.clamped(to: min(both.lowerBound, upper)..<upper)
    }

    /// The first mark that only one of them has, or that stands elsewhere or has another length.
    var violation: Violation? {
        for wanted in other where common.contains(wanted.start) {
            guard let match = Self.nearest(to: wanted, in: own) else {
                return difference("no cue tag for it", from: wanted)
            }
            let apart = match.start.subtractingClamped(wanted.start)
            if apart.magnitude > UInt64(max(match.slack, wanted.slack)) {
                let seconds = SecondsText.shortest(Int64(clamping: apart.magnitude))
                let verb = wanted.isEnd ? "ends" : "begins"
                return difference("the break \(verb) \(seconds) s \(apart < 0 ? "earlier" : "later")", from: wanted)
            }
            if let length = match.duration, let known = wanted.duration,
                length.subtractingClamped(known).magnitude > UInt64(Self.tolerance)
            {
                return difference(match.text, from: wanted)
            }
        }
        for found in own where common.contains(found.start) && Self.nearest(to: found, in: other) == nil {
            let expected = "no cue tag (\(found.tag)) \(axis.place(found.start)), as in \(axis.reference)"
            return Violation(axis.code, expected: expected, observed: "\(found.text) by a cue tag")
        }
        return nil
    }

    private func difference(_ observed: String, from wanted: Mark) -> Violation {
        let place = axis.place(wanted.start)
        let length = wanted.duration.map { " of \(SecondsText.shortest($0)) s" } ?? ""
        let expected = "\(wanted.tag)\(length) \(place), as in \(axis.reference)"
        return Violation(axis.code, expected: expected, observed: observed)
    }

    private static func nearest(to wanted: Mark, in marks: [Mark]) -> Mark? {
        func apart(_ mark: Mark) -> UInt64 { mark.start.subtractingClamped(wanted.start).magnitude }
        return marks.lazy.filter { $0.isEnd == wanted.isEnd }.min { apart($0) < apart($1) }
            .flatMap { apart($0) <= UInt64(nearby) ? $0 : nil }
    }

    /// Tags of several syntaxes before one segment are one mark; Adobe's breaks need no tag to end (TVSDK).
    private static func marks(in playlist: MediaPlaylist, as kind: RenditionKind, _ axis: CueAxis) -> [Mark] {
        var marks: [Mark] = []
        for (tag, index) in playlist.cues() {
            let isEnd = tag.kind == .in && tag.dialect != .adobeCues
            guard isEnd || tag.kind == .out, playlist.segments.indices.contains(index)
            else { continue }
            let duration = tag.length.duration?.wholeMicroseconds
            let isKnown = { (mark: Mark) in mark.index == index && mark.isEnd == isEnd }
            if let known = marks.indices.suffix(4).last(where: { isKnown(marks[$0]) }) {
                // An ad that begins with its break is shorter, and its tag may come first.
                marks[known].duration = [marks[known].duration, duration].compactMap(\.self).max()
                continue
            }
            guard marks.count < kept else { break }
            guard let start = axis.time(of: index, in: playlist) else { continue }
            let segment = playlist.segments[index]
            let isCut = kind == .variant || segment.isDiscontinuity
            let slack = isCut ? tolerance : max(tolerance, segment.durationMicroseconds)
            marks.append(Mark(index: index, isEnd: isEnd, start: start, duration: duration, slack: slack))
        }
        return marks
    }
}

/// The measure by which the places of cue tags in two playlists are compared.
private enum CueAxis {
    case dates
    /// From the beginning of two recordings.
    case beginning
    /// From each discontinuity on, of which this number is the first that begins in both (bis-22 section 6.2.4).
    case discontinuities(from: UInt64)
    /// From the first segment on whose number both list. Equal numbers need not be one moment (bis-22 section 4.4.3.2).
    case numbers(from: UInt64)

    /// Between two discontinuities, in microseconds: more than any window.
    private static let period: Int64 = 1_000_000_000_000

    /// For two playlists without dates; nil if nothing relates them to each other.
    init?(_ playlist: MediaPlaylist, _ reference: MediaPlaylist) {
        if playlist.hasEndList, reference.hasEndList {
            self = .beginning
        } else if let number = Self.sharedDiscontinuity(playlist, reference) {
            self = .discontinuities(from: number)
        } else if let number = Self.sharedNumber(playlist, reference) {
            self = .numbers(from: number)
        } else {
            return nil
        }
    }

    /// Whether a difference is one of the channel's, and not of its numbers.
    var code: FindingCode {
        if case .numbers = self { .cueUnclear } else { .renditionCueDiffers }
    }

    var reference: String {
        if case .numbers = self { "the first variant (assuming equal segment numbers)" } else { "the first variant" }
    }

    func place(_ start: Int64) -> String {
        switch self {
        case .dates: return "at \(start.dateText)"
        case .beginning: return "after \(SecondsText.shortest(start)) s"
        case .discontinuities(let first):
            let (number, rest) = (first.addingClamped(UInt64(clamping: start / Self.period)), start % Self.period)
            return "\(rest > 0 ? "\(SecondsText.shortest(rest)) s after" : "at") discontinuity number \(number)"
        case .numbers(let first): return "\(SecondsText.shortest(start)) s after segment \(first) starts"
        }
    }

    /// The start of a segment on the axis; nil before it.
    func time(of index: Int, in playlist: MediaPlaylist) -> Int64? {
        let segment = playlist.segments[index]
        let start = segment.startOffsetMicroseconds
        switch self {
        case .dates: return playlist.programDate(at: index)?.microseconds
        case .beginning: return start
        case .discontinuities(let first):
            let number = segment.discontinuitySequence
            guard number >= first else { return nil }
            let begin = playlist.segments[...index].lastIndex { $0.discontinuitySequence != number }.map { $0 + 1 } ?? 0
            let within = start.subtractingClamped(playlist.segments[begin].startOffsetMicroseconds)
            return Int64(clamping: number - first).multipliedClamped(by: Self.period).addingClamped(within)
        case .numbers(let first):
            let before = first.subtractingReportingOverflow(playlist.mediaSequence(at: 0))
            guard !before.overflow, let begin = Int(exactly: before.partialValue), begin <= index else { return nil }
            return start.subtractingClamped(playlist.segments[begin].startOffsetMicroseconds)
        }
    }

    /// The time of a playlist that may be compared, which a margin at both ends makes shorter.
    ///
    /// It ends where dates would be carried over a discontinuity (bis-22 section 6.2.1); a break at that discontinuity still has
    /// the date at which the segment before it ends. The shared discontinuity is whole.
    func span(of playlist: MediaPlaylist, _ margin: Int64) -> Range<Int64> {
        guard let last = playlist.segments.indices.last, let reach = time(of: last, in: playlist) else { return 0..<0 }
        var (start, end): (Int64, Int64) = (0, reach.addingClamped(playlist.segments[last].durationMicroseconds))
        switch self {
        case .beginning, .numbers: break
        case .discontinuities: start = -margin
        case .dates:
            start = time(of: 0, in: playlist) ?? 0
            end = start.addingClamped(playlist.durationMicroseconds)
            if let carried = playlist.segments.indices.first(where: { playlist.ownProgramDate(at: $0) == nil }) {
                let room = margin.addingClamped(SpliceChecks.tolerance.wholeMicroseconds)
                end = time(of: carried, in: playlist)?.addingClamped(room) ?? start
            }
        }
        return start..<max(start, end)
    }

    /// The first discontinuity whose begin both list, where both say how many went before.
    private static func sharedDiscontinuity(_ playlist: MediaPlaylist, _ reference: MediaPlaylist) -> UInt64? {
        guard playlist.discontinuitySequence > 0, reference.discontinuitySequence > 0 else { return nil }
        func begun(_ playlist: MediaPlaylist) -> [UInt64] {
            zip(playlist.segments, playlist.segments.dropFirst()).compactMap { before, segment in
                segment.discontinuitySequence > before.discontinuitySequence ? segment.discontinuitySequence : nil
            }
        }
        let wanted = Set(begun(reference))
        return begun(playlist).first(where: wanted.contains)
    }

    /// The first segment whose number both list, where all common ones are of equal lengths.
    private static func sharedNumber(_ playlist: MediaPlaylist, _ reference: MediaPlaylist) -> UInt64? {
        let pair = VersionPair(reference, playlist)
        guard pair.overlap.count > 1 else { return nil }
        let isSame = pair.overlap.allSatisfy { number in
            let places = pair.segments(number)
            let (known, found) = (reference.segments[places.previous], playlist.segments[places.next])
            let apart = known.durationMicroseconds.subtractingClamped(found.durationMicroseconds)
            return known.isDiscontinuity == found.isDiscontinuity
                && apart.magnitude <= UInt64(clamping: known.durationMicroseconds / 20)
        }
        return isSame ? pair.overlap.lowerBound : nil
    }
}
