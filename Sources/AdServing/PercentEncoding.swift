import Values

package enum PercentEncoding {
    /// Encodes every byte but the unreserved characters as `%XX` with capital digits.
    package static func encode(_ text: String) -> String { text.percentEncoded }

    /// Leaves malformed escapes and `+` as they are.
    package static func decode(_ text: some StringProtocol) -> String { Substring(text).percentDecoded }

    static func isUnreserved(_ byte: UInt8) -> Bool { byte.isUnreserved }

    /// Byte of an escape and the escape's end, even if its percent sign is itself encoded; nil if no escape begins at `start`.
    static func escape(in text: UnsafeRawBufferPointer, at start: Int, before limit: Int) -> (byte: UInt8, end: Int)? {
        guard start < limit, text[start] == UInt8(ascii: "%") else { return nil }
        var index = start + 1
        while index + 3 < limit, text[index] == UInt8(ascii: "2"), text[index + 1] == UInt8(ascii: "5") { index += 2 }
        guard index + 1 < limit, let high = text[index].hexDigitValue, let low = text[index + 1].hexDigitValue else {
            return nil
        }
        return (high << 4 | low, index + 2)
    }
}
