extension MediaPlaylist {
    /// Address, as written, of the key of KEYFORMAT `identity` for a segment (bis-22 section 4.4.4.4).
    ///
    /// Nil for clear segments and keys of other systems. The segment count stands for the segment that is still being made.
    package func keyURI(at index: Int) -> String? {
        guard !otherTags.isEmpty else { return nil }
        return text.withUnsafeBytes { bytes in
            var key: Range<Int>?
            for line in keyLines(upTo: index) {
                var list = AttributeList(bytes, line.line.dropFirst(Self.keyTag.count))
                var (uri, isClear, isIdentity) = (Range<Int>?.none, false, true)
                while let attribute = list.next() {
                    let value = attribute.value
                    if list.isNamed(attribute, "URI") { uri = value }
                    if list.isNamed(attribute, "METHOD") { isClear = text[value].elementsEqual("NONE".utf8) }
                    if list.isNamed(attribute, "KEYFORMAT") { isIdentity = text[value].elementsEqual("identity".utf8) }
                }
                if isClear || isIdentity { key = isClear ? nil : uri }
            }
            return key.flatMap { $0.isEmpty ? nil : string(in: $0) }
        }
    }

    private func keyLines(upTo index: Int) -> some Sequence<OtherTag> {
        otherTags.lazy.filter { $0.segmentIndex <= index && text[$0.line].starts(with: Self.keyTag) }
    }

    /// Lines of EXT-X-KEY that apply to a segment, and the segment before which they stand.
    ///
    /// The last run of keys counts, since several with different KEYFORMATs apply together (RFC 8216 section 4.3.2.4).
    func keys(at index: Int) -> (place: Int?, lines: [Range<Int>]) {
        var (place, lines) = (Int?.none, [Range<Int>]())
        for tag in keyLines(upTo: index) {
            if tag.segmentIndex != place { (place, lines) = (tag.segmentIndex, []) }
            lines.append(tag.line)
        }
        return (place, lines)
    }

    private static let keyTag = Array("#EXT-X-KEY:".utf8)
}
