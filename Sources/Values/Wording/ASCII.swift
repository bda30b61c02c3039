// Inlinable, because parsers ask for each byte.
extension UInt8 {
    /// 0 to 9.
    @inlinable public var isDigit: Bool { self &- 0x30 < 10 }

    /// A to Z and a to z.
    @inlinable public var isLetter: Bool { (self | 0x20) &- 0x61 < 26 }

    /// ASCII letter or digit.
    @inlinable public var isAlphanumeric: Bool { isLetter || isDigit }

    /// A letter, a digit, `-`, `.`, `_` or `~`, which needs no escape (RFC 3986 section 2.3).
    @inlinable public var isUnreserved: Bool {
        isAlphanumeric || self == UInt8(ascii: "-") || self == UInt8(ascii: ".") || self == UInt8(ascii: "_")
            || self == UInt8(ascii: "~")
    }

    /// A letter, a digit, `-` or `_`.
    @inlinable public var isNameByte: Bool { isAlphanumeric || self == UInt8(ascii: "-") || self == UInt8(ascii: "_") }

    /// Lower case of a capital ASCII letter.
    @inlinable public var lowercasedASCII: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }

    /// nil for another byte.
    @inlinable public var hexDigitValue: UInt8? {
        if isDigit { return self &- 0x30 }
        return isLetter && self | 0x20 <= UInt8(ascii: "f") ? (self | 0x20) &- 0x61 &+ 10 : nil
    }
}

extension FixedWidthInteger {
    /// Lower case, with zeros before.
    package func hexadecimal(digits count: Int) -> String { String(self, radix: 16).leftPadded(to: count) }
}

extension String {
    /// With zeros before.
    package func leftPadded(to length: Int) -> String {
        String(repeating: "0", count: Swift.max(0, length - utf8.count)) + self
    }

    /// UUID of version 4 in lower case (RFC 9562 section 5.4), from 122 of these bits.
    package init(uuid high: UInt64, _ low: UInt64) {
        let versioned = high & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
        let variant = low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        let digits = Array((versioned.hexadecimal(digits: 16) + variant.hexadecimal(digits: 16)).utf8)
        let groups = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(decoding: digits[$0], as: UTF8.self) }
        self = groups.joined(separator: "-")
    }
}

extension StringProtocol {
    package func trimmed(where isBlank: (Character) -> Bool) -> String {
        String(drop(while: isBlank).reversed().drop(while: isBlank).reversed())
    }
}

/// Numbers with thousands separators.
package enum GroupedDigits {
    /// For example `12,345`.
    package static func text(_ number: some BinaryInteger) -> String {
        let digits = String(number.magnitude)
        let groups = stride(from: digits.count, to: 0, by: -3).map { end in
            digits.dropLast(digits.count - end).suffix(3)
        }
        return (number < 0 ? "-" : "") + groups.reversed().joined(separator: ",")
    }

    /// For example `1 viewer`; only for a plural with s.
    package static func counted(_ number: some BinaryInteger, _ noun: String) -> String {
        "\(text(number)) \(noun)\(number == 1 ? "" : "s")"
    }

    /// Nearest whole number, clamped to 0...10^15.
    package static func text(rounding value: Double) -> String { text(Int(min(max(value.rounded(), 0), 1e15))) }
}
