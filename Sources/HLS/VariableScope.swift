/// The values of a playlist's variables, and their substitution (bis-22 section 4.3).
package struct VariableScope: Hashable, Sendable {
    package enum Problem: Error, Hashable, Sendable {
        case duplicate(name: String)
        /// An imported name or a query parameter is missing, or a reference names an undefined variable.
        case undefined(name: String)
        /// The replaced text is longer than a value may be.
        case tooLong
    }

    /// Limit on the total bytes of a playlist's values, because values can refer to others and grow with each reference.
    static let maximumBytes = 1 << 20

    package private(set) var values: [String: String]

    init(values: [String: String]) {
        self.values = values
    }

    /// Resolves definitions: QUERYPARAM from the query of `playlistURL`, IMPORT from `imported`.
    package init(
        _ definitions: [VariableDefinition],
        playlistURL: String,
        imported: [String: String] = [:]
    ) throws(Problem) {
        values = [:]
        for definition in definitions {
            let (name, value) =
                switch definition {
                case .value(let name, let value): (name, Optional(value))
                case .imported(let name): (name, imported[name])
                case .queryParameter(let name): (name, URLQuery(of: playlistURL).value(of: name))
                }
            guard let value else {
                throw .undefined(name: name)
            }
            guard values.updateValue(value, forKey: name) == nil else {
                throw .duplicate(name: name)
            }
        }
    }

    /// The variables of a multivariant playlist at `url`, which its media playlists may import.
    package static func exported(
        by playlist: MultivariantPlaylist,
        url: String
    ) throws(Problem) -> [String: String] {
        try VariableScope(playlist.definitions, playlistURL: url).values
    }

    /// `text` with every `{$name}` replaced by its value.
    package func substitute(_ text: String) throws(Problem) -> String {
        guard text.contains("{$") else {
            return text
        }
        var output = ""
        var rest = text[...]
        while let open = rest.firstIndex(of: "{") {
            output += rest[..<open]
            let afterOpen = rest.index(after: open)
            guard afterOpen < rest.endIndex, rest[afterOpen] == "$" else {
                output.append("{")
                rest = rest[afterOpen...]
                continue
            }
            guard let close = rest[afterOpen...].firstIndex(of: "}") else {
                return output + rest[open...]
            }
            let name = String(rest[rest.index(after: afterOpen)..<close])
            guard let value = values[name] else {
                throw .undefined(name: name)
            }
            guard output.utf8.count + value.utf8.count <= Self.maximumBytes else {
                throw .tooLong
            }
            output += value
            rest = rest[rest.index(after: close)...]
        }
        return output + rest
    }
}
