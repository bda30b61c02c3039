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

    /// The value of a hexadecimal digit; nil for another byte.
    @inlinable public var hexDigitValue: UInt8? {
        if isDigit { return self &- 0x30 }
        return isLetter && self | 0x20 <= UInt8(ascii: "f") ? (self | 0x20) &- 0x61 &+ 10 : nil
    }
}

extension String {
    /// The text with every byte but the unreserved characters as `%XX`, with capital digits.
    ///
    /// Safe in a path segment, in a query value and in a form body alike.
    package var percentEncoded: String { String(percentEncoding: utf8, except: \.isUnreserved) }

    package init(percentEncoding bytes: some Collection<UInt8>, except isKept: (UInt8) -> Bool) {
        let digits = Array("0123456789ABCDEF".utf8)
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count + 8)
        for byte in bytes {
            if isKept(byte) {
                output.append(byte)
            } else {
                output += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        self.init(decoding: output, as: UTF8.self)
    }
}

extension Substring {
    /// The text without percent-encoding; malformed escapes and `+` are unchanged.
    package var percentDecoded: String {
        guard utf8.contains(UInt8(ascii: "%")) else { return String(self) }
        let bytes = Array(utf8)
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
                let high = bytes[index + 1].hexDigitValue, let low = bytes[index + 2].hexDigitValue
            {
                output.append(high << 4 | low)
                index += 3
            } else {
                output.append(bytes[index])
                index += 1
            }
        }
        return String(decoding: output, as: UTF8.self)
    }
}
