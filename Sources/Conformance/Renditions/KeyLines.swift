import HLS

/// The EXT-X-KEY lines of a playlist, with the segments that they apply to.
struct KeyLines {
    private struct Key {
        let segmentIndex: Int
        /// Nil for METHOD=NONE.
        let line: String?
    }

    private let keys: [Key]

    init(_ playlist: MediaPlaylist) {
        keys = playlist.otherTags.compactMap { tag in
            guard playlist.text[safely: tag.line].starts(with: "#EXT-X-KEY:".utf8) else { return nil }
            let line = playlist.string(in: tag.line)
            return Key(segmentIndex: tag.segmentIndex, line: line.contains("METHOD=NONE") ? nil : line)
        }
    }

    /// True where nothing is encrypted.
    var isEmpty: Bool { keys.isEmpty }

    /// The last line before a segment; nil where it is clear.
    func line(at index: Int) -> String? {
        keys.last { $0.segmentIndex <= index }?.line
    }
}

extension [UInt8] {
    /// The bytes of a range; none where it lies outside.
    fileprivate subscript(safely range: Range<Int>) -> ArraySlice<UInt8> {
        range.lowerBound >= 0 && range.upperBound <= count ? self[range] : []
    }
}
