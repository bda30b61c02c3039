import Values

extension Redaction {
    /// Redacts lines of a playlist in linear time; a reference from its question mark to the end of the line is one piece.
    package static func text(_ text: String, own: StreamID?) -> String {
        let known = KnownSecrets.ofThisProcess.hidden(in: text, own: own)
        let lines = Array(known.utf8).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let shown = lines.map { line in
            var scanner = LineRedactor(own: own, rest: line)
            return scanner.redacted()
        }
        .joined(separator: "\n")
        return holdsOwn(shown, own) ? mark : shown
    }

    /// A short hash marks a hidden value, so that two can still be distinguished.
    package static func attributes(_ attributes: [String: String], own: StreamID?) -> [String: String] {
        let secrets = KnownSecrets.ofThisProcess
        return attributes.reduce(into: [:]) { result, attribute in
            let value = secrets.hidden(in: attribute.value, own: own)
            let shown = LineRedactor.value(Array(value.utf8)[...], of: attribute.key, own: own)
            result[secrets.hidden(in: attribute.key)] = shown == mark ? hash(of: attribute.value) : shown
        }
    }

    private static let shownPieces = 4
    private static let shownCharacters = 80

    /// Redacted end of a URL's path: one text for all viewers of a resource.
    package static func name(of url: String, own: StreamID?) -> String {
        let path = self.url(url, own: own).prefix { $0 != "?" }
        let pieces = path.split(separator: "/").dropFirst(path.contains("://") ? 2 : 0)
        let end = pieces.suffix(shownPieces).joined(separator: "/")
        // Even redacted ids differ from viewer to viewer.
        let shown = own.map { end.replacing($0.redacted, with: mark) } ?? end
        return String(shown.suffix(shownCharacters))
    }
}

private struct LineRedactor {
    let own: StreamID?
    var rest: ArraySlice<UInt8>
    var shown = ""
    /// After the name of an unknown tag: then only values that cannot be secrets are shown.
    var isForeign = false

    mutating func redacted() -> String {
        while let byte = rest.first {
            if Self.isSeparator(byte) {
                take(1)
            } else if byte == UInt8(ascii: "#") {
                takeTagName()
            } else if byte == UInt8(ascii: "\"") {
                takeQuoted { Self.plain($0, own: $1) }
            } else if let name = attributeName() {
                takeAttribute(name)
            } else {
                takeWord()
            }
        }
        return shown
    }

    private static func isSeparator(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ",") || byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == 0x0D
    }

    private mutating func take(_ count: Int) {
        shown += Redaction.string(rest.prefix(count))
        rest = rest.dropFirst(count)
    }

    private mutating func takeTagName() {
        take(1)
        let name = rest.prefix(while: \.isNameByte)
        guard rest.dropFirst(name.count).first == UInt8(ascii: ":") else { return }
        take(name.count + 1)
        let tag = Redaction.string(name)
        guard !HarmlessNames.tags.contains(tag) else { return }
        isForeign = tag.hasPrefix("EXT")
        if SecretShape.isSecretName(tag), !rest.isEmpty { hideRest() }
    }

    private func attributeName() -> ArraySlice<UInt8>? {
        let name = rest.prefix(while: \.isNameByte)
        return !name.isEmpty && rest.dropFirst(name.count).first == UInt8(ascii: "=") ? name : nil
    }

    private mutating func takeAttribute(_ name: ArraySlice<UInt8>) {
        take(name.count + 1)
        let name = Redaction.string(name)
        if rest.first == UInt8(ascii: "\"") {
            takeQuoted { Self.value($0, of: name, own: $1) }
            return
        }
        let value = rest.prefix { !Self.isSeparator($0) && $0 != UInt8(ascii: "\"") }
        guard !isOpenEnded(value) else {
            shown += Self.value(rest, of: name, own: own)
            rest = []
            return
        }
        let text = Self.value(value, of: name, own: own)
        shown += text
        rest = rest.dropFirst(value.count)
        if text == Redaction.mark { dropToNextAttribute() }
    }

    /// The dropped text may belong to a hidden value without quotation marks.
    private mutating func dropToNextAttribute() {
        while let byte = rest.first {
            if byte == UInt8(ascii: ",") {
                let ahead = rest.dropFirst()
                let name = ahead.prefix(while: \.isNameByte)
                if !name.isEmpty, ahead.dropFirst(name.count).first == UInt8(ascii: "=") { return }
                rest = ahead.dropFirst(name.count)
            } else {
                rest = rest.dropFirst()
            }
        }
    }

    /// The quotation mark is missing at the end of a truncated line.
    private mutating func takeQuoted(_ redact: (ArraySlice<UInt8>, StreamID?) -> String) {
        take(1)
        let value = rest.prefix { $0 != UInt8(ascii: "\"") }
        let isKept = isForeign && !SecretShape.isHarmless(value)
        shown += isKept && !Self.isAbsolute(value) && !value.isEmpty ? Redaction.mark : redact(value, own)
        rest = rest.dropFirst(value.count)
        if !rest.isEmpty { take(1) }
    }

    private mutating func takeWord() {
        let word = rest.prefix { !Self.isSeparator($0) && $0 != UInt8(ascii: "\"") }
        if isOpenEnded(word) {
            shown += Redaction.reference(rest, own: own)
            rest = []
        } else if isForeign, !SecretShape.isHarmless(word), !Self.isAbsolute(word) {
            hideRest()
        } else {
            shown += Self.plain(word, own: own)
            rest = rest.dropFirst(word.count)
        }
    }

    private mutating func hideRest() {
        shown += Redaction.mark
        rest = []
    }

    /// Queries contain commas, spaces and quotation marks.
    private func isOpenEnded(_ word: ArraySlice<UInt8>) -> Bool {
        word.contains(UInt8(ascii: "?")) || Redaction.isData(word) && rest.count > word.count
    }

    private static func isAbsolute(_ value: ArraySlice<UInt8>) -> Bool {
        let scheme = value.prefix { $0.isAlphanumeric || "+-.".utf8.contains($0) }
        return !scheme.isEmpty && value.dropFirst(scheme.count).starts(with: "://".utf8)
    }

    private static func plain(_ value: ArraySlice<UInt8>, own: StreamID?) -> String {
        if let shown = Redaction.ownID(in: value, own), !value.contains(where: { "/?".utf8.contains($0) }) {
            return shown
        }
        let isReference = Redaction.isData(value) || value.contains { "/?=#".utf8.contains($0) }
        return isReference ? Redaction.reference(value, own: own) : Redaction.string(value)
    }

    static func value(_ value: ArraySlice<UInt8>, of name: String, own: StreamID?) -> String {
        guard !value.isEmpty else { return "" }
        let capitals = name.uppercased()
        if HarmlessNames.attributes.contains(capitals) { return plain(value, own: own) }
        guard capitals != "VALUE", !SecretShape.isSecretName(capitals) else {
            return Redaction.ownID(in: value, own) ?? Redaction.mark
        }
        if isAbsolute(value) { return Redaction.reference(value, own: own) }
        return SecretShape.isHarmless(value)
            ? Redaction.string(value) : Redaction.ownID(in: value, own) ?? Redaction.mark
    }
}
