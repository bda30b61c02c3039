import AdServing
import HLS

extension VersionChecks {
    /// Ignores queries and tokens in paths, which may carry a session and change.
    func isSameResource(_ before: Int, _ after: Int) -> Bool {
        let (left, right) = (pair.previous.segments[before], pair.next.segments[after])
        guard left.byteRange?.length == right.byteRange?.length else { return false }
        return Self.isSamePlace(Self.path(pair.previous, left.uri), Self.path(pair.next, right.uri))
    }

    /// Whether two references can name one place (bis-22 section 6.3.4 compares what they resolve to).
    ///
    /// Their bases are unknown: the shorter must be the end of the longer.
    static func isSamePlace(_ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>) -> Bool {
        if left.elementsEqual(right) { return true }
        let (left, right) = (pieces(left), pieces(right))
        guard let last = left.last, last == right.last else { return false }
        let isAlike = left.first == [] && right.first == [] || isAbsolute(left) && isAbsolute(right)
        if isAlike || isBelow(left) && isBelow(right) { return left == right }
        let (short, long) = left.count < right.count ? (left, right) : (right, left)
        let plain = short.drop { $0.isEmpty || $0 == up || $0.last == UInt8(ascii: ":") }
        return long.reversed().starts(with: plain.reversed())
    }

    private static let up = Array("..".utf8)[...]

    private static func isAbsolute(_ pieces: [ArraySlice<UInt8>]) -> Bool {
        pieces.count > 2 && pieces[0].last == UInt8(ascii: ":") && pieces[1].isEmpty
    }

    private static func isBelow(_ pieces: [ArraySlice<UInt8>]) -> Bool {
        !isAbsolute(pieces) && pieces.first != [] && pieces.first != up
    }

    private static func pieces(_ path: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        let unsigned = Array(PlayedAddress.unsigned(String(decoding: path, as: UTF8.self)[...]).utf8)
        return unsigned.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).filter { $0 != dot }
    }

    private static let dot = Array(".".utf8)[...]

    static func path(_ playlist: MediaPlaylist, _ uri: Range<Int>) -> ArraySlice<UInt8> {
        playlist.text[uri.clamped(to: 0..<playlist.text.count)].prefix {
            $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#")
        }
    }

    mutating func checkSegments() {
        var shifts: (first: Int64, isUniform: Bool, number: UInt64)?
        var isTurned: Bool?
        for number in pair.overlap {
            let (before, after) = pair.segments(number)
            let (left, right) = (pair.previous.segments[before], pair.next.segments[after])
            if !isSameResource(before, after) {
                let turned = isTurned ?? turnsFolder
                isTurned = turned
                if !turned {
                    let expected = "\(number): \(pair.previous.uri(of: left))"
                    let observed = "\(number): \(pair.next.uri(of: right))"
                    let likely =
                        isStuck(before, after)
                        ? "EXT-X-MEDIA-SEQUENCE stays, or is missing, while segments leave." : nil
                    result.add(Violation(.segmentChanged, expected: expected, observed: observed, likely: likely))
                }
            }
            let difference = right.durationMicroseconds.subtractingClamped(left.durationMicroseconds)
            if difference.magnitude > UInt64(Self.durationTolerance) {
                let expected = "\(number): \(left.durationMicroseconds.secondsText)"
                let observed = "\(number): \(right.durationMicroseconds.secondsText)"
                result.add(Violation(.segmentDurationChanged, expected: expected, observed: observed))
            }
            let shift = Int64(clamping: right.discontinuitySequence).subtractingClamped(
                Int64(clamping: left.discontinuitySequence)
            )
            guard let known = shifts else {
                shifts = (shift, true, number)
                continue
            }
            if known.isUniform, known.first != shift { shifts = (known.first, false, number) }
        }
        if let shifts { checkDiscontinuities(shifts) }
    }

    private func isStuck(_ before: Int, _ after: Int) -> Bool {
        pair.previous.mediaSequence == pair.next.mediaSequence && before + 1 < pair.previous.segments.count
            && isSameResource(before + 1, after)
    }

    /// Whether one folder of all addresses turned from one random word to another, as a session or a token in a path does.
    ///
    /// Assumption: creatives are not replaced all at once.
    private var turnsFolder: Bool {
        func folders(_ playlist: MediaPlaylist, _ index: Int) -> [ArraySlice<UInt8>] {
            Self.path(playlist, playlist.segments[index].uri)
                .split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        }
        let turns = pair.overlap.map { number -> [ArraySlice<UInt8>] in
            let (before, after) = pair.segments(number)
            let (left, right) = (folders(pair.previous, before), folders(pair.next, after))
            let others = zip(left, right).filter { $0 != $1 }
            let isOne = left.count == right.count && others.count == 1 && left.last == right.last
            return isOne ? others.flatMap { [$0.0, $0.1] } : []
        }
        guard turns.count > 2, let turn = turns.first, !turn.isEmpty else { return false }
        return turns.allSatisfy { $0 == turn } && turn.allSatisfy(Self.isRandom)
    }

    private static func isRandom(_ word: ArraySlice<UInt8>) -> Bool {
        word.count >= 16 && word.allSatisfy(\.isUnreserved) && word.contains(where: \.isDigit)
            && word.contains(where: \.isLetter)
    }

    /// A uniform shift of all numbers is an error of the header; otherwise a tag came or went.
    private mutating func checkDiscontinuities(_ shifts: (first: Int64, isUniform: Bool, number: UInt64)) {
        let (before, after) = pair.segments(shifts.number)
        let expected = "\(shifts.number): discontinuity \(pair.previous.segments[before].discontinuitySequence)"
        let observed = "\(shifts.number): discontinuity \(pair.next.segments[after].discontinuitySequence)"
        guard shifts.isUniform else {
            result.add(Violation(.discontinuityChanged, expected: expected, observed: observed))
            return
        }
        // Without the tag there is no count, and players keep their numbers.
        let isCounted = Self.countsDiscontinuities(pair.previous) || Self.countsDiscontinuities(pair.next)
        guard shifts.first != 0, isCounted else { return }
        let header = "#EXT-X-DISCONTINUITY-SEQUENCE:\(pair.next.discontinuitySequence)"
        result.add(Violation(.discontinuitySequenceWrong, expected: expected, observed: "\(observed) after \(header)"))
    }

    /// A discontinuity tag that left a playlist without a count of them (bis-22 section 6.2.2).
    mutating func checkUncounted() {
        let first = pair.previous.mediaSequence(at: 0)
        let start = pair.next.mediaSequence(at: 0)
        guard start > first else { return }
        let removed = min(Int(clamping: start - first), pair.previous.segments.count)
        guard let index = pair.previous.segments[..<removed].firstIndex(where: \.isDiscontinuity),
            !Self.countsDiscontinuities(pair.previous), !Self.countsDiscontinuities(pair.next)
        else { return }
        let number = pair.previous.mediaSequence(at: index)
        let expected = "#EXT-X-DISCONTINUITY-SEQUENCE, which counts the tag that segment \(number) took along"
        let observed = "no count after #EXT-X-MEDIA-SEQUENCE:\(pair.next.mediaSequence)"
        result.add(Violation(.discontinuitySequenceMissing, expected: expected, observed: observed))
    }

    private static func countsDiscontinuities(_ playlist: MediaPlaylist) -> Bool {
        guard playlist.discontinuitySequence == 0 else { return true }
        return playlist.text.split(separator: 0x0A, maxSplits: 40).contains {
            $0.starts(with: "#EXT-X-DISCONTINUITY-SEQUENCE:".utf8)
        }
    }
}
