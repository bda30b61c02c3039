/// A text in which each `*` stands for any text, such as `SLATE-*`; one without stands for itself.
package struct WildcardText: Hashable, Sendable {
    /// As it is written.
    package let text: String
    /// What lies between the wildcards, in order; one part where there are none.
    private let parts: [Substring]

    package init(_ text: String) {
        self.text = text
        parts = text.split(separator: "*", omittingEmptySubsequences: false)
    }

    var hasWildcard: Bool { parts.count > 1 }

    /// Whether it stands for a text.
    func matches(_ other: Substring) -> Bool {
        guard let first = parts.first, let last = parts.last, hasWildcard else { return other == text }
        guard other.hasPrefix(first), other.utf8.count >= first.utf8.count + last.utf8.count else { return false }
        var rest = other.dropFirst(first.count)
        for part in parts.dropFirst().dropLast() where !part.isEmpty {
            guard let found = rest.firstRange(of: part) else { return false }
            rest = rest[found.upperBound...]
        }
        return rest.hasSuffix(last)
    }
}
