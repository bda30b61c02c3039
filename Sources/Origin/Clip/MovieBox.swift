/// A box of an ISO base media file (ISO/IEC 14496-12 4.2).
struct MovieBox {
    let type: String
    let range: Range<Int>
    let content: Range<Int>

    /// Consecutive boxes in a range; ends before a box that does not fit.
    static func list(in bytes: [UInt8], _ range: Range<Int>) -> [MovieBox] {
        var boxes: [MovieBox] = []
        var at = range.lowerBound
        while let size: UInt32 = integer(in: bytes, at: at), size >= 8, Int(size) <= range.upperBound - at {
            let end = at + Int(size)
            let type = String(decoding: bytes[at + 4..<at + 8], as: UTF8.self)
            boxes.append(MovieBox(type: type, range: at..<end, content: at + 8..<end))
            at = end
        }
        return boxes
    }

    static func bytes(_ type: String, _ content: [UInt8]) -> [UInt8] {
        UInt32(clamping: content.count + 8).bigEndianBytes + Array(type.utf8) + content
    }

    /// Big-endian integer at an offset; nil beyond the end.
    static func integer<Field: FixedWidthInteger>(in bytes: [UInt8], at offset: Int) -> Field? {
        let width = Field.bitWidth / 8
        guard offset >= 0, offset <= bytes.count - width else { return nil }
        return bytes[offset..<offset + width].reduce(0) { $0 << 8 | Field(truncatingIfNeeded: $1) }
    }
}

extension FixedWidthInteger {
    var bigEndianBytes: [UInt8] { withUnsafeBytes(of: bigEndian) { Array($0) } }
}
