import HLS
import Synchronization

/// Values from the environment and a profile's keys: secret in any letter case and in up to three layers of percent encoding.
package struct KnownSecrets: Sendable {
    /// Bytes; shorter values occur in every text by chance.
    package static let shortest = 6
    /// Bytes; shorter words are common words.
    package static let shortestWord = 8

    package static var ofThisProcess: KnownSecrets {
        get { shared.withLock { $0 } }
        set { shared.withLock { $0 = newValue } }
    }

    private static let shared = Mutex(KnownSecrets([]))

    /// Lower case, longest first: shorter ones may be parts of longer ones.
    private let values: [[UInt8]]

    /// Adds each text and its longer words, but not the host of a URL.
    package init(_ texts: some Sequence<String>) {
        let whole = texts.filter { !$0.contains("://") && $0.utf8.count >= Self.shortest }
        let words = texts.flatMap(Self.words).filter { $0.utf8.count >= Self.shortestWord }
        self.init(values: Set(whole + words))
    }

    private init(values texts: Set<String>) {
        // A text with percent signs is encoded differently from the rest.
        let encoded = texts.filter { $0.contains("%") }.map(PercentEncoding.encode)
        values = Set(texts.union(encoded).map { $0.utf8.map(\.lowercasedASCII) }).sorted { $0.count > $1.count }
    }

    package func union(_ other: KnownSecrets) -> KnownSecrets {
        KnownSecrets(values: Set((values + other.values).map { String(decoding: $0, as: UTF8.self) }))
    }

    /// Credentials of a URL, and values of its parameters with names of secrets.
    package static func inAddress(_ url: String) -> [String] {
        guard let scheme = url.firstRange(of: "://") else { return [] }
        let rest = url[scheme.upperBound...].prefix { $0 != "#" }
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        let user = authority.lastIndex(of: "@").map { authority[..<$0].split(separator: ":").map(String.init) }
        return URLQuery(of: url).values.filter { SecretShape.isSecretName($0.name) }.map(\.value) + (user ?? [])
    }

    private static func words(of text: String) -> [String] {
        text.split { $0 == " " || $0 == "&" || $0 == ";" }.flatMap { word -> [String] in
            guard let scheme = word.firstRange(of: "://") else {
                // The value of `name=value` may return under another name.
                let value = word.firstIndex(of: "=").map { String(word[word.index(after: $0)...]) }
                return [String(word)] + (value.map { [$0] } ?? [])
            }
            let path = word[scheme.upperBound...].drop { $0 != "/" && $0 != "?" }
            return path.split { "/?=".contains($0) }.map(String.init) + inAddress(String(word))
        }
    }

    /// Replaces every secret by a mark.
    ///
    /// Linear in the text's length unless secrets repeat themselves; `own` with a secret in it shows its redacted form.
    package func hidden(in text: String, own: StreamID? = nil) -> String {
        guard !values.isEmpty else { return text }
        let bytes = Array(text.utf8)
        let ownID = own.map { ($0, $0.rawValue.utf8.map(\.lowercasedASCII)) }.flatMap { own in
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

    /// Accepts any spelling and a truncated rest of a value.
    private static func end(of value: [UInt8], in bytes: [UInt8], at start: Int) -> Int? {
        var index = start
        for (place, wanted) in value.enumerated() {
            if place >= shortest, index == bytes.count || bytes[index...].starts(with: Redaction.mark.utf8) {
                return index
            }
            guard index < bytes.count, let next = next(after: index, in: bytes, if: wanted) else { return nil }
            index = next
        }
        return index
    }

    private static let deepestEncoding = 3

    private static func next(after index: Int, in bytes: [UInt8], if wanted: UInt8) -> Int? {
        let byte = bytes[index]
        if byte.lowercasedASCII == wanted { return index + 1 }
        if byte == UInt8(ascii: "+"), wanted == UInt8(ascii: " ") { return index + 1 }
        guard byte == UInt8(ascii: "%") else { return nil }
        var digits = index + 1
        for _ in 0..<deepestEncoding {
            guard digits + 1 < bytes.count else { return nil }
            let pair = String(decoding: bytes[digits...(digits + 1)], as: UTF8.self)
            if let value = UInt8(pair, radix: 16), value.lowercasedASCII == wanted { return digits + 2 }
            guard pair == "25" else { return nil }
            digits += 2
        }
        return nil
    }
}

/// An id in any spelling: plain, or percent-encoded in any number of layers.
struct OwnID {
    private let bytes: [UInt8]
    private let canBeginEncoded: Bool

    init(_ id: String) {
        bytes = Array(id.utf8)
        canBeginEncoded = bytes.first.map { !$0.isUnreserved } ?? false
    }

    func masked(in text: String) -> String {
        var text = text
        var masked: [UInt8] = []
        text.withUTF8 { utf8 in
            runs(around: UnsafeRawBufferPointer(utf8)) { run in
                guard run.count < utf8.count else { return }
                masked += run
                masked.append(UInt8(ascii: "*"))
            }
        }
        return masked.isEmpty ? text : String(decoding: masked.dropLast(), as: UTF8.self)
    }

    /// Calls `take` with the bytes before, between and after the places of the id.
    func runs(around body: UnsafeRawBufferPointer, _ take: (UnsafeRawBufferPointer) -> Void) {
        var (runStart, index) = (0, 0)
        while index < body.count {
            guard canBegin(body[index]), let end = end(in: body, from: index) else {
                index += 1
                continue
            }
            take(UnsafeRawBufferPointer(rebasing: body[runStart..<index]))
            (runStart, index) = (end, end)
        }
        take(UnsafeRawBufferPointer(rebasing: body[runStart..<body.count]))
    }

    /// Also where a byte is encoded that needs no encoding.
    func occurs(in body: UnsafeRawBufferPointer) -> Bool { body.indices.contains { end(in: body, from: $0) != nil } }

    /// Encoders leave unreserved bytes as they are; a search in a whole body begins at few places.
    private func canBegin(_ byte: UInt8) -> Bool { byte == bytes.first || canBeginEncoded && byte == UInt8(ascii: "%") }

    private func end(in body: UnsafeRawBufferPointer, from start: Int) -> Int? {
        var index = start
        for expected in bytes {
            guard index < body.count else { return nil }
            if body[index] == expected {
                index += 1
            } else if let (byte, end) = PercentEncoding.escape(in: body, at: index, before: body.count),
                byte == expected
            {
                index = end
            } else {
                return nil
            }
        }
        return index
    }
}
