/// A part of addresses that is a session's or a moment's own, as a profile names it.
package enum AddressPattern: Hashable, Sendable {
    /// A parameter of the query, by its name in lower case.
    case parameter(String)
    /// Pieces of a path that follow each other; those that hold a `*` are the ones that are its own.
    case path([String])

    /// Reads `?name`, or pieces of a path with at least one `*`, such as `/session/*/` or `v-*`; nil for what is neither.
    ///
    /// - Parameter text: As written.
    package init?(_ text: String) {
        if text.hasPrefix("?") {
            let name = text.dropFirst().lowercased()
            guard !name.isEmpty, !name.contains(where: { "=&?#/ ".contains($0) }) else { return nil }
            self = .parameter(name)
            return
        }
        let pieces = text.split(separator: "/").map(String.init)
        guard pieces.contains(where: { $0.contains("*") }), !text.contains(where: { "?# ".contains($0) }) else {
            return nil
        }
        self = .path(pieces)
    }

    /// As it is written.
    package var text: String {
        switch self {
        case .parameter(let name): "?" + name
        case .path(let pieces): "/" + pieces.joined(separator: "/")
        }
    }

    /// Whether a piece of a path is what a piece of the pattern says.
    static func piece(_ piece: Substring, matches pattern: String) -> Bool {
        let parts = pattern.split(separator: "*", omittingEmptySubsequences: false)
        guard let first = parts.first, let last = parts.last, parts.count > 1 else { return piece == pattern }
        guard piece.hasPrefix(first), piece.utf8.count >= first.utf8.count + last.utf8.count else { return false }
        var rest = piece.dropFirst(first.count)
        for part in parts.dropFirst().dropLast() where !part.isEmpty {
            guard let found = rest.firstRange(of: part) else { return false }
            rest = rest[found.upperBound...]
        }
        return rest.hasSuffix(last)
    }
}
