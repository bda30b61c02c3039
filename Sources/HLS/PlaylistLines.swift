import Glibc

package typealias TagLine = PlaylistLines.Line

/// Skips comments and empty lines.
package struct PlaylistLines {
    package struct Line {
        package enum Kind {
            case tag(PlaylistTag)
            case uri
        }

        package var kind: Kind
        package var start: Int
        /// Line end excluded.
        package var end: Int
        /// Start of the text after a tag's colon; the line's end without one.
        package var value: Int

        package var range: Range<Int> { start..<end }
        package var valueRange: Range<Int> { value..<end }
    }

    package let bytes: UnsafeRawBufferPointer
    /// The buffer computes its own count anew for each line.
    private let count: Int
    private var position: Int

    package init(opening bytes: UnsafeRawBufferPointer) throws(PlaylistError) {
        self.bytes = bytes
        count = bytes.count
        position = 0
        guard bytes.count <= Playlist.maximumBytes else {
            throw error(.tooLarge, at: 0, "a playlist of more than \(Playlist.maximumBytes) bytes is not read")
        }
        guard !bytes.matches("\u{FEFF}", at: 0, prefixBefore: bytes.count) else {
            throw error(.byteOrderMark, at: 0, "a playlist must not begin with a byte order mark")
        }
        guard let first = next(), case .tag(.extm3u) = first.kind, first.start == 0 else {
            throw error(.notAPlaylist, at: 0, "the first line must be #EXTM3U")
        }
    }

    /// `range` begins at the start of a line.
    package init(rereading bytes: UnsafeRawBufferPointer, _ range: Range<Int>) {
        self.bytes = UnsafeRawBufferPointer(rebasing: bytes[..<range.upperBound])
        count = range.upperBound
        position = range.lowerBound
    }

    package mutating func next() -> Line? {
        while position < count {
            let first = position
            let end = endOfLine()
            guard first < end else { continue }
            let start = Self.isSpace(bytes[first]) ? textStart(first, end) : first
            guard bytes[start] == UInt8(ascii: "#") else { return Line(kind: .uri, start: start, end: end, value: end) }
            if let line = tagLine(start, end) { return line }
        }
        return nil
    }

    private mutating func endOfLine() -> Int {
        let start = position
        guard let base = bytes.baseAddress, let found = memchr(base + start, 0x0A, count &- start) else {
            position = count
            return textEnd(start, count)
        }
        let end = base.distance(to: UnsafeRawPointer(found))
        position = end &+ 1
        return textEnd(start, end)
    }

    /// Players ignore white space, which bis-22 section 4.1 forbids.
    @inlinable @inline(__always)
    package static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    /// Tags must begin with their line.
    private func textStart(_ first: Int, _ end: Int) -> Int {
        let start = bytes[first..<end].firstIndex { !Self.isSpace($0) } ?? first
        return bytes[start] == UInt8(ascii: "#") ? first : start
    }

    private func textEnd(_ start: Int, _ end: Int) -> Int {
        var end = end
        while end > start, case let byte = bytes[end &- 1], byte == 0x0D || Self.isSpace(byte) { end &-= 1 }
        return end
    }

    private func tagLine(_ start: Int, _ end: Int) -> Line? {
        if bytes.matches("#EXTINF:", at: start, prefixBefore: end) {
            return Line(kind: .tag(.extinf), start: start, end: end, value: start + 8)
        }
        if bytes.matches("#EXT-X-PROGRAM-DATE-TIME:", at: start, prefixBefore: end) {
            return Line(kind: .tag(.programDateTime), start: start, end: end, value: start + 25)
        }
        guard bytes.matches("#EXT", at: start, prefixBefore: end) else { return nil }
        var nameEnd = start + 4
        while nameEnd < end, bytes[nameEnd] != UInt8(ascii: ":") { nameEnd += 1 }
        let tag = PlaylistTag.named(bytes, (start + 4)..<nameEnd)
        return Line(kind: .tag(tag), start: start, end: end, value: min(nameEnd + 1, end))
    }

    func error(_ code: PlaylistError.Code, at offset: Int, _ detail: String) -> PlaylistError {
        var line = 1
        for byte in bytes.prefix(max(0, min(offset, bytes.count))) where byte == 0x0A { line += 1 }
        return PlaylistError(code: code, line: line, detail: detail)
    }
}

extension UnsafeRawBufferPointer {
    package func matches(_ text: StaticString, at start: Int, end: Int) -> Bool {
        end - start == text.utf8CodeUnitCount && matches(text, at: start, prefixBefore: end)
    }

    package func matches(_ text: StaticString, at start: Int, prefixBefore end: Int) -> Bool {
        let length = text.utf8CodeUnitCount
        guard let base = baseAddress, end - start >= length else { return false }
        return memcmp(base + start, text.utf8Start, length) == 0
    }

    package func text(_ range: Range<Int>) -> String {
        String(decoding: UnsafeRawBufferPointer(rebasing: self[range]), as: UTF8.self)
    }
}

/// Tags of RFC 8216 and draft-pantos-hls-rfc8216bis-22.
package enum PlaylistTag: UInt8, CaseIterable, Sendable {
    case extm3u, version, independentSegments, start, define
    case extinf, byteRange, discontinuity, map, programDateTime, gap, part
    case targetDuration, mediaSequence, discontinuitySequence, endList, playlistType, iFramesOnly, partInf,
        serverControl
    case dateRange, skip, preloadHint, renditionReport
    /// Kept unread.
    case key, bitRate
    case media, streamInf, iFrameStreamInf, contentSteering
    /// Kept unread.
    case sessionData, sessionKey
    case unknown

    package var isMedia: Bool { (PlaylistTag.extinf.rawValue...PlaylistTag.bitRate.rawValue).contains(rawValue) }

    package var isMultivariant: Bool {
        (PlaylistTag.media.rawValue...PlaylistTag.sessionKey.rawValue).contains(rawValue)
    }

    /// Names after `#EXT`.
    private static let table: [(tag: PlaylistTag, name: StaticString)] = [
        (.extm3u, "M3U"), (.version, "-X-VERSION"), (.independentSegments, "-X-INDEPENDENT-SEGMENTS"),
        (.start, "-X-START"), (.define, "-X-DEFINE"), (.extinf, "INF"), (.byteRange, "-X-BYTERANGE"),
        (.discontinuity, "-X-DISCONTINUITY"), (.map, "-X-MAP"), (.programDateTime, "-X-PROGRAM-DATE-TIME"),
        (.gap, "-X-GAP"), (.part, "-X-PART"), (.targetDuration, "-X-TARGETDURATION"),
        (.mediaSequence, "-X-MEDIA-SEQUENCE"), (.discontinuitySequence, "-X-DISCONTINUITY-SEQUENCE"),
        (.endList, "-X-ENDLIST"), (.playlistType, "-X-PLAYLIST-TYPE"), (.iFramesOnly, "-X-I-FRAMES-ONLY"),
        (.partInf, "-X-PART-INF"), (.serverControl, "-X-SERVER-CONTROL"), (.dateRange, "-X-DATERANGE"),
        (.skip, "-X-SKIP"), (.preloadHint, "-X-PRELOAD-HINT"), (.renditionReport, "-X-RENDITION-REPORT"),
        (.key, "-X-KEY"), (.bitRate, "-X-BITRATE"), (.media, "-X-MEDIA"), (.streamInf, "-X-STREAM-INF"),
        (.iFrameStreamInf, "-X-I-FRAME-STREAM-INF"), (.contentSteering, "-X-CONTENT-STEERING"),
        (.sessionData, "-X-SESSION-DATA"), (.sessionKey, "-X-SESSION-KEY"),
    ]
    private static let names = allCases.map { tag in table.first { $0.tag == tag }?.name ?? "" }
    /// Names of all tags but the unknown ones.
    package static let fullNames = table.map(\.tag.fullName)

    private var name: StaticString { Self.names[Int(rawValue)] }
    package var fullName: String { "EXT\(name)" }

    /// Tags by the length of their names, which at most three share; those of media, the frequent ones, come first.
    private static let candidates: [(PlaylistTag, PlaylistTag, PlaylistTag)] = (0...25).map { length in
        let tags = table.filter { $0.name.utf8CodeUnitCount == length }.map(\.tag)
        let found = tags.sorted { $0.isMedia && !$1.isMedia } + [.unknown, .unknown, .unknown]
        return (found[0], found[1], found[2])
    }

    package static func named(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> PlaylistTag {
        guard range.count < candidates.count else { return .unknown }
        let (first, second, third) = candidates[range.count]
        if first.isNamed(bytes, range) { return first }
        if second.isNamed(bytes, range) { return second }
        return third.isNamed(bytes, range) ? third : .unknown
    }

    private func isNamed(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> Bool {
        self != .unknown && bytes.matches(name, at: range.lowerBound, end: range.upperBound)
    }
}
