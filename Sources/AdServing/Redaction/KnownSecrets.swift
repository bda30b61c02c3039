import Synchronization

/// Values that are secret whatever they stand in: what a profile takes from the environment, and its keys.
///
/// Found in any letter case and in up to three layers of percent encoding.
package struct KnownSecrets: Sendable {
    /// Shorter values are not looked for: they stand in every text by chance.
    package static let shortest = 6
    /// Of the words of a value only these are looked for alone: shorter ones are words of anybody's.
    package static let shortestWord = 8

    /// Those of this process, which `Redaction` takes out of every text that it is given.
    package static var ofThisProcess: KnownSecrets {
        get { shared.withLock { $0 } }
        set { shared.withLock { $0 = newValue } }
    }

    private static let shared = Mutex(KnownSecrets([]))

    /// In lower case, the longest first: the shorter ones may be parts of them.
    private let values: [[UInt8]]

    /// Takes each text and its longer words; of a URL the pieces of its path and its query, but not its host.
    package init(_ texts: some Sequence<String>) {
        let whole = texts.filter { !$0.contains("://") && $0.utf8.count >= Self.shortest }
        let words = texts.flatMap(Self.words).filter { $0.utf8.count >= Self.shortestWord }
        self.init(values: Set(whole + words))
    }

    private init(values texts: Set<String>) {
        // Text that holds percent signs of its own is encoded in another way than the rest.
        let encoded = texts.filter { $0.contains("%") }.map(PercentEncoding.encode)
        values = Set(texts.union(encoded).map { $0.utf8.map(Self.lowercased) }).sorted { $0.count > $1.count }
    }

    /// The secrets of both.
    package func union(_ other: KnownSecrets) -> KnownSecrets {
        KnownSecrets(values: Set((values + other.values).map { String(decoding: $0, as: UTF8.self) }))
    }

    /// What is secret in a URL that somebody typed: its credentials, and values of parameters that are named like some.
    package static func inAddress(_ url: String) -> [String] {
        guard let scheme = url.firstRange(of: "://") else { return [] }
        let rest = url[scheme.upperBound...].prefix { $0 != "#" }
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        let user = authority.lastIndex(of: "@").map { authority[..<$0].split(separator: ":").map(String.init) }
        let query = rest.firstIndex(of: "?").map { rest[rest.index(after: $0)...].split(separator: "&") } ?? []
        let hidden = query.compactMap { pair -> String? in
            guard let equals = pair.firstIndex(of: "="), SecretShape.isSecretName(String(pair[..<equals])) else {
                return nil
            }
            return PercentEncoding.decode(pair[pair.index(after: equals)...])
        }
        return hidden + (user ?? [])
    }

    private static func words(of text: String) -> [String] {
        text.split { $0 == " " || $0 == "&" || $0 == ";" }.flatMap { word -> [String] in
            guard let scheme = word.firstRange(of: "://") else {
                // Of `name=value` the value may come back under another name.
                let value = word.firstIndex(of: "=").map { String(word[word.index(after: $0)...]) }
                return [String(word)] + (value.map { [$0] } ?? [])
            }
            let path = word[scheme.upperBound...].drop { $0 != "/" && $0 != "?" }
            return path.split { "/?=".contains($0) }.map(String.init) + inAddress(String(word))
        }
    }

    /// The text with a mark in place of every secret.
    ///
    /// - Parameters:
    ///   - text: Any text; the time is linear in it where secrets do not repeat themselves.
    ///   - own: The viewer's session, which may hold a secret: named by its redacted form then.
    /// - Returns: The same text where it holds none.
    package func hidden(in text: String, own: StreamID? = nil) -> String {
        guard !values.isEmpty else { return text }
        let bytes = Array(text.utf8)
        let ownID = own.map { ($0, $0.rawValue.utf8.map(Self.lowercased)) }.flatMap { own in
            values.contains { Self.holds($0, own.1) } ? own : nil
        }
        var shown: [UInt8] = []
        var index = 0
        var isChanged = false
        while index < bytes.count {
            if let (own, value) = ownID, let end = Self.end(of: value, in: bytes, at: index) {
                shown += own.redacted.utf8
                (index, isChanged) = (end, true)
            } else if let end = values.lazy.compactMap({ Self.end(of: $0, in: bytes, at: index) }).first {
                shown += Redaction.mark.utf8
                (index, isChanged) = (end, true)
            } else {
                shown.append(bytes[index])
                index += 1
            }
        }
        return isChanged ? String(decoding: shown, as: UTF8.self) : text
    }

    private static func holds(_ value: [UInt8], _ text: [UInt8]) -> Bool {
        text.indices.contains { end(of: value, in: text, at: $0) != nil }
    }

    /// Where a value ends that begins at a place of a text, in whatever spelling; nil where another one stands there.
    ///
    /// Of a text that was cut short, what is left of the value counts as well.
    private static func end(of value: [UInt8], in bytes: [UInt8], at start: Int) -> Int? {
        var index = start
        for (place, wanted) in value.enumerated() {
            if place >= shortest, isCut(bytes, at: index) { return index }
            guard index < bytes.count, let next = next(after: index, in: bytes, if: wanted) else { return nil }
            index = next
        }
        return index
    }

    private static func isCut(_ bytes: [UInt8], at index: Int) -> Bool {
        index == bytes.count || bytes[index...].starts(with: Redaction.mark.utf8)
    }

    private static let deepestEncoding = 3

    private static func next(after index: Int, in bytes: [UInt8], if wanted: UInt8) -> Int? {
        let byte = bytes[index]
        if lowercased(byte) == wanted { return index + 1 }
        if byte == UInt8(ascii: "+"), wanted == UInt8(ascii: " ") { return index + 1 }
        guard byte == UInt8(ascii: "%") else { return nil }
        var digits = index + 1
        for _ in 0..<deepestEncoding {
            guard digits + 1 < bytes.count else { return nil }
            let pair = String(decoding: bytes[digits...(digits + 1)], as: UTF8.self)
            if let value = UInt8(pair, radix: 16), lowercased(value) == wanted { return digits + 2 }
            // The percent sign is encoded itself.
            guard pair == "25" else { return nil }
            digits += 2
        }
        return nil
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}
