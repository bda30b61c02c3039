/// Part of addresses that belongs to a session or a moment, named in a profile.
package enum AddressPattern: Hashable, Sendable {
    case parameter(String)
    /// Pieces of a path; those with a `*` are the variable ones.
    case path(PathPattern)

    /// Parses `?name`, or pieces of a path with at least one `*`, such as `/session/*/` or `v-*`; nil for anything else.
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

    package var text: String {
        switch self {
        case .parameter(let name): "?" + name
        case .path(let pattern): pattern.text
        }
    }
}
