import HLS

/// Finds transport streams and packed audio under an EXT-X-MAP of fragmented MP4, which applies up to the next one (bis-22 section 4.4.4.5).
///
/// Media3 feeds its section to the extractor before the segment (HlsMediaChunk.java maybeLoadInitData). Other suffixes of
/// names, or none, may be either format.
struct MapChecks {
    private var map: TagLine?
    /// Whether the section, or a segment under it, is fragmented MP4.
    private var isFragmented = false
    /// A discontinuity stands between the tag and here.
    private var isBehind = false
    /// The tag of such a playlist is of other media between transport streams.
    private var beganWithStreams = false
    var isGap = false

    mutating func read(_ reader: TagReader) {
        map = beganWithStreams ? nil : reader.line
        isFragmented = reader["URI"].map { Self.isFragmented($0, reader.bytes) } ?? false
        isBehind = false
    }

    mutating func endRun() { isBehind = true }

    mutating func endSegment(isFirst: Bool, _ reader: inout TagReader) {
        defer { isGap = false }
        let uri = reader.line.range
        guard let map else {
            if isFirst { beganWithStreams = Self.isStream(uri, reader.bytes) }
            return
        }
        if !isBehind {
            // Some packagers name fragmented MP4 as streams are named.
            if Self.isStream(uri, reader.bytes) { self.map = nil }
            isFragmented = isFragmented || Self.isFragmented(uri, reader.bytes)
        } else if isFragmented, !isGap, Self.isStream(uri, reader.bytes) {
            let shown = reader.shown(map)
            self.map = nil
            let expected = "fragmented MP4, to which \(shown) still applies, or an EXT-X-MAP of this segment's own"
            reader.note(.initializationSectionForeign, expected: expected)
        }
    }

    private static let fragmented: [StaticString] = [".mp4", ".m4s", ".m4v", ".m4a", ".m4f", ".cmfv", ".cmfa"]

    private static func isFragmented(_ uri: Range<Int>, _ bytes: UnsafeRawBufferPointer) -> Bool {
        fragmented.contains { ends(uri, bytes, with: $0) }
    }

    private static func isStream(_ uri: Range<Int>, _ bytes: UnsafeRawBufferPointer) -> Bool {
        ends(uri, bytes, with: ".ts") || ends(uri, bytes, with: ".aac")
    }

    private static func ends(_ uri: Range<Int>, _ bytes: UnsafeRawBufferPointer, with suffix: StaticString) -> Bool {
        let path = bytes[uri].prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        return suffix.withUTF8Buffer { path.suffix($0.count).elementsEqual($0) { $0 | 0x20 == $1 | 0x20 } }
    }
}
