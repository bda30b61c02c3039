package enum PercentEncoding {
    /// Encodes all but the unreserved characters as `%XX`, safe in a path segment, a query value and a form body.
    package static func encode(_ text: String) -> String { encode(text.utf8, except: \.isUnreserved) }

    package static func encode(_ bytes: some Collection<UInt8>, except isKept: (UInt8) -> Bool) -> String {
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
        return String(decoding: output, as: UTF8.self)
    }

    /// Leaves malformed escapes and `+` as they are.
    package static func decode(_ text: some StringProtocol) -> String {
        let text = String(text)
        guard text.utf8.contains(UInt8(ascii: "%")) else { return text }
        return String(decoding: decode(Array(text.utf8)[...]), as: UTF8.self)
    }

    package static func decode(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count)
        var index = bytes.startIndex
        while index < bytes.endIndex {
            if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.endIndex,
                let high = bytes[index + 1].hexDigitValue, let low = bytes[index + 2].hexDigitValue
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

    /// Byte and end of an escape at `start`, even if its percent sign is itself encoded.
    package static func escape(
        in text: UnsafeRawBufferPointer,
        at start: Int,
        before limit: Int
    ) -> (byte: UInt8, end: Int)? {
        guard start < limit, text[start] == UInt8(ascii: "%") else { return nil }
        var index = start + 1
        while index + 3 < limit, text[index] == UInt8(ascii: "2"), text[index + 1] == UInt8(ascii: "5") { index += 2 }
        guard index + 1 < limit, let high = text[index].hexDigitValue, let low = text[index + 1].hexDigitValue
        else { return nil }
        return (high << 4 | low, index + 2)
    }
}
