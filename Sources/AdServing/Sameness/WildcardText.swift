/// Text in which each `*` matches any text, such as `SLATE-*`.
package struct WildcardText: Hashable, Sendable {
    package let text: String
    /// Texts between the wildcards; one part without a wildcard.
    private let parts: [[UInt8]]

    package init(_ text: String) {
        self.text = text
        parts = text.utf8.split(separator: UInt8(ascii: "*"), omittingEmptySubsequences: false).map(Array.init)
    }

    var hasWildcard: Bool { parts.count > 1 }

    func matches(_ other: Substring) -> Bool {
        var other = other
        return other.withUTF8 { matches(UnsafeRawBufferPointer($0)) }
    }

    func matches(_ other: UnsafeRawBufferPointer) -> Bool {
        guard let first = parts.first, let last = parts.last, hasWildcard else { return other.elementsEqual(text.utf8) }
        guard other.count >= first.count + last.count, other.starts(with: first),
            other.suffix(last.count).elementsEqual(last)
        else { return false }
        var rest = other[first.count..<other.count - last.count]
        for part in parts.dropFirst().dropLast() where !part.isEmpty {
            guard let found = rest.firstRange(of: part) else { return false }
            rest = rest[found.upperBound...]
        }
        return true
    }
}
