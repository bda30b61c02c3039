import HLS

/// The form of a splice_info_section in hexadecimal (bis-22 section 4.4.5.1.1, SCTE 35 section 9.6).
enum SpliceSection {
    static func problem(in range: Range<Int>, of bytes: UnsafeRawBufferPointer) -> String? {
        guard range.count > 2,
            bytes.matches("0x", at: range.lowerBound, prefixBefore: range.upperBound)
                || bytes.matches("0X", at: range.lowerBound, prefixBefore: range.upperBound)
        else { return "hexadecimal digits after 0x" }
        let digits = range.dropFirst(2)
        guard digits.count % 2 == 0 else { return "whole bytes: an even number of hexadecimal digits" }
        var head: UInt32 = 0
        var crc: UInt32 = 0xFFFF_FFFF
        var last: UInt32 = 0
        let count = digits.count / 2
        for number in 0..<count {
            let index = digits.lowerBound + 2 * number
            guard let high = bytes[index].hexDigitValue, let low = bytes[index + 1].hexDigitValue else {
                return "hexadecimal digits only"
            }
            let byte = high << 4 | low
            if number < 3 { head = head << 8 | UInt32(byte) }
            last = last << 8 | UInt32(byte)
            crc = crc << 8 ^ table[Int(UInt8(truncatingIfNeeded: crc >> 24) ^ byte)]
        }
        guard count >= 15, head >> 16 == 0xFC else { return "a splice_info_section: table_id 0xFC and 14 bytes more" }
        guard Int(head & 0xFFF) == count - 3 else { return "a section as long as its section_length says" }
        // CRC-32/MPEG-2 leaves zero over a section that ends in its checksum; some packagers clear that field.
        return crc == 0 || last == 0 ? nil : "a section whose CRC_32 is right"
    }

    /// CRC-32/MPEG-2, one byte at a time.
    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte) << 24) { crc, _ in
            crc & 0x8000_0000 == 0 ? crc << 1 : crc << 1 ^ 0x04C1_1DB7
        }
    }
}
