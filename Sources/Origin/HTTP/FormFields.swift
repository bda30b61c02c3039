import AdServing
import Values

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
    static func decode(_ text: Substring) -> String {
        let isSpaced = text.utf8.contains(UInt8(ascii: "+"))
        return PercentEncoding.decode(isSpaced ? text.replacing("+", with: "%20") : text)
    }
}
