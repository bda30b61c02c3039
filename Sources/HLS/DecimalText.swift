/// Reads decimal numbers without rounding errors and without overflow.
package enum DecimalText {
    /// A decimal-integer (RFC 8216 section 4.2); nil for other text and on overflow.
    package static func integer(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> UInt64? {
        guard !range.isEmpty else { return nil }
        var value: UInt64 = 0
        for index in range {
            let digit = bytes[index] &- UInt8(ascii: "0")
            guard digit <= 9 else { return nil }
            let (scaled, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, carry) = scaled.addingReportingOverflow(UInt64(digit))
            guard !overflow, !carry else { return nil }
            value = sum
        }
        return value
    }

    /// Rounds half up; nil when malformed, or past a thousand years.
    package static func microseconds(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> Int64? {
        var index = range.lowerBound
        let value = microseconds(bytes, upToComma: &index, end: range.upperBound)
        return index == range.upperBound ? value : nil
    }

    /// Moves `index` to `end` or a comma.
    package static func microseconds(_ bytes: UnsafeRawBufferPointer, upToComma index: inout Int, end: Int) -> Int64? {
        let first = index
        var seconds: Int64 = 0
        while index < end, case let digit = bytes[index] &- UInt8(ascii: "0"), digit <= 9 {
            seconds = seconds &* 10 &+ Int64(digit)
            guard seconds <= 31_557_600_000 else { return nil }
            index &+= 1
        }
        var digits = index &- first
        var fraction: Int64 = 0
        if index < end, bytes[index] == UInt8(ascii: ".") {
            index += 1
            let start = index
            fraction = DecimalFraction.millionths(bytes, &index, end: end)
            digits += index - start
            if index - start > 6, bytes[start + 6] >= UInt8(ascii: "5") { fraction += 1 }
        }
        guard digits > 0, index == end || bytes[index] == UInt8(ascii: ",") else { return nil }
        return seconds * 1_000_000 + fraction
    }

    package static func signedMicroseconds(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> Int64? {
        guard !range.isEmpty, bytes[range.lowerBound] == UInt8(ascii: "-") else { return microseconds(bytes, range) }
        return microseconds(bytes, (range.lowerBound + 1)..<range.upperBound).map { -$0 }
    }

    package static func isNumber(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> Bool {
        var digits = 0
        var points = 0
        for index in range {
            switch bytes[index] {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digits += 1
            case UInt8(ascii: "."): points += 1
            case UInt8(ascii: "-") where index == range.lowerBound: break
            default: return false
            }
        }
        return digits > 0 && points <= 1
    }

    package static func byteRange(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> ByteRange? {
        let at = range.first { bytes[$0] == UInt8(ascii: "@") }
        guard let length = integer(bytes, range.lowerBound..<(at ?? range.upperBound)) else { return nil }
        guard let at else { return ByteRange(length: length) }
        return integer(bytes, (at + 1)..<range.upperBound).map { ByteRange(length: length, offset: $0) }
    }
}
