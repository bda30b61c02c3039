package import HLS

/// A cue tag that opens, continues or closes a stitched break, with its place.
struct CueMark: Hashable {
    enum Kind: Hashable {
        case out
        case more
        case `in`
    }

    /// The families of tags, which no standard defines; each is tracked separately.
    enum Dialect: Int, CaseIterable {
        /// EXT-X-CUE-OUT, EXT-X-CUE-OUT-CONT and EXT-X-CUE-IN.
        case cues
        /// EXT-X-SCTE35 with CUE-OUT or CUE-IN.
        case scte35
    }

    let kind: Kind
    let dialect: Dialect
    /// Number of the segment after it.
    let mediaSequence: UInt64

    static func all(in playlist: MediaPlaylist) -> [CueMark] {
        playlist.otherTags.compactMap { tag in
            let line = playlist.text[tag.line.clamped(to: 0..<playlist.text.count)]
            guard line.starts(with: "#EXT-X-".utf8), let (kind, dialect) = read(line.dropFirst(7)) else { return nil }
            return CueMark(
                kind: kind,
                dialect: dialect,
                mediaSequence: playlist.mediaSequence(at: tag.segmentIndex)
            )
        }
    }

    private static func read(_ tag: ArraySlice<UInt8>) -> (Kind, Dialect)? {
        if tag.starts(with: "CUE-OUT-CONT".utf8) { return (.more, .cues) }
        if tag.starts(with: "CUE-OUT".utf8) { return (.out, .cues) }
        if tag.starts(with: "CUE-IN".utf8) { return (.in, .cues) }
        guard tag.starts(with: "SCTE35:".utf8) else { return nil }
        let text = String(decoding: tag, as: UTF8.self)
        if text.contains("CUE-OUT=CONT") { return (.more, .scte35) }
        if text.contains("CUE-OUT=YES") { return (.out, .scte35) }
        if text.contains("CUE-IN=YES") || text.contains("CUE-OUT=NO") { return (.in, .scte35) }
        return nil
    }
}

/// State of splices by cue tags at the end of a version of a playlist.
package struct SpliceState: Hashable, Sendable {
    private enum Phase: Hashable {
        case unknown
        case closed
        case open
    }

    /// Indexed by dialect.
    private var phases = [Phase](repeating: .unknown, count: CueMark.Dialect.allCases.count)
    /// Whether the dialect ends its breaks by a tag, as far as was seen.
    private var endsByTag = [Bool](repeating: false, count: CueMark.Dialect.allCases.count)

    /// Reads one version alone; the state before its first tag is unknown.
    package init(reading playlist: MediaPlaylist) {
        for mark in CueMark.all(in: playlist) where mark.mediaSequence < playlist.endMediaSequence {
            _ = take(mark)
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
                observed: "no splice out there, and no splice in"
            )
        }
        for mark in after
        where mark.mediaSequence >= pair.previous.endMediaSequence && mark.mediaSequence < pair.next.endMediaSequence {
            guard let problem = take(mark) else { continue }
            result.add(
                .spliceOrphaned,
                expected: problem.expected,
                observed: "\(problem.observed) before segment \(mark.mediaSequence)"
            )
        }
    }

    /// Advances by one tag, and returns a contradiction, if any.
    private mutating func take(_ mark: CueMark) -> (expected: String, observed: String)? {
        let index = mark.dialect.rawValue
        let phase = phases[index]
        switch mark.kind {
        case .out:
            phases[index] = .open
            guard phase == .open, endsByTag[index] else { return nil }
            return ("a splice in after the splice out before it", "another splice out")
        case .more:
            phases[index] = .open
            return phase == .closed ? ("a splice out before it", "the middle of a splice") : nil
        case .in:
            phases[index] = .closed
            endsByTag[index] = true
            return phase == .closed ? ("a splice out before it", "a splice in") : nil
        }
    }
}
