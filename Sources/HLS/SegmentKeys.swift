/// EXT-X-KEY or EXT-X-SESSION-KEY, as places in its text.
package struct KeyTag: Sendable {
    /// Segment before which it stands.
    package let segmentIndex: Int
    package let line: Range<Int>
    package private(set) var method: Range<Int>?
    package private(set) var uri: Range<Int>?
    package private(set) var format: Range<Int>?
    package private(set) var vector: Range<Int>?
    /// METHOD=NONE.
    package private(set) var isClear = false
    /// Keys of other systems name another KEYFORMAT (bis-22 section 4.4.4.4).
    fileprivate var isIdentity = true

    package init(_ bytes: UnsafeRawBufferPointer, _ line: Range<Int>, segmentIndex: Int = 0) {
        (self.line, self.segmentIndex) = (line, segmentIndex)
        let colon = line.first { bytes[$0] == UInt8(ascii: ":") } ?? line.upperBound - 1
        var list = AttributeList(bytes, colon + 1..<line.upperBound)
        while let attribute = list.next() {
            let value = attribute.value
            if list.isNamed(attribute, "URI") { uri = value }
            if list.isNamed(attribute, "IV") { vector = value }
            if list.isNamed(attribute, "METHOD") {
                (method, isClear) = (value, bytes[value].elementsEqual("NONE".utf8))
            }
            if list.isNamed(attribute, "KEYFORMAT") {
                (format, isIdentity) = (value, bytes[value].elementsEqual("identity".utf8))
            }
        }
    }
}

extension MediaPlaylist {
    /// Address, as written, of the key of KEYFORMAT `identity` for a segment (bis-22 section 4.4.4.4).
    ///
    /// Nil for clear segments and keys of other systems. The segment count stands for the segment that is still being made.
    package func keyURI(at index: Int) -> String? {
        guard !otherTags.isEmpty else { return nil }
        var uri: Range<Int>?
        forEachKey(upTo: index) { key in if key.isClear || key.isIdentity { uri = key.isClear ? nil : key.uri } }
        return uri.flatMap { $0.isEmpty ? nil : string(in: $0) }
    }

    package func forEachKey(upTo index: Int = .max, _ visit: (KeyTag) -> Void) {
        text.withUnsafeBytes { bytes in
            for tag in keyLines(upTo: index) { visit(KeyTag(bytes, tag.line, segmentIndex: tag.segmentIndex)) }
        }
    }

    /// Lines of EXT-X-KEY in order, with the segments before which they stand.
    func keyLines(upTo index: Int) -> some Sequence<OtherTag> {
        otherTags.lazy.filter { $0.segmentIndex <= index && text[$0.line].starts(with: Self.keyTag) }
    }

    private static let keyTag = Array("#EXT-X-KEY:".utf8)
}
