package import HLS

/// A cue tag that opens, continues or closes a stitched break, with its place.
struct CueMark {
    struct Place: Hashable {
        let kind: CueTag.Kind
        /// The family of tags; each is tracked separately.
        let dialect: StitchedBreak.Dialect
        /// Number of the segment after it.
        let mediaSequence: UInt64
    }

    let place: Place
    let tag: CueTag
    /// Media from it to the end of the playlist, in microseconds.
    let rest: Int64

    /// Two syntaxes of one dialect at one place are one mark.
    ///
    /// `open`: the dialects whose breaks are open before the segment at index `first`, although the playlist may not show it.
    static func all(
        in playlist: MediaPlaylist,
        open: Set<StitchedBreak.Dialect> = [],
        from first: Int = 0
    ) -> [CueMark] {
        var marks: [CueMark] = []
        for (tag, index) in playlist.cues(open: open, from: first) where tag.isPaired {
            let number = playlist.mediaSequence(at: index)
            let place = Place(kind: tag.kind, dialect: tag.dialect, mediaSequence: number)
            guard !marks.suffix(4).contains(where: { $0.place == place }) else { continue }
            let start = index < playlist.segments.count ? playlist.segments[index].startOffsetMicroseconds : .max
            let rest = max(0, playlist.durationMicroseconds.subtractingClamped(start))
            marks.append(CueMark(place: place, tag: tag, rest: rest))
        }
        return marks
    }
}

extension CueTag {
    enum Repetition {
        /// A repetition with the same length, without one, or with the rest of it.
        case consistent
        case otherLength(expected: String)
    }

    /// The way in which a cue-out repeats an open one, `passed` behind it; nil if it begins another break.
    func repetition(of first: CueTag, after passed: Duration) -> Repetition? {
        guard dialect == first.dialect, id == nil || first.id == nil || id == first.id,
            let whole = first.length.duration
        else { return nil }
        // A countdown may go on to the end.
        if let length = length.duration, !SpliceChecks.differ(length + passed, whole) { return .consistent }
        guard passed < whole - SpliceChecks.tolerance else { return nil }
        guard let length = length.duration, SpliceChecks.differ(length, whole) else { return .consistent }
        let (all, left) = (SpliceChecks.text(whole), SpliceChecks.text(whole - passed))
        return .otherLength(expected: "\(all) s as in the cue-out before it, or the \(left) s left of them")
    }
}

/// The phases of breaks by cue tags, as they follow each other; those of a dialect are unknown before its first tag.
struct SplicePhases: Hashable, Sendable {
    // One bit for each dialect.
    private var open: UInt8 = 0
    private var closed: UInt8 = 0
    /// Dialects that end their breaks by a tag, as far as was seen.
    private var ending: UInt8 = 0

    /// A splice_info_section may begin an ad inside of a break, so that those of splice points are no pairs.
    private static func bit(of dialect: StitchedBreak.Dialect) -> UInt8 {
        switch dialect {
        case .cueTags: 1
        case .scte35Tags: 2
        case .adobeCues: 4
        case .splicePoints, .dateRanges, .addresses: 0
        }
    }

    func isOpen(_ dialect: StitchedBreak.Dialect) -> Bool { open & Self.bit(of: dialect) != 0 }

    var openDialects: Set<StitchedBreak.Dialect> { Set(StitchedBreak.Dialect.allCases.filter(isOpen)) }

    func endsByTag(_ dialect: StitchedBreak.Dialect) -> Bool { ending & Self.bit(of: dialect) != 0 }

    /// A contradiction in words, with its likeliest cause.
    typealias Contradiction = (expected: String, observed: String, likely: String)

    /// Whether a break that goes on beyond its length lacks a tag; Adobe's ends by itself.
    func needsEnd(_ dialect: StitchedBreak.Dialect) -> Bool {
        dialect == .cueTags || dialect != .adobeCues && endsByTag(dialect)
    }

    /// Advances by one tag, and returns a contradiction, if any.
    mutating func take(_ tag: CueTag) -> Contradiction? {
        let dialect = tag.dialect
        let bit = Self.bit(of: dialect)
        let (wasOpen, wasClosed) = (open & bit != 0, closed & bit != 0)
        switch tag.kind {
        case .section: return nil
        case .out:
            (open, closed) = (open | bit, closed & ~bit)
            // Adobe's SpliceOut needs SpliceIn only where it has no length, or to return early (TVSDK).
            guard wasOpen, endsByTag(dialect), dialect != .adobeCues else { return nil }
            return (
                "a splice in after the splice out before it", "another splice out",
                "The cue-in between the two was lost between encoder and packager."
            )
        case .more:
            (open, closed) = (open | bit, closed & ~bit)
            guard wasClosed else { return nil }
            return (
                "a splice out before it", "the middle of a splice",
                "The cue-in came before its time, or the cue-out of this break was lost."
            )
        case .in:
            (open, closed, ending) = (open & ~bit, closed | bit, ending | bit)
            guard wasClosed else { return nil }
            return (
                "a splice out before it", "a splice in",
                "The cue-in is repeated, or the cue-out between the two was lost."
            )
        }
    }
}

/// State of splices by cue tags at the end of a version of a playlist.
package struct SpliceState: Hashable, Sendable {
    /// A break that no tag has ended.
    private struct Open: Hashable, Sendable {
        let tag: CueTag
        let mediaSequence: UInt64
        var length: Duration?
        /// Media since its begin, in microseconds.
        var passed: Int64
        var isContinued = false
        var isTold = false
    }

    private var phases = SplicePhases()
    private var open: Open?

    /// Reads one version alone; the state before its first tag is unknown.
    package init(reading playlist: MediaPlaylist) {
        for mark in CueMark.all(in: playlist) where mark.place.mediaSequence < playlist.endMediaSequence {
            _ = take(mark)
        }
    }

    /// Adds a version, and reports contradictions.
    mutating func follow(_ pair: VersionPair, _ result: inout VersionTransition) {
        let before = CueMark.all(in: pair.previous)
        let after = CueMark.all(in: pair.next, open: phases.openDialects, from: pair.firstAdded)
        if let passed = open?.passed { open?.passed = passed.addingClamped(pair.addedMicroseconds) }
        checkListed(before, after, pair, &result)
        for mark in after {
            let number = mark.place.mediaSequence
            guard number >= pair.previous.endMediaSequence, number < pair.next.endMediaSequence,
                let problem = take(mark)
            else { continue }
            let observed = "\(problem.observed) before segment \(number)"
            result.add(problem.code, expected: problem.expected, observed: observed, likely: problem.likely)
        }
        checkOpen(pair, &result)
    }

    private typealias Contradiction = (code: FindingCode, expected: String, observed: String, likely: String?)

    /// Reads a new mark, and returns a contradiction, if any.
    private mutating func take(_ mark: CueMark) -> Contradiction? {
        let problem = phases.take(mark.tag)
        let orphan: Contradiction? = problem.map { (.spliceOrphaned, $0.expected, $0.observed, $0.likely) }
        switch mark.tag.kind {
        case .section: return nil
        case .in: open = nil
        case .more:
            open?.isContinued = true
            if open?.length == nil { open?.length = mark.tag.length.duration }
        case .out:
            let number = mark.place.mediaSequence
            if let known = open, known.mediaSequence == number, known.length != nil { return orphan }
            let passed = open.map { Duration.microseconds($0.passed.subtractingClamped(mark.rest)) }
            if let open, let passed, passed > .zero {
                switch mark.tag.repetition(of: open.tag, after: passed) {
                case .consistent: return nil
                case .otherLength(let expected):
                    let length = mark.tag.length.duration.map(SpliceChecks.text) ?? "unknown"
                    return (.cueUnclear, "a length of " + expected, "a cue-out of \(length) s", nil)
                case nil: break
                }
            }
            let length = mark.tag.length.duration
            open = Open(tag: mark.tag, mediaSequence: number, length: length, passed: mark.rest)
        }
        return orphan
    }

    /// Compares the cue-outs that both versions list.
    private mutating func checkListed(
        _ before: [CueMark],
        _ after: [CueMark],
        _ pair: VersionPair,
        _ result: inout VersionTransition
    ) {
        let listed = Dictionary(after.map { ($0.place, $0.tag.length) }) { first, _ in first }
        let first = pair.next.mediaSequence(at: 0)
        for mark in before where mark.place.kind == .out {
            let number = mark.place.mediaSequence
            guard number < pair.next.endMediaSequence else { continue }
            if let known = mark.tag.length.duration, let found = listed[mark.place]?.duration {
                // A packager may count down the rest of a break.
                guard SpliceChecks.differ(known, found),
                    SpliceChecks.differ(known, found + .microseconds(pair.addedMicroseconds))
                else { continue }
                let (old, new) = (SpliceChecks.text(known), SpliceChecks.text(found))
                result.add(
                    .cueUnclear,
                    expected: "the \(old) s of the cue-out before segment \(number) unchanged",
                    observed: "now \(new) s; players that read it earlier use \(old) s"
                )
            } else if number > first, listed[mark.place] == nil {
                if open?.mediaSequence == number { open = nil }
                result.add(
                    .spliceOrphaned,
                    expected: "the splice out before segment \(number), as it was",
                    observed: "no splice out there, and no splice in",
                    likely: "The cue-out was taken back after it had been published."
                )
            }
        }
    }

    /// Reports once a break that goes on after its cue-out has left the playlist; a producer may want that.
    private mutating func checkOpen(_ pair: VersionPair, _ result: inout VersionTransition) {
        guard let found = open, !found.isTold, !pair.next.hasEndList, phases.needsEnd(found.tag.dialect),
            found.mediaSequence < pair.next.mediaSequence(at: 0)
        else { return }
        let place = "the cue-out before segment \(found.mediaSequence)"
        let expected: String
        if let length = found.length?.wholeMicroseconds {
            guard SpliceChecks.isOver(length, by: found.passed, pair.targetMicroseconds, isContinued: found.isContinued)
            else { return }
            expected = "EXT-X-CUE-IN \(SecondsText.shortest(length)) s after \(place)"
        } else {
            guard !found.isContinued else { return }
            expected = "a length, EXT-X-CUE-OUT-CONT or EXT-X-CUE-IN for \(place), which has left the playlist"
        }
        // One violation of a code is kept: this one is reported with the next version.
        guard !result.violations.contains(where: { $0.code == .cueUnclear }) else { return }
        open?.isTold = true
        let effect = found.isContinued ? "" : ", and viewers that join now see no break"
        result.add(.cueUnclear, expected: expected, observed: "no cue-in after \(found.passed.secondsText)\(effect)")
    }
}
