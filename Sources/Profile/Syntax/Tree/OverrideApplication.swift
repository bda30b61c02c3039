extension ProfileNode {
    /// Sets one field, and creates missing mappings on the path to it; `components` is not empty.
    ///
    /// A shorthand on the path is opened: `target: embedded` and an override of `target.embedded.tls` together are
    /// `target: {embedded: {tls: …}}`. Throws when the path leads through a list or another single value.
    package mutating func set(_ components: ArraySlice<String>, to value: ProfileNode) throws(ProfileProblem) {
        guard let name = components.first else {
            self = value
            return
        }
        var entries: [ProfileEntry]
        switch content {
        case .mapping(let existing): entries = existing
        case .null: entries = []
        case .scalar(let word) where word == name:
            let empty = ProfileNode(location: location, content: .mapping([]))
            entries = [ProfileEntry(key: name, keyLocation: location, value: empty)]
        case .scalar, .list:
            throw ProfileProblem(
                location: value.location,
                message: "the profile has \(kind) where \(name) would be set"
            )
        }
        if let index = entries.firstIndex(where: { $0.key == name }) {
            try entries[index].value.set(components.dropFirst(), to: value)
            if components.count == 1 {
                entries[index].keyLocation = value.location
            }
        } else {
            var made = ProfileNode(location: value.location, content: .mapping([]))
            try made.set(components.dropFirst(), to: value)
            entries.append(ProfileEntry(key: name, keyLocation: value.location, value: made))
        }
        content = .mapping(entries)
    }
}

extension Override {
    package func node() throws(ProfileProblem) -> ProfileNode {
        let place = ProfileLocation.override(label)
        guard let first = value.first, "[{\"'".contains(first) else {
            return ProfileNode(location: place, content: .scalar(value))
        }
        return try YAMLText.parse(value, at: { _, _ in place }) ?? ProfileNode(location: place, content: .null)
    }
}
