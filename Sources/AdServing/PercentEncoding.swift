package enum PercentEncoding {
    /// Encodes every byte but the unreserved characters as `%XX` with capital digits.
    ///
    /// The result is safe in a path segment, in a query value and in a form body alike.
    package static func encode(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var output: [UInt8] = []
        output.reserveCapacity(text.utf8.count + 8)
        for byte in text.utf8 {
            if isUnreserved(byte) {
                output.append(byte)
            } else {
                output += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    static func changes(_ text: String) -> Bool { !text.utf8.allSatisfy(isUnreserved) }

    /// Leaves malformed escapes and `+` as they are.
    package static func decode(_ text: some StringProtocol) -> String {
        let bytes = Array(text.utf8)
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
                let high = hexDigit(bytes[index + 1]), let low = hexDigit(bytes[index + 2])
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

    /// ALPHA, DIGIT, `-`, `.`, `_` and `~`.
    static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
            true
        default:
            false
        }
    }

    /// Byte of an escape and the escape's end, even if its percent sign is itself encoded; nil if no escape begins at `start`.
    static func escape(in text: UnsafeRawBufferPointer, at start: Int, before limit: Int) -> (byte: UInt8, end: Int)? {
        guard start < limit, text[start] == UInt8(ascii: "%") else { return nil }
        var index = start + 1
        while index + 3 < limit, text[index] == UInt8(ascii: "2"), text[index + 1] == UInt8(ascii: "5") { index += 2 }
        guard index + 1 < limit, let high = hexDigit(text[index]), let low = hexDigit(text[index + 1]) else {
            return nil
        }
        return (high << 4 | low, index + 2)
    }

    private static func hexDigit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
