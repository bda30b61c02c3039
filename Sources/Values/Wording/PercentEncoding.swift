import Values

package enum PercentEncoding {
    /// Encodes every byte but the unreserved characters as `%XX` with capital digits.
    ///
    /// The result is safe in a path segment, in a query value and in a form body alike.
    package static func encode(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var output: [UInt8] = []
        output.reserveCapacity(text.utf8.count + 8)
        for byte in text.utf8 {
            if byte.isUnreserved {
                output.append(byte)
            } else {
                output += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    package static func changes(_ text: String) -> Bool { !text.utf8.allSatisfy(\.isUnreserved) }

    /// Leaves malformed escapes and `+` as they are.
    package static func decode(_ text: some StringProtocol) -> String {
        guard text.utf8.contains(UInt8(ascii: "%")) else { return String(text) }
        return String(decoding: decode(Array(text.utf8)[...]), as: UTF8.self)
    }

    package static func decode(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count)
        var index = bytes.startIndex
        while index < bytes.endIndex {
            if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.endIndex,
                let high = bytes[index + 1].hexadecimalDigit, let low = bytes[index + 2].hexadecimalDigit
            {
                output.append(high << 4 | low)
                index += 3
            } else {
                output.append(bytes[index])
                index += 1
            }
        }
        return output
    }

    /// Byte of an escape and the escape's end, even if its percent sign is itself encoded; nil if no escape begins at `start`.
    package static func escape(
        in text: UnsafeRawBufferPointer,
        at start: Int,
        before limit: Int
    ) -> (byte: UInt8, end: Int)? {
        guard start < limit, text[start] == UInt8(ascii: "%") else { return nil }
        var index = start + 1
        while index + 3 < limit, text[index] == UInt8(ascii: "2"), text[index + 1] == UInt8(ascii: "5") { index += 2 }
        guard index + 1 < limit, let high = text[index].hexadecimalDigit, let low = text[index + 1].hexadecimalDigit
        else {
            return nil
        }
        return (high << 4 | low, index + 2)
    }
}

extension UInt8 {
    /// Unreserved in RFC 3986 2.3, thus unescaped in a path or query: ALPHA, DIGIT, `-`, `.`, `_` and `~`.
    package var isUnreserved: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
