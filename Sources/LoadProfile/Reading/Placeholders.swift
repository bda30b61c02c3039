/// Names in braces.
enum Placeholders {
    /// Why a text is no template, as a predicate; nil if it is one.
    ///
    /// - Parameters:
    ///   - text: What is written.
    ///   - own: Names that have a value here without the profile saying so.
    ///   - labels: Those of the audience; nil lets every name pass.
    /// - Returns: The reason.
    static func refusal(of text: String, allowed own: [String] = [], labels: [String]?) -> String? {
        var rest = text[...]
        while let brace = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
            guard rest[brace] == "{", let closing = rest[brace...].firstIndex(of: "}") else {
                return "has a brace that is not closed, or not opened"
            }
            let name = String(rest[rest.index(after: brace)..<closing])
            guard own.contains(name) || labels?.contains(name) ?? true else {
                return "has a placeholder {\(ShownValue.of(name))} that has no value here"
            }
            rest = rest[rest.index(after: closing)...]
        }
        let authority = text.drop { $0 != "/" }.dropFirst(2).prefix { $0 != "/" && $0 != "?" }
        return text.contains("://") && authority.contains("{") ? "has a placeholder in its host" : nil
    }

    /// The text with something harmless in each place.
    static func filled(_ text: String) -> String {
        var result = ""
        var rest = text[...]
        while let opening = rest.firstIndex(of: "{"), let closing = rest[opening...].firstIndex(of: "}") {
            result += rest[..<opening] + "x"
            rest = rest[rest.index(after: closing)...]
        }
        return result + rest
    }
}
