extension MediaPlaylist {
    /// Equal for a whole playlist and for a correct merge of delta updates, on every machine and in every release.
    ///
    /// Dates count to the millisecond, extrapolated where missing, and date ranges as a set. The order of header tags, titles,
    /// comments and unread tags make no difference.
    package var contentDigest: UInt64 {
        text.withUnsafeBytes { bytes in
            var hash = ContentHash()
            hash.add(targetDurationSeconds)
            hash.add(mediaSequence)
            hash.add(skippedSegments)
            hash.add(playlistType == .vod ? 1 : playlistType == .event ? 2 : 0)
            hash.add(hasEndList)
            hash.add(partTargetMicroseconds)
            addServerControl(to: &hash)
            addSegments(to: &hash, bytes)
            addDelivery(to: &hash, bytes)
            hash.add(dateRanges.count)
            hash.add(dateRanges.reduce(UInt64(0)) { $0 &+ $1.contentDigest })
            return hash.value
        }
    }

    private func addServerControl(to hash: inout ContentHash) {
        hash.add(serverControl != nil)
        guard let serverControl else { return }
        hash.add(serverControl.canBlockReload)
        hash.add(serverControl.canSkipDateRanges)
        hash.add(serverControl.canSkipUntilSeconds?.bitPattern)
        hash.add(serverControl.holdBackSeconds?.bitPattern)
        hash.add(serverControl.partHoldBackSeconds?.bitPattern)
    }

    private func addSegments(to hash: inout ContentHash, _ bytes: UnsafeRawBufferPointer) {
        hash.add(segments.count)
        for (index, segment) in segments.enumerated() {
            hash.add(bytes, segment.uri)
            hash.add(segment.durationMicroseconds)
            hash.add(programDate(at: index).map { ($0.microseconds &+ 500).quotientAndRemainder(dividingBy: 1_000).0 })
            hash.add(segment.discontinuitySequence)
            hash.add(segment.isGap)
            hash.add(bytes, segment.mapURI)
            hash.add(segment.mapByteRange)
            hash.add(segment.byteRange)
        }
    }

    private func addDelivery(to hash: inout ContentHash, _ bytes: UnsafeRawBufferPointer) {
        hash.add(parts.count)
        for part in parts {
            hash.add(part.segmentIndex)
            hash.add(bytes, part.uri)
            hash.add(part.durationMicroseconds)
            hash.add(part.isIndependent)
            hash.add(part.isGap)
            hash.add(part.byteRange)
        }
        for hint in preloadHints {
            hash.add(hint.kind == .part ? 1 : 2)
            hash.add(bytes, hint.uri)
            hash.add(hint.byteRangeStart)
            hash.add(hint.byteRangeLength)
        }
        for report in renditionReports {
            hash.add(bytes, report.uri)
            hash.add(report.lastMediaSequence)
            hash.add(report.lastPart)
        }
    }
}

extension DateRange {
    package var contentDigest: UInt64 {
        var hash = ContentHash()
        hash.add(id)
        hash.add(classAttribute)
        hash.add(startDate?.microseconds)
        hash.add(endDate?.microseconds)
        hash.add(duration?.wholeMicroseconds)
        hash.add(plannedDuration?.wholeMicroseconds)
        hash.add(cue.reduce(UInt64(0)) { $0 | ($1 == .pre ? 1 : $1 == .post ? 2 : 4) })
        hash.add(endOnNext)
        hash.add(scte35Out)
        hash.add(scte35In)
        hash.add(scte35Command)
        hash.add(
            attributes.reduce(UInt64(0)) { sum, attribute in
                var pair = ContentHash()
                pair.add(attribute.key)
                pair.add(attribute.value.text)
                return sum &+ pair.value
            }
        )
        return hash.value
    }
}

/// FNV-1a; lengths and absences are hashed too, so that no two sequences run together.
private struct ContentHash {
    private var hash = FNV1a()
    var value: UInt64 { hash.value }

    mutating func add(_ number: some FixedWidthInteger) {
        hash.add(UInt64(truncatingIfNeeded: number))
        // One multiplication leaves the low bits blind to the high ones.
        hash.value ^= hash.value >> 29
    }

    mutating func add(_ flag: Bool) { add(flag ? 1 : 2) }

    mutating func add(_ number: (some FixedWidthInteger)?) {
        add(number != nil)
        if let number { add(number) }
    }

    mutating func add(_ range: ByteRange?) {
        add(range?.length)
        add(range?.offset)
    }

    mutating func add(_ text: String?) {
        add(text != nil)
        var text = text ?? ""
        text.withUTF8 { utf8 in
            let bytes = UnsafeRawBufferPointer(utf8)
            add(bytes, 0..<bytes.count)
        }
    }

    mutating func add(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>?) {
        add(range != nil)
        guard let range, range.lowerBound >= 0, range.upperBound <= bytes.count else { return }
        add(range.count)
        hash.add(bytes[range])
    }
}

/// Digest of the whole playlist in a delta update of podswarm's origin.
package enum DigestComment {
    package static let prefix = "#podswarm-full:"

    /// `digest` is ``MediaPlaylist/contentDigest``.
    package static func line(_ digest: UInt64) -> String { prefix + digest.hexadecimal(digits: 16) }

    package static func digest(in text: [UInt8]) -> UInt64? {
        let lines = text.split(separator: 0x0A)
        guard let line = lines.last(where: { $0.starts(with: prefix.utf8) }) else { return nil }
        let digits = line.dropFirst(prefix.utf8.count).filter { $0 != 0x0D }
        guard digits.count == 16 else { return nil }
        return UInt64(String(decoding: digits, as: UTF8.self), radix: 16)
    }
}
