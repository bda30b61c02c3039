import HLS

enum SecretShape {
    private static let names = ListedNames.words("secret names")
    /// Whole names that are too short to be substrings.
    private static let shortNames: Set<String> = ["SID", "SIG", "TOK", "KEY", "UID", "ACL", "HASH", "HDNEA", "HDNTS"]

    static func isSecretName(_ name: String) -> Bool {
        let capitals = name.uppercased()
        return shortNames.contains(capitals) || names.contains { capitals.contains($0) }
    }

    private static let holders: Set<String> = [
        "stream", "streams", "session", "sessions", "sessionid", "token", "tokens", "auth", "sid",
    ]

    static func isHolder(_ part: String) -> Bool { holders.contains(part.lowercased()) }

    static func isHarmless(_ value: ArraySlice<UInt8>) -> Bool {
        let text = Redaction.string(value)
        if ["YES", "NO", "NONE"].contains(text.uppercased()) { return true }
        let digits = value.count(where: \.isDigit)
        if value.count <= 12, digits <= 10, digits > 0 {
            return value.allSatisfy { $0.isDigit || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") }
        }
        return isDate(value)
    }

    private static func isDate(_ value: ArraySlice<UInt8>) -> Bool {
        let pattern = Array("dddd-dd-ddTdd:dd".utf8)
        guard (pattern.count...35).contains(value.count) else { return false }
        let isStart = zip(value, pattern).allSatisfy { $1 == UInt8(ascii: "d") ? $0.isDigit : $0 == $1 }
        return isStart && value.dropFirst(pattern.count).allSatisfy { $0.isDigit || "Z:.+-".utf8.contains($0) }
    }

    /// Whether a query value has only the characters of numbers, identifiers and base64.
    static func isSimple(_ value: ArraySlice<UInt8>) -> Bool {
        var kept = value
        while kept.last == UInt8(ascii: "=") { kept.removeLast() }
        return kept.allSatisfy { $0.isAlphanumeric || "-._~%+:/".utf8.contains($0) }
    }

    /// `hidesOpaque` is false for hosts, whose random words name machines and not viewers; UUIDs: RFC 9562 section 4.
    static func shown(pathSegment part: ArraySlice<UInt8>, hidesOpaque: Bool) -> String {
        if holdsUUID(part) || part.starts(with: "eyJ".utf8) { return Redaction.mark }
        let equals = UInt8(ascii: "=")
        if !part.contains(equals), part.contains(UInt8(ascii: "%")), PercentEncoding.decode(part).contains(equals) {
            return Redaction.mark
        }
        let text = hidesOpaque ? OpaqueWord.hidden : Redaction.string
        var shown = ""
        var rest = part
        while let equals = rest.firstIndex(of: UInt8(ascii: "=")) {
            let name = rest[..<equals].reversed().prefix { $0.isAlphanumeric || $0 == UInt8(ascii: "_") }.reversed()
            let value = rest[(equals + 1)...]
            let number = value.prefix(while: \.isDigit)
            let isEnded = value.dropFirst(number.count).first.map { "-_.,;~&".utf8.contains($0) } ?? true
            shown += text(rest[...equals])
            if value.allSatisfy({ $0 == UInt8(ascii: "=") }) { return shown + Redaction.string(value) }
            guard (1...10).contains(number.count), isEnded, !isSecretName(Redaction.string(Array(name)[...])) else {
                return shown + Redaction.mark
            }
            shown += Redaction.string(number)
            rest = value.dropFirst(number.count)
        }
        return shown + text(rest)
    }

    /// Whether a piece of a path is a JSON web token (RFC 7519 section 3) or a word such as `tok_8F5E2A500A3C4D8E`.
    ///
    /// Random words without such a form may name an ad.
    static func isToken(_ piece: some Collection<UInt8>) -> Bool {
        guard piece.starts(with: "eyJ".utf8) else { return isNamedToken(piece) }
        let parts = piece.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.count == 5 || parts.count == 3 && parts[1].starts(with: "eyJ".utf8)
    }

    private static let tokenNames: Set<String> = ["tok", "token", "jwt", "sig", "signature", "hmac"]
    private static let longestTokenName = 9
    private static let shortestToken = 16

    /// A single word of small letters behind the name is a name as well (`token_championshipfinal`).
    static func isNamedToken(_ word: some Collection<UInt8>) -> Bool {
        let name = word.prefix(longestTokenName).prefix(while: \.isLetter)
        let rest = word.dropFirst(name.count)
        guard let mark = rest.first, mark == UInt8(ascii: "_") || mark == UInt8(ascii: "-") else { return false }
        let value = rest.dropFirst()
        return value.count >= shortestToken && value.allSatisfy(\.isAlphanumeric)
            && value.contains { $0 != $0.lowercasedASCII || $0.isDigit }
            && tokenNames.contains(String(decoding: name.lazy.map(\.lowercasedASCII), as: UTF8.self))
    }

    static func holdsUUID(_ part: ArraySlice<UInt8>) -> Bool {
        let pattern = Array("xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx".utf8)
        guard part.count >= pattern.count else { return false }
        return (part.startIndex...(part.endIndex - pattern.count)).contains { start in
            zip(part[start...], pattern).allSatisfy { byte, wanted in
                wanted == UInt8(ascii: "-") ? byte == wanted : byte.hexDigitValue != nil
            }
        }
    }
}

/// Machine-made words of a path.
///
/// Podswarm's assumption, since no rule defines a token's form: a random name often alternates between letters, digits and
/// capitals.
enum OpaqueWord {
    private static let shortest = 16
    private static let longestNumber = 19

    /// Marks each opaque word and named token, with a short hash to distinguish two.
    static func hidden(in part: ArraySlice<UInt8>) -> String {
        guard part.count >= shortest else { return Redaction.string(part) }
        var shown = ""
        var rest = part
        while let first = rest.first {
            let isWord = first.isNameByte
            let run = rest.prefix { $0.isNameByte == isWord }
            let text = Redaction.string(run)
            shown +=
                isWord && (isOpaque(run) || SecretShape.isNamedToken(run))
                ? Redaction.hash(of: text) : text
            rest = rest.dropFirst(run.count)
        }
        return shown
    }

    private enum Kind { case digit, lower, upper, separator }

    private static func kind(of byte: UInt8) -> Kind {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): .digit
        case UInt8(ascii: "a")...UInt8(ascii: "z"): .lower
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): .upper
        default: .separator
        }
    }

    /// Whether a word of 16 letters and digits changes its kind of character in a quarter of its places.
    ///
    /// Also true for 16 hexadecimal digits in a row with three changes, and for a number of 20 digits.
    static func isOpaque(_ word: ArraySlice<UInt8>) -> Bool {
        var turns = 0
        var length = 0
        var (hexLength, hexTurns, digits) = (0, 0, 0)
        var last = Kind.separator
        for byte in word {
            let kind = kind(of: byte)
            let isTurn = isTurn(from: last, to: kind)
            length += kind == .separator ? 0 : 1
            turns += isTurn ? 1 : 0
            digits = kind == .digit ? digits + 1 : 0
            let isHex = kind != .separator && byte.hexDigitValue != nil
            (hexLength, hexTurns) = isHex ? (hexLength + 1, hexTurns + (isTurn ? 1 : 0)) : (0, 0)
            if digits > longestNumber || hexLength >= shortest && hexTurns >= 3 { return true }
            last = kind
        }
        return length >= shortest && turns * 4 >= length
    }

    private static func isTurn(from last: Kind, to kind: Kind) -> Bool {
        switch (last, kind) {
        case (.separator, _), (_, .separator), (.upper, .lower): false
        default: last != kind
        }
    }
}

/// Names whose values may be shown.
enum HarmlessNames {
    static let attributes = Set(
        Interstitial.Attribute.allCases.filter { $0 != .creativeSignaling }.map(\.rawValue)
    ).union(ListedNames.words("harmless attributes"))

    static let tags = Set(PlaylistTag.fullNames + CueTag.tagNames + ["EXT-X-ALLOW-CACHE"])
}
