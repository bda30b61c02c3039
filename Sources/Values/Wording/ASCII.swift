// Classes of ASCII characters. Inlinable, because parsers ask for each byte.
extension UInt8 {
    /// Whether the byte is an ASCII digit.
    @inlinable public var isDigit: Bool { self &- 0x30 < 10 }

    /// Whether the byte is an ASCII letter.
    @inlinable public var isLetter: Bool { (self | 0x20) &- 0x61 < 26 }

    /// Whether the byte is an ASCII letter or digit.
    @inlinable public var isAlphanumeric: Bool { isLetter || isDigit }

    /// Whether the byte needs no escape in a path or query: a letter, a digit, `-`, `.`, `_` or `~` (RFC 3986 section 2.3).
    @inlinable public var isUnreserved: Bool {
        isAlphanumeric || self == UInt8(ascii: "-") || self == UInt8(ascii: ".") || self == UInt8(ascii: "_")
            || self == UInt8(ascii: "~")
    }

    /// Whether the byte is a letter, a digit, `-` or `_`.
    @inlinable public var isNameByte: Bool { isAlphanumeric || self == UInt8(ascii: "-") || self == UInt8(ascii: "_") }

    /// The byte, or the lower case of a capital ASCII letter.
    @inlinable public var lowercasedASCII: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }

    /// The value of a hexadecimal digit; nil for another byte.
    @inlinable public var hexDigitValue: UInt8? {
        if isDigit { return self &- 0x30 }
        return isLetter && self | 0x20 <= UInt8(ascii: "f") ? (self | 0x20) &- 0x61 &+ 10 : nil
    }
}
