/// Decimal numbers as playlists write them, read without rounding errors and without overflow.
enum DecimalText {
    /// A decimal-integer (RFC 8216 section 4.2), or nil when it is none or does not fit 64 bits.
    static func integer(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> UInt64? {
        guard !range.isEmpty else {
            return nil
        }
        var value: UInt64 = 0
        for index in range {
            let digit = bytes[index] &- UInt8(ascii: "0")
            guard digit <= 9 else {
                return nil
            }
            let (scaled, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, carry) = scaled.addingReportingOverflow(UInt64(digit))
            guard !overflow, !carry else {
                return nil
            }
            value = sum
        }
        return value
    }

    /// Seconds as a decimal number in microseconds, rounded half up; nil when malformed, or past a thousand years.
    static func microseconds(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> Int64? {
        var index = range.lowerBound
        let end = range.upperBound
        var seconds: Int64 = 0
        while index < end {
            let digit = bytes[index] &- UInt8(ascii: "0")
            guard digit <= 9 else {
                break
            }
            seconds = seconds * 10 + Int64(digit)
            guard seconds <= 31_557_600_000 else {
                return nil
            }
            index += 1
        }
        let wholeDigits = index - range.lowerBound
        guard index < end else {
            return wholeDigits > 0 ? seconds * 1_000_000 : nil
        }
        guard bytes[index] == UInt8(ascii: ".") else {
            return nil
        }
        index += 1
        guard wholeDigits > 0 || index < end, let fraction = fraction(bytes, index..<end) else {
            return nil
        }
        return seconds * 1_000_000 + fraction
    }

    /// The digits after a decimal point in microseconds, rounded half up.
    private static func fraction(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> Int64? {
        var value: Int64 = 0
        var scale: Int64 = 100_000
        for index in range {
            let digit = bytes[index] &- UInt8(ascii: "0")
            guard digit <= 9 else {
                return nil
            }
            value += Int64(digit) * scale
            if index - range.lowerBound == 6, digit >= 5 {
                value += 1
            }
            scale /= 10
        }
        return value
    }

    /// Like ``microseconds(_:_:)``, with an optional minus sign.
    static func signedMicroseconds(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> Int64? {
        guard !range.isEmpty, bytes[range.lowerBound] == UInt8(ascii: "-") else {
            return microseconds(bytes, range)
        }
        return microseconds(bytes, (range.lowerBound + 1)..<range.upperBound).map { -$0 }
    }

    /// Whether this is a decimal number of any size: digits, at most one point, perhaps a minus sign before them.
    static func isNumber(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> Bool {
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

    /// A byte range `n[@o]`.
    static func byteRange(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> ByteRange? {
        let at = range.first { bytes[$0] == UInt8(ascii: "@") }
        guard let length = integer(bytes, range.lowerBound..<(at ?? range.upperBound)) else {
            return nil
        }
        guard let at else {
            return ByteRange(length: length)
        }
        return integer(bytes, (at + 1)..<range.upperBound).map { ByteRange(length: length, offset: $0) }
    }
}
