package import HLS

/// A cue tag that opens, continues or closes a stitched break, with its place.
struct CueMark: Hashable {
    let kind: CueTag.Kind
    /// The family of tags; each is tracked separately.
    let dialect: StitchedBreak.Dialect
    /// Number of the segment after it.
    let mediaSequence: UInt64

    /// Two syntaxes of one dialect at one place are one mark.
    static func all(in playlist: MediaPlaylist) -> [CueMark] {
        var marks: [CueMark] = []
        for (tag, index) in playlist.cues where SplicePhases.areTracked(tag) {
            let mark = CueMark(kind: tag.kind, dialect: tag.dialect, mediaSequence: playlist.mediaSequence(at: index))
            guard !marks.suffix(4).contains(mark) else { continue }
            let begin = CueMark(kind: .out, dialect: mark.dialect, mediaSequence: mark.mediaSequence)
            let before = marks.last { $0.dialect == mark.dialect && $0.mediaSequence < mark.mediaSequence }
            // The end of a break comes before the begin of the next one, in whatever order they stand.
            if mark.kind == .in, marks.last == begin, let before, before.kind != .in {
                marks.insert(mark, at: marks.count - 1)
            } else {
                marks.append(mark)
            }
        }
        return marks
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

    /// Tags that pair; those with a segmentation type mark ads inside of breaks as well.
    static func areTracked(_ tag: CueTag) -> Bool {
        tag.kind != .section && bit(of: tag.dialect) != 0 && (tag.dialect != .scte35Tags || tag.level == nil)
    }

    func isOpen(_ dialect: StitchedBreak.Dialect) -> Bool { open & Self.bit(of: dialect) != 0 }

    func endsByTag(_ dialect: StitchedBreak.Dialect) -> Bool { ending & Self.bit(of: dialect) != 0 }

    /// What was expected, what came, and the likeliest cause.
    typealias Contradiction = (expected: String, observed: String, likely: String)

    mutating func take(_ tag: CueTag) -> Contradiction? { take(tag.kind, tag.dialect) }

    /// Advances by one tag, and returns a contradiction, if any.
    mutating func take(_ kind: CueTag.Kind, _ dialect: StitchedBreak.Dialect) -> Contradiction? {
        let bit = Self.bit(of: dialect)
        let (wasOpen, wasClosed) = (open & bit != 0, closed & bit != 0)
        switch kind {
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
    private var phases = SplicePhases()

    /// Reads one version alone; the state before its first tag is unknown.
    package init(reading playlist: MediaPlaylist) {
        for mark in CueMark.all(in: playlist) where mark.mediaSequence < playlist.endMediaSequence {
            _ = phases.take(mark.kind, mark.dialect)
        }
    }

    /// Adds a version, and reports contradictions.
    mutating func follow(_ pair: VersionPair, _ result: inout VersionTransition) {
        let before = CueMark.all(in: pair.previous)
        let after = CueMark.all(in: pair.next)
        guard !before.isEmpty || !after.isEmpty else { return }
        let listed = Set(after)
        let first = pair.next.mediaSequence(at: 0)
        for mark in before where mark.kind == .out && mark.mediaSequence > first && !listed.contains(mark) {
            guard mark.mediaSequence < pair.next.endMediaSequence else { continue }
            result.add(
                .spliceOrphaned,
                expected: "the splice out before segment \(mark.mediaSequence), as it was",
                observed: "no splice out there, and no splice in",
                likely: "The cue-out was taken back after it had been published."
            )
        }
        for mark in after
        where mark.mediaSequence >= pair.previous.endMediaSequence && mark.mediaSequence < pair.next.endMediaSequence {
            guard let problem = phases.take(mark.kind, mark.dialect) else { continue }
            result.add(
                .spliceOrphaned,
                expected: problem.expected,
                observed: "\(problem.observed) before segment \(mark.mediaSequence)",
                likely: problem.likely
            )
        }
    }
}
