import HLS

extension VersionChecks {
    /// Reports the first attribute that differs (bis-22 section 6.2.1).
    mutating func checkAttributes() {
        let keys = (KeyLines(pair.previous), KeyLines(pair.next))
        let comparesKeys = !keys.0.isEmpty || !keys.1.isEmpty
        // An initialization section from before a discontinuity says little about the segments after it.
        var mapsFrom = pair.lastDiscontinuity(before: pair.overlap.lowerBound)
        var lastKeys: (Int?, Int?)?
        var lastMaps: (Range<Int>, Range<Int>)?
        for number in pair.overlap {
            let (before, after) = pair.segments(number)
            let (left, right) = (pair.previous.segments[before], pair.next.segments[after])
            if left.isDiscontinuity { mapsFrom = before == 0 ? 0 : pair.previous.segments[before - 1].uri.upperBound }
            let found =
                Self.gap(left, right) ?? Self.offset(left, right) ?? map(left, right, from: mapsFrom, last: &lastMaps)
                ?? (comparesKeys ? keys.0.change(at: before, to: keys.1, at: after, last: &lastKeys) : nil)
            guard let found else { continue }
            let (expected, observed) = ("\(number): \(found.known)", "\(number): \(found.found)")
            let lost = "The segment came late, or was lost after it had been published."
            let likely = left.isGap == right.isGap ? nil : lost
            result.add(Violation(.segmentAttributesChanged, expected: expected, observed: observed, likely: likely))
            return
        }
        checkParts()
    }

    private typealias Change = (known: String, found: String)

    private static func gap(_ left: MediaPlaylist.Segment, _ right: MediaPlaylist.Segment) -> Change? {
        guard left.isGap != right.isGap else { return nil }
        let text = { (isGap: Bool) in isGap ? "#EXT-X-GAP" : "no gap" }
        return (text(left.isGap), text(right.isGap))
    }

    /// An unwritten offset follows from a segment that may be gone.
    private static func offset(_ left: MediaPlaylist.Segment, _ right: MediaPlaylist.Segment) -> Change? {
        guard let known = left.byteRange, let known = known.offset.map({ (known.length, $0) }),
            let found = right.byteRange, let found = found.offset.map({ (found.length, $0) }), known.1 != found.1
        else { return nil }
        return ("#EXT-X-BYTERANGE:\(known.0)@\(known.1)", "#EXT-X-BYTERANGE:\(found.0)@\(found.1)")
    }

    private func map(
        _ left: MediaPlaylist.Segment,
        _ right: MediaPlaylist.Segment,
        from start: Int,
        last: inout (Range<Int>, Range<Int>)?
    ) -> Change? {
        guard let known = left.mapURI else {
            return right.mapURI.map { ("no initialization section", Self.text(ofMap: $0, right, pair.next)) }
        }
        guard let found = right.mapURI else {
            return known.lowerBound < start
                ? nil : (Self.text(ofMap: known, left, pair.previous), "no initialization section")
        }
        // One section of many segments is compared once.
        if let last, last == (known, found) { return nil }
        last = (known, found)
        let isSame =
            left.mapByteRange == right.mapByteRange
            && Self.path(pair.previous, known).elementsEqual(Self.path(pair.next, found))
        return isSame ? nil : (Self.text(ofMap: known, left, pair.previous), Self.text(ofMap: found, right, pair.next))
    }

    private static func text(
        ofMap uri: Range<Int>,
        _ segment: MediaPlaylist.Segment,
        _ playlist: MediaPlaylist
    ) -> String {
        let range = segment.mapByteRange.map { ",BYTERANGE=\"\($0.length)@\($0.offset ?? 0)\"" } ?? ""
        let shown = playlist.string(in: uri.lowerBound..<min(uri.upperBound, uri.lowerBound + 4_096))
        return "#EXT-X-MAP:URI=\"\(shown)\"\(range)"
    }

    /// Parts before the live edge may be left out.
    private mutating func checkParts() {
        let (parts, others) = (pair.previous.parts, pair.next.parts)
        guard !parts.isEmpty, pair.next.endMediaSequence >= pair.previous.endMediaSequence else { return }
        var start = parts.startIndex
        while start < parts.endIndex {
            let known = Self.partRun(pair.previous, from: start)
            start = known.range.upperBound
            let before = known.number.subtractingReportingOverflow(pair.next.mediaSequence(at: 0))
            let place = others.partitioningIndex { UInt64(clamping: $0.segmentIndex) >= before.partialValue }
            guard !before.overflow, place < others.endIndex else { continue }
            let found = Self.partRun(pair.next, from: place)
            guard found.number == known.number, found.range.count >= known.range.count else { continue }
            for index in 0..<known.range.count {
                let left = parts[known.range.lowerBound + index].uri
                let right = others[found.range.lowerBound + index].uri
                guard !Self.path(pair.previous, left).elementsEqual(Self.path(pair.next, right)) else { continue }
                let expected = "\(known.number) part \(index): URI=\"\(pair.previous.string(in: left))\""
                let observed = "\(known.number) part \(index): URI=\"\(pair.next.string(in: right))\""
                result.add(Violation(.segmentAttributesChanged, expected: expected, observed: observed))
                return
            }
        }
    }

    private typealias PartRun = (number: UInt64, range: Range<Int>)

    private static func partRun(_ playlist: MediaPlaylist, from start: Int) -> PartRun {
        let index = playlist.parts[start].segmentIndex
        let end = playlist.parts[start...].firstIndex { $0.segmentIndex != index } ?? playlist.parts.endIndex
        return (playlist.mediaSequence(at: index), start..<end)
    }
}

extension VersionPair {
    /// Offset in the earlier version's text, or 0.
    fileprivate func lastDiscontinuity(before number: UInt64) -> Int {
        let removed = min(Int(clamping: number - previous.mediaSequence(at: 0)), previous.segments.count)
        guard let last = previous.segments[..<removed].lastIndex(where: \.isDiscontinuity), last > 0 else { return 0 }
        return previous.segments[last - 1].uri.upperBound
    }
}
