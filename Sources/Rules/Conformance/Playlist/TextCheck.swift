import HLS

/// Checks that a body is UTF-8 without control characters (bis-22 section 4.1).
enum TextCheck {
    /// Reports the first line that is not UTF-8 and the first one with a control character.
    static func check(_ bytes: UnsafeRawBufferPointer, _ list: inout ViolationList) {
        guard let first = firstUnusual(bytes) else { return }
        let start = bytes[..<first].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        var lines = LineRanges(bytes, from: start)
        var isEncodingTold = false
        var isControlTold = false
        while let line = lines.next(), !isEncodingTold || !isControlTold {
            let text = UnsafeRawBufferPointer(rebasing: bytes[line])
            if !isEncodingTold, !isUTF8(text) {
                isEncodingTold = true
                let shown = list.text(line)
                list.note(.tagMalformed, at: line.lowerBound, expected: "UTF-8", observed: shown)
            }
            if !isControlTold, let control = control(in: text) {
                isControlTold = true
                list.note(
                    control == 0x09 ? .playlistFormLoose : .tagMalformed,
                    at: line.lowerBound,
                    expected: "no control characters",
                    observed:
                        "the character U+\(String(control, radix: 16, uppercase: true).leftPadded(to: 4)) in the line"
                )
            }
        }
    }

    /// Index of the first byte other than visible ASCII, a space or a line end.
    ///
    /// Reads eight bytes at a time, because it is the only pass over every byte of every playlist.
    private static func firstUnusual(_ bytes: UnsafeRawBufferPointer) -> Int? {
        var position = 0
        while position + 8 <= bytes.count {
            let word = bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)
            if Eight.mayBeUnusual(word), Eight.isUnusual(word) { break }
            position += 8
        }
        return bytes[position...].firstIndex { ($0 < 0x20 && $0 != 0x0A && $0 != 0x0D) || $0 >= 0x7F }
    }

    /// Eight bytes in one word; the highest bit of each is its result.
    private enum Eight {
        private static let highest: UInt64 = 0x8080_8080_8080_8080
        private static let rest: UInt64 = 0x7F7F_7F7F_7F7F_7F7F
        private static let ones: UInt64 = 0x0101_0101_0101_0101

        /// Whether one may be a control character, a line end, or not ASCII.
        @inline(__always) static func mayBeUnusual(_ word: UInt64) -> Bool {
            (word | ~((word & rest) &+ 0x60 * ones) | ((word & rest) &+ ones)) & highest != 0
        }

        /// Whether one is any of these other than a line end.
        static func isUnusual(_ word: UInt64) -> Bool {
            let isControl = ~((word & rest) &+ 0x60 * ones)
            let isUsual = isZero(word ^ (0x0A * ones)) | isZero(word ^ (0x0D * ones))
            return (word | (isControl & ~isUsual) | ((word & rest) &+ ones)) & highest != 0
        }

        private static func isZero(_ word: UInt64) -> UInt64 { ~(((word & rest) &+ rest) | word) }
    }

    private static func isUTF8(_ text: UnsafeRawBufferPointer) -> Bool {
        text.withMemoryRebound(to: UInt8.self) { String(validating: $0, as: UTF8.self) != nil }
    }

    /// U+0000 to U+001F and U+007F to U+009F, except line ends.
    private static func control(in text: UnsafeRawBufferPointer) -> UInt32? {
        String(decoding: text, as: UTF8.self).unicodeScalars.first { scalar in
            switch scalar.value {
            case 0x0A, 0x0D: false
            case ..<0x20, 0x7F...0x9F: true
            default: false
            }
        }?.value
    }

    private struct LineRanges {
        private let bytes: UnsafeRawBufferPointer
        private var position: Int

        init(_ bytes: UnsafeRawBufferPointer, from start: Int) {
            self.bytes = bytes
            position = start
        }

        mutating func next() -> Range<Int>? {
            guard position < bytes.count else { return nil }
            let end = bytes[position...].firstIndex(of: 0x0A) ?? bytes.count
            defer { position = end + 1 }
            return position..<end
        }
    }
}
