import Values

extension ScalarRule<String> {
    /// A network code or custom asset key as it stands in a URL's path.
    static func pathWord(_ allowed: String, _ isAllowed: @escaping (UInt8) -> Bool) -> ScalarRule {
        text(allowed, expandsEnvironment: true).refusing { text in
            text.utf8.allSatisfy(isAllowed) ? nil : "holds a character that is not allowed"
        }
    }

    /// An HTTP field value (RFC 9110 section 5.5), never printed: it may be a credential.
    static var headerValue: ScalarRule {
        let allowed = "printable text, or ${NAME} for the environment variable that holds it"
        var rule = text(allowed: allowed, schema: .type("string")) { text in
            guard !CharacterSets.hasControlCharacter(text) else { return .refused("holds a control character") }
            guard text.utf8.count <= longestText else { return .refused("is longer than \(longestText) bytes") }
            return .value(text)
        }
        (rule.isSecret, rule.expandsEnvironment) = (true, true)
        return rule
    }

    /// An absolute http or https URL without user information or fragment.
    static var url: ScalarRule {
        let allowed = "an http or https URL with a host, such as https://live.example.com/channel/master.m3u8"
        return text(allowed, expandsEnvironment: true).refusing { WebAddress.refusal(of: $0, needsRoot: false) }
    }

    /// Scheme and host alone, without the slash at its end.
    static var serverURL: ScalarRule {
        let allowed = "http or https, host and perhaps port, such as https://dai.google.com"
        var rule = text(allowed, expandsEnvironment: true).refusing { WebAddress.refusal(of: $0, needsRoot: true) }
        rule.read = { [read = rule.read] text in
            guard case .value(let url) = read(text) else { return read(text) }
            return .value(url.hasSuffix("/") ? String(url.dropLast()) : url)
        }
        return rule
    }
}
