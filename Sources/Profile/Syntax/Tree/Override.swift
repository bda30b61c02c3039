import Values

/// Later overrides win over earlier ones, and all over the file.
package struct Override: Sendable, Hashable {
    /// From the root inwards.
    package let components: [String]
    /// `[…]`, `{…}` and quoted text are read as YAML, anything else as plain text.
    let value: String
    /// Such as "--set seed"; without the value, which may be a secret.
    let label: String

    /// Reads `breaks.podIdentifier=synchronised`; the value may contain further equals signs, and problems never quote it.
    package init(parsing text: String) throws(ProfileErrors) {
        let fieldEnd = text.firstIndex(of: "=") ?? text.firstIndex { !Self.isFieldCharacter($0) } ?? text.endIndex
        let field = text[..<fieldEnd].trimmed(where: Self.isSpace)
        guard text.contains("=") else { throw Self.unusable("\"\(ShownValue.of(field))\" has no equals sign") }
        // A short option is written as itself, so that messages name it.
        let path = Self.short[field] ?? field
        let components = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard components.allSatisfy({ !$0.isEmpty }), components.count <= ProfileTree.deepest else {
            throw Self.unusable("\"\(ShownValue.of(field))\" is not a field")
        }
        let value = text[fieldEnd...].dropFirst().trimmed(where: Self.isSpace)
        guard !value.isEmpty else { throw Self.unusable("\"\(ShownValue.of(field))\" is given no value") }
        (self.components, self.value) = (components, value)
        label = path == field ? "--set \(ShownValue.of(field))" : field
    }

    private static let short = [
        "--duration": "duration", "--viewers": "audience.viewers", "--seed": "seed", "--window": "windows.length",
        "--warm-up": "windows.warmUp", "--for": "duration",
    ]

    private static func isSpace(_ character: Character) -> Bool { character == " " || character == "\t" }

    private static func isFieldCharacter(_ character: Character) -> Bool {
        character == "." || character == "-" || (character.isASCII && (character.isLetter || character.isNumber))
    }

    private static func unusable(_ message: String) -> ProfileErrors {
        var problem = ProfileProblem(message, at: .override("--set"))
        problem.allowed = "a field, an equals sign and a value, such as breaks.podIdentifier=synchronised"
        return ProfileErrors(path: "", problems: [problem])
    }

    package func node() throws(ProfileProblem) -> ProfileNode {
        let place = ProfileLocation.override(label)
        guard let first = value.first, "[{\"'".contains(first) else {
            return ProfileNode(location: place, content: .scalar(value))
        }
        return try YAMLText.parse(value, at: { _, _ in place }) ?? ProfileNode(location: place, content: .null)
    }
}

extension ProfileNode {
    /// Creates missing mappings on the path, and opens a shorthand: `target: embedded` with an override of
    /// `target.embedded.tls` becomes `target: {embedded: {tls: …}}`.
    ///
    /// Throws when the path leads through a list or another single value.
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
            throw ProfileProblem("the profile has \(kind) where \(name) would be set", at: value.location)
        }
        if let index = entries.firstIndex(where: { $0.key == name }) {
            try entries[index].value.set(components.dropFirst(), to: value)
            if components.count == 1 { entries[index].keyLocation = value.location }
        } else {
            var made = ProfileNode(location: value.location, content: .mapping([]))
            try made.set(components.dropFirst(), to: value)
            entries.append(ProfileEntry(key: name, keyLocation: value.location, value: made))
        }
        content = .mapping(entries)
    }
}
