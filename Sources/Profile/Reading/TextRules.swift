import AdServing
import Values

extension ScalarRule<String> {
    /// Network code or custom asset key in a URL's path.
    static func pathWord(_ allowed: String, _ isAllowed: @escaping (UInt8) -> Bool) -> ScalarRule {
        text(allowed).refusing { text in
            text.utf8.allSatisfy(isAllowed) ? nil : "holds a character that is not allowed"
        }
    }

    /// RFC 9110 section 5.5; never printed, because it may be a credential.
    static var headerValue: ScalarRule {
        let allowed = "printable text, or ${NAME} for the environment variable that holds it"
        var rule = text(allowed: allowed, schema: .type("string")) { text in
            guard !CharacterSets.hasControlCharacter(text) else { return .refused("holds a control character") }
            guard text.utf8.count <= longestText else { return .refused("is longer than \(longestText) bytes") }
            return .value(text)
        }
        (rule.isSecret, rule.hidesEnvironment) = (true, true)
        return rule
    }

    /// Without user information or fragment.
    static var url: ScalarRule {
        let allowed = "an http or https URL with a host, such as https://live.example.com/channel/master.m3u8"
        return text(allowed).refusing { WebAddress.refusal(of: $0, needsRoot: false) }
    }

    /// Scheme and host, without the final slash.
    static var serverURL: ScalarRule {
        let allowed = "http or https, host and perhaps port, such as https://dai.google.com"
        var rule = text(allowed).refusing { WebAddress.refusal(of: $0, needsRoot: true) }
        rule.read = { [read = rule.read] text in
            guard case .value(let url) = read(text) else { return read(text) }
            return .value(url.hasSuffix("/") ? String(url.dropLast()) : url)
        }
        return rule
    }

    /// Names in `own` are built in; nil `traits` allows every name.
    func withPlaceholders(_ own: [String], _ traits: [String]?, isURL: Bool = false) -> ScalarRule {
        var narrowed = self
        let names = (own + (traits ?? [])).map { "{\($0)}" }.joined(separator: ", ")
        narrowed.allowed += isURL ? ", with any of \(names) or none" : ", with \(names) in it or not"
        narrowed.read = { [read, isSecret] text in
            guard case .value(let value) = read(text) else { return read(text) }
            guard let refusal = Placeholders.refusal(of: value, isURL: isURL, allowed: own, traits: traits) else {
                return .value(value)
            }
            // A secret's braces may contain a part of it, so the message does not quote them.
            let reason = isSecret ? "has a placeholder that has no value here" : refusal.reason
            return .refused(reason, suggestion: refusal.suggestion)
        }
        return narrowed
    }

    /// Placeholders only in path or query.
    static func urlTemplate(_ own: [String], _ traits: [String]?) -> ScalarRule {
        let allowed = "an http or https URL with a host, such as https://live.example.com/channel/master.m3u8"
        return text(allowed)
            .withPlaceholders(own, traits, isURL: true)
            .refusing { WebAddress.refusal(of: Placeholders.filled($0), needsRoot: false) }
    }
}

extension Placeholders {
    /// In a URL, braces are always placeholders; elsewhere, braces around anything but a name are literal, as in JSON.
    ///
    /// Names in `own` are built in; nil `traits` allows every name.
    static func refusal(of text: String, isURL: Bool = false, allowed own: [String], traits: [String]?)
        -> (reason: String, suggestion: String?)?
    {
        for match in text.matches(of: /\{(?<name>[^{}]*)\}|[{}]/) {
            guard let inner = match.name, isURL || isName(inner) else {
                guard !isURL else { return ("has a brace that is not closed, or not opened", nil) }
                continue
            }
            let name = String(inner)
            guard own.contains(name) || traits?.contains(name) ?? true else {
                let nearest = NearestName.slip(name, among: own + (traits ?? [])).map { "{\($0)}" }
                return ("has a placeholder {\(ShownValue.of(name))} that has no value here", nearest)
            }
        }
        let authority = text.drop { $0 != "/" }.dropFirst(2).prefix { $0 != "/" && $0 != "?" }
        let isHost = isURL && text.contains("://") && authority.contains("{")
        return isHost ? ("has a placeholder in its host", nil) : nil
    }

    static func isName(_ text: Substring) -> Bool {
        guard let first = text.utf8.first, first.isLetter, text.utf8.count <= 32 else { return false }
        return text.utf8.allSatisfy { $0.isAlphanumeric || $0 == UInt8(ascii: "_") }
    }

    static func isWhole(_ text: String) -> Bool {
        text.hasPrefix("{") && text.hasSuffix("}") && isName(text.dropFirst().dropLast())
    }

    /// Any value replaces each of them.
    static func filled(_ text: String) -> String { filled(text) { _, _ in "x" } }
}
