import HLS

/// Compares the breaks that cue tags mark in two playlists of one channel over their common time.
///
/// No specification defines them: like date ranges (bis-22 section 6.2.4), they must mark the same breaks wherever they stand.
struct CueAgreement {
    private struct Mark {
        let index: Int
        let isEnd: Bool
        /// Microseconds of its axis.
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

    /// Frames and segments round places and lengths.
    private static let tolerance = SpliceChecks.tolerance.wholeMicroseconds
    /// Breaks further apart are not the same one.
    private static let nearby: Int64 = 30_000_000
    private static let kept = 512

    /// Nil if one need not have cue tags, or if nothing tells which segments are of one time.
    init?(_ playlist: MediaPlaylist, as kind: RenditionKind, beside reference: MediaPlaylist, isDated: Bool) {
        guard kind != .subtitles, playlist.isIFramesOnly == reference.isIFramesOnly,
            !playlist.otherTags.isEmpty || !reference.otherTags.isEmpty,
            let axis = isDated ? .dates : CueAxis(playlist, reference)
        else { return nil }
        self.axis = axis
        own = Self.marks(in: playlist, as: kind, axis)
        other = Self.marks(in: reference, as: .variant, axis)
        // A rendition need not repeat its variant's tags.
        guard kind == .variant ? !own.isEmpty || !other.isEmpty : !own.isEmpty && !other.isEmpty else { return nil }
        // A rendition that is cut elsewhere has the tag up to a segment away, perhaps outside of its window.
        let target = Int64(max(playlist.targetDurationSeconds, reference.targetDurationSeconds)) &* 1_000_000
        let margin = kind == .variant ? Self.tolerance : max(Self.tolerance, target)
        let both = axis.span(of: playlist, margin).common(with: axis.span(of: reference, margin), margin: margin)
        let ends = [own, other].filter { $0.count == Self.kept }.compactMap(\.last)
        let upper = ends.map { $0.start.subtractingClamped(Self.nearby) }.min() ?? both.upperBound
        common = both.clamped(to: min(both.lowerBound, upper)..<upper)
    }

    var violation: Violation? {
        for wanted in other where common.contains(wanted.start) {
            guard let match = Self.nearest(to: wanted, in: own) else {
                return difference("no cue tag for it", from: wanted, likely: Self.missed)
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
            let observed = "\(found.text) by a cue tag"
            return Violation(axis.code, expected: expected, observed: observed, likely: Self.missed)
        }
        return nil
    }

    private static let missed = "The packager inserts the markers for each rendition on its own and missed one."
    private static let apart = "The packager places the markers of each rendition on its own."

    private func difference(_ observed: String, from wanted: Mark, likely: String = Self.apart) -> Violation {
        let place = axis.place(wanted.start)
        let length = wanted.duration.map { " of \(SecondsText.shortest($0)) s" } ?? ""
        let expected = "\(wanted.tag)\(length) \(place), as in \(axis.reference)"
        return Violation(axis.code, expected: expected, observed: observed, likely: likely)
    }

    private static func nearest(to wanted: Mark, in marks: [Mark]) -> Mark? {
        func apart(_ mark: Mark) -> UInt64 { mark.start.subtractingClamped(wanted.start).magnitude }
        return marks.lazy.filter { $0.isEnd == wanted.isEnd }.min { apart($0) < apart($1) }
            .flatMap { apart($0) <= UInt64(nearby) ? $0 : nil }
    }

    /// Tags of several syntaxes are one mark; Adobe's breaks need no tag to end (TVSDK).
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

/// Measure by which places in two playlists are compared.
private enum CueAxis {
    case dates, beginning
    /// From the first discontinuity that begins in both (bis-22 section 6.2.4).
    case discontinuities(from: UInt64)
    /// From the first common number; equal numbers need not be one moment (bis-22 section 4.4.3.2).
    case numbers(from: UInt64)

    /// Microseconds between two discontinuities, more than any window.
    private static let period: Int64 = 1_000_000_000_000

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

    /// A difference of numbers need not be one of the channel.
    var code: FindingCode { if case .numbers = self { .cueUnclear } else { .renditionCueDiffers } }

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

    /// Microseconds on the axis; nil before it.
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

    /// Comparable time, less a margin at both ends.
    ///
    /// It ends where dates would be carried over a discontinuity (bis-22 section 6.2.1); a break there has the date at which
    /// the segment before it ends.
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

    /// All common segments must have equal lengths.
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
