/// A part of addresses that is a session's or a moment's own, as a profile names it.
package enum AddressPattern: Hashable, Sendable {
    /// A parameter of the query, by its name in lower case.
    case parameter(String)
    /// Pieces of a path; those that hold a `*` are the ones that are its own.
    case path(PathPattern)

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
        guard let path = PathPattern(text), path.hasWildcard else { return nil }
        self = .path(path)
    }

    /// As it is written.
    package var text: String {
        switch self {
        case .parameter(let name): "?" + name
        case .path(let pattern): pattern.text
        }
    }
}
