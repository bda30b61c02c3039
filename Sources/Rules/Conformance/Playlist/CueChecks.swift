import HLS

/// Checks cue tags of stitched breaks for contradictions.
///
/// No standard defines them, so only contradictions in every dialect count: a missing number, or two breaks that begin at once.
/// A position beyond the planned duration is allowed: a break lasts until a tag ends it.
struct CueChecks {
    /// The segment before which the open break began.
    private var outBefore: Int?

    mutating func read(_ line: TagLine, beforeSegment segment: Int, _ list: inout ViolationList) {
        let (rest, bytes) = (line.start + 7, list.bytes)
        guard bytes.matches("#EXT-X-CUE-", at: line.start, prefixBefore: line.end) else { return }
        func isNamed(_ name: StaticString) -> Bool {
            bytes.matches(name, at: rest, prefixBefore: line.end)
                && (line.end == rest + name.utf8CodeUnitCount
                    || bytes[rest + name.utf8CodeUnitCount] == UInt8(ascii: ":"))
        }
        if isNamed("CUE-IN") {
            outBefore = nil
        } else if isNamed("CUE-OUT") {
            checkDuration(line, &list)
            if outBefore == segment {
                list.note(.spliceInvalid, line, expected: "one EXT-X-CUE-OUT before a segment")
            }
            outBefore = segment
        }
    }

    private func checkDuration(_ line: TagLine, _ list: inout ViolationList) {
        let bytes = list.bytes
        guard let value = Self.value("duration", line, bytes), !Self.isReference(value, bytes),
            DecimalText.microseconds(bytes, value) == nil
        else { return }
        list.note(.spliceInvalid, line, expected: "DURATION as a number of seconds")
    }

    /// Matches the attribute's name without regard to case.
    private static func value(_ name: StaticString, _ line: TagLine, _ bytes: UnsafeRawBufferPointer) -> Range<Int>? {
        var list = AttributeList(bytes, line.valueRange)
        while let attribute = list.next() {
            let found = attribute.name
            guard found.count == name.utf8CodeUnitCount else { continue }
            if found.indices.allSatisfy({ bytes[$0] | 0x20 == name.utf8Start[$0 - found.lowerBound] }) {
                return attribute.value
            }
        }
        return nil
    }

    private static func isReference(_ value: Range<Int>, _ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.matches("{$", at: value.lowerBound, prefixBefore: value.upperBound)
    }
}

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
