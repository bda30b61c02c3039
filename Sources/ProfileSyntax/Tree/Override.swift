/// One field of a profile set from the command line, as if the profile had said so.
///
/// Later overrides win over earlier ones and all of them over the file.
package struct Override: Sendable, Hashable {
    /// Field names from the root inwards.
    package let components: [String]
    /// As typed; `[…]`, `{…}` and quoted text are read as YAML, anything else is taken as it stands.
    let value: String
    /// How messages name it, for instance "--set seed"; never with the value, which may be a secret.
    let label: String

    /// Reads `breaks.podIdentifier=synchronised`.
    /// - Parameter text: A dotted field, an equals sign, a value; the value may hold further equals signs.
    /// - Throws: One problem when there is no field, no equals sign or no value. The value is never printed.
    package init(parsing text: String) throws(ProfileErrors) {
        let fieldEnd = text.firstIndex(of: "=") ?? text.firstIndex { !Self.isFieldCharacter($0) } ?? text.endIndex
        let field = text[..<fieldEnd].trimmingSpaces()
        guard text.contains("=") else {
            throw Self.unusable("\"\(ShownValue.of(field))\" has no equals sign")
        }
        let components = field.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard components.allSatisfy({ !$0.isEmpty }), components.count <= ProfileTree.deepest else {
            throw Self.unusable("\"\(ShownValue.of(field))\" is not a field")
        }
        let value = text[fieldEnd...].dropFirst().trimmingSpaces()
        guard !value.isEmpty else {
            throw Self.unusable("\"\(ShownValue.of(field))\" is given no value")
        }
        self.init(components: components, value: value, label: "--set \(ShownValue.of(field))")
    }

    private init(components: [String], value: String, label: String) {
        self.components = components
        self.value = value
        self.label = label
    }

    /// The run's length, from `--duration 30s`.
    package static func duration(_ text: String) -> Override {
        Override(components: ["duration"], value: text, label: "--duration")
    }

    /// The size of the audience, from `--viewers 200`.
    package static func viewers(_ text: String) -> Override {
        Override(components: ["audience", "viewers"], value: text, label: "--viewers")
    }

    /// The seed, from `--seed 7`.
    package static func seed(_ text: String) -> Override {
        Override(components: ["seed"], value: text, label: "--seed")
    }

    private static func isFieldCharacter(_ character: Character) -> Bool {
        character == "." || character == "-" || (character.isASCII && (character.isLetter || character.isNumber))
    }

    private static func unusable(_ message: String) -> ProfileErrors {
        let problem = ProfileProblem(
            location: .override("--set"),
            field: "",
            message: message,
            allowed: "a field, an equals sign and a value, such as breaks.podIdentifier=synchronised"
        )
        return ProfileErrors(path: "", problems: [problem])
    }
}

extension StringProtocol {
    /// The text without spaces and tabs at both ends.
    fileprivate func trimmingSpaces() -> String {
        let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        guard let start = firstIndex(where: { !isSpace($0) }), let end = lastIndex(where: { !isSpace($0) }) else {
            return ""
        }
        return String(self[start...end])
    }
}
