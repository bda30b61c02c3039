package enum ProfileLocation: Sendable, Hashable {
    /// 1-based; columns count Unicode scalars.
    case file(line: Int, column: Int)
    case wholeFile
    /// A file that the profile names.
    case named(file: String, line: Int, column: Int)
    /// As typed, without a secret value.
    case override(String)
}

/// No member ever contains a secret's value or one from the environment.
package struct ProfileProblem: Error, Hashable {
    package var location: ProfileLocation
    /// Dotted path, list items by 0-based index; empty for the whole document.
    package var field: String = ""
    package var message: String
    package var allowed: String?
    package var suggestion: String?

    /// The names of all faults would fill a screen before the one that is meant.
    private static let longestBesideSuggestion = 300

    init(_ message: String, at location: ProfileLocation) { (self.message, self.location) = (message, location) }

    /// Nil for an override, another file and the whole file.
    package var line: Int? { if case .file(let line, _) = location { line } else { nil } }

    package var column: Int? { if case .file(_, let column) = location { column } else { nil } }

    /// Renders "Profiles/x.yaml:12:5: breaks.podIdentifer: unknown field; did you mean podIdentifier?".
    package func rendered(path: String) -> String {
        var text: String
        var namesField = !field.isEmpty
        switch location {
        case .file(let line, _) where path.isEmpty: text = "line \(line): "
        case .file(let line, let column): text = "\(path):\(line):\(column): "
        case .wholeFile: text = path.isEmpty ? "" : "\(path): "
        case .named(let file, let line, let column): text = "\(file):\(line):\(column): "
        case .override(let label):
            text = "\(label): "
            namesField = namesField && !label.hasSuffix(" \(field)")
        }
        return text + said(namesField: namesField)
    }

    /// Omits the location.
    package func said(namesField: Bool = true) -> String {
        var text = namesField && !field.isEmpty ? "\(field): \(message)" : message
        if let allowed, suggestion == nil || allowed.utf8.count <= Self.longestBesideSuggestion {
            text += "; allowed: \(allowed)"
        }
        if let suggestion { text += "; did you mean \(suggestion)?" }
        return text
    }
}

/// In reading order.
package struct ProfileErrors: Error, Sendable, Hashable, CustomStringConvertible {
    /// Empty for a text without a file of its own.
    package var path: String
    package var problems: [ProfileProblem]
    /// Problems beyond the limit.
    package var omitted: Int = 0

    /// One line per problem, no final line break.
    package var description: String {
        var lines = problems.map { $0.rendered(path: path) }
        if omitted > 0 { lines.append("\(path): \(omitted) more problems are not shown") }
        return lines.joined(separator: "\n")
    }
}

/// Untrusted text made printable for a message.
package enum ShownValue {
    static let longest = 60
    static let hidden = "…"

    /// Escapes control characters, drops a URL's query and user information, and cuts at `longest` characters.
    package static func of(_ text: String) -> String {
        let scalars = withoutURLSecrets(text).unicodeScalars
        let shown = scalars.prefix(longest).map { scalar in
            [.control, .format].contains(scalar.properties.generalCategory)
                ? "\\u{\(String(scalar.value, radix: 16))}" : String(scalar)
        }
        return shown.joined() + (scalars.count > longest ? "…" : "")
    }

    private static func withoutURLSecrets(_ text: String) -> String {
        guard let scheme = text.firstRange(of: "://") else { return text }
        var shown = text
        if let question = shown[scheme.upperBound...].firstIndex(of: "?") { shown = shown[..<question] + "?…" }
        if let at = shown[scheme.upperBound...].lastIndex(of: "@") {
            shown = shown[..<scheme.upperBound] + "…" + shown[at...]
        }
        return shown
    }
}
