import Values

/// Location in a JSON document (RFC 6901), such as `/session/id`.
package struct JSONPointer: Hashable, Sendable {
    private let tokens: [String]

    /// Nil unless the text is empty or begins with a slash, and for a stray `~`.
    package init?(_ text: String) {
        guard text.isEmpty || text.hasPrefix("/") else { return nil }
        var tokens: [String] = []
        for part in text.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
            guard let token = Self.unescaped(part) else { return nil }
            tokens.append(token)
        }
        self.tokens = tokens
    }

    private static func unescaped(_ part: Substring) -> String? {
        var token = ""
        var rest = part[...]
        while let tilde = rest.firstIndex(of: "~") {
            token += rest[..<tilde]
            switch rest[rest.index(after: tilde)...].first {
            case "0": token += "~"
            case "1": token += "/"
            default: return nil
            }
            rest = rest[tilde...].dropFirst(2)
        }
        return token + rest
    }

    /// Only a text or a whole number.
    func text(in document: JSONValue) -> String? {
        var value = document
        for token in tokens {
            switch value {
            case .object(let members):
                guard let next = members[token] else { return nil }
                value = next
            case .array(let elements):
                guard let index = Int(token), String(index) == token, elements.indices.contains(index) else {
                    return nil
                }
                value = elements[index]
            default: return nil
            }
        }
        switch value {
        case .string(let text): return text.isEmpty ? nil : text
        case .number(let number): return Int64(exactly: number).map { String($0) }
        default: return nil
        }
    }
}
