extension ScalarRule<String> {
    static let longestText = 4096

    /// Text that is not empty and holds no control characters.
    static func text(_ allowed: String = "text", expandsEnvironment: Bool = false) -> ScalarRule {
        ScalarRule(shape: .text, allowed: allowed, expandsEnvironment: expandsEnvironment) { text in
            guard !text.isEmpty else { return .refused("is empty") }
            guard text.utf8.count <= longestText else { return .refused("is longer than \(longestText) bytes") }
            guard !CharacterSets.hasControlCharacter(text) else { return .refused("holds a control character") }
            return .value(text)
        }
    }

    /// Free text of any number of lines.
    static var prose: ScalarRule {
        ScalarRule(shape: .text, allowed: "text of at most \(longestText) bytes") { text in
            guard text.utf8.count <= longestText else { return .refused("is longer than \(longestText) bytes") }
            let lines = text.split(whereSeparator: \.isNewline)
            guard !lines.contains(where: { CharacterSets.hasControlCharacter(String($0)) }) else {
                return .refused("holds a control character")
            }
            return .value(text)
        }
    }

    /// A word that can name a folder of results.
    static var name: ScalarRule {
        text("letters, digits, '.', '_' and '-', at most 64, beginning with a letter or digit").refusing { text in
            CharacterSets.isFileName(text) ? nil : "cannot name a folder of results"
        }
    }

    /// A network code or custom asset key as it stands in a URL's path.
    static func pathWord(_ allowed: String, _ isAllowed: @escaping (UInt8) -> Bool) -> ScalarRule {
        text(allowed, expandsEnvironment: true).refusing { text in
            text.utf8.allSatisfy(isAllowed) ? nil : "holds a character that is not allowed"
        }
    }

    /// A key that is never printed.
    static var secret: ScalarRule {
        var rule = text("a key, or ${NAME} for the environment variable that holds it", expandsEnvironment: true)
        rule.isSecret = true
        return rule
    }

    /// An HTTP field value (RFC 9110 section 5.5), never printed: it may be a credential.
    static var headerValue: ScalarRule {
        let allowed = "printable text, or ${NAME} for the environment variable that holds it"
        return ScalarRule(shape: .text, allowed: allowed, isSecret: true, expandsEnvironment: true) { text in
            guard !CharacterSets.hasControlCharacter(text) else { return .refused("holds a control character") }
            guard text.utf8.count <= longestText else { return .refused("is longer than \(longestText) bytes") }
            return .value(text)
        }
    }

    /// An absolute http or https URL without user information or fragment.
    static var url: ScalarRule {
        let allowed = "an http or https URL with a host, such as https://live.example.com/channel/master.m3u8"
        return text(allowed, expandsEnvironment: true).refusing { WebAddress.refusal(of: $0, needsRoot: false) }
    }

    /// Scheme and host alone.
    static var serverURL: ScalarRule {
        let allowed = "http or https, host and perhaps port, such as https://dai.google.com"
        return text(allowed, expandsEnvironment: true).refusing { WebAddress.refusal(of: $0, needsRoot: true) }
    }
}

/// Alphabets of the formats that a profile's texts end up in.
enum CharacterSets {
    static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }

    static func isLetter(_ byte: UInt8) -> Bool { isAlphanumeric(byte) && !QuantityText.isDigit(byte) }

    static func isFileName(_ text: String) -> Bool {
        guard let first = text.utf8.first, isAlphanumeric(first), text.utf8.count <= 64 else { return false }
        return text.utf8.allSatisfy { isAlphanumeric($0) || [UInt8](".-_".utf8).contains($0) }
    }

    static func isEnvironmentName(_ text: String) -> Bool {
        guard let first = text.utf8.first, !QuantityText.isDigit(first) else { return false }
        return text.utf8.allSatisfy { isAlphanumeric($0) || $0 == UInt8(ascii: "_") }
    }

    /// RFC 9110 section 5.6.2.
    static func isToken(_ text: String) -> Bool {
        let marks = [UInt8]("!#$%&'*+-.^_`|~".utf8)
        return !text.isEmpty && text.utf8.allSatisfy { isAlphanumeric($0) || marks.contains($0) }
    }

    static func hasControlCharacter(_ text: String) -> Bool {
        text.utf8.contains { $0 < 0x20 || $0 == 0x7F }
    }
}
