import AdServing

/// Decoded name and value pairs of a query or of an `application/x-www-form-urlencoded` body.
///
/// Malformed escapes are kept as written, as browsers and servers do.
struct FormFields: Sendable, Equatable {
    private(set) var pairs: [(name: String, value: String)] = []

    init(_ text: some StringProtocol) {
        for pair in Substring(text).pieces(between: "&") where !pair.isEmpty {
            let equals = pair.utf8.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
            pairs.append((Self.decode(pair[..<equals]), Self.decode(Substring(pair.utf8[equals...].dropFirst()))))
        }
    }

    subscript(name: String) -> String? {
        pairs.first { $0.name == name }?.value
    }

    /// Whether the names are in the order of their UTF-8 bytes, as bis-22 section 6.2.5 requires of delivery directives.
    var isInOrder: Bool {
        zip(pairs, pairs.dropFirst()).allSatisfy { !$1.name.utf8.lexicographicallyPrecedes($0.name.utf8) }
    }

    static func == (left: FormFields, right: FormFields) -> Bool {
        left.pairs.elementsEqual(right.pairs) { $0 == $1 }
    }

    /// Decodes percent escapes, and `+` as a space (WHATWG URL 5.1).
    static func decode(_ text: some StringProtocol) -> String {
        guard text.utf8.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }) else {
            return String(text)
        }
        var decoded: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let value = Self.hexadecimal(rest.prefix(2)) {
                decoded.append(value)
                rest = rest.dropFirst(2)
            } else {
                decoded.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            }
        }
        return String(decoding: decoded, as: UTF8.self)
    }

    /// Decodes percent escapes only: in a path `+` stays itself (RFC 3986 2.1).
    static func decodePath(_ text: some StringProtocol) -> String {
        guard text.utf8.contains(UInt8(ascii: "%")) else { return String(text) }
        return decode(text.split(separator: "+", omittingEmptySubsequences: false).joined(separator: "%2B"))
    }

    private static func hexadecimal(_ digits: ArraySlice<UInt8>) -> UInt8? {
        guard digits.count == 2, digits.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") }) else {
            return nil
        }
        return UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
    }
}
