import Values

/// Parts of a text with the length of a session id, as in `12-<id>.ts`, `acl=/<id>*` and `url%3D<id>%26`.
struct SessionWords {
    /// Limit for texts of nothing but separators.
    private static let mostFound = 1 << 14

    private let text: UnsafeRawBufferPointer
    private let lengths: [Int]
    private let shortest: Int
    private(set) var found: [UnsafeRawBufferPointer] = []

    /// Lengths in all spellings, in bytes.
    init(_ text: UnsafeRawBufferPointer, lengths: [Int]) {
        (self.text, self.lengths) = (text, lengths)
        shortest = max(1, lengths.min() ?? 1)
        findAll()
    }

    private mutating func findAll() {
        var index = 0
        while index + shortest <= text.count, found.count < Self.mostFound {
            // No id contains a mark, so most bytes are skipped.
            if let mark = lastMark(from: index, to: index + shortest) {
                index = mark + 1
                continue
            }
            var end = index + shortest
            while end < text.count, !Self.isMark[Int(text[end])] { end += 1 }
            findWords(in: index..<end)
            index = end + 1
        }
    }

    private mutating func findWords(in range: Range<Int>) {
        for start in range.lowerBound...(range.upperBound - shortest)
        where start == range.lowerBound || isSetOff(at: start, in: range) {
            for length in lengths {
                let end = start + length
                guard end == range.upperBound || end < range.upperBound && isSetOffAfter(end, in: range) else {
                    continue
                }
                found.append(UnsafeRawBufferPointer(rebasing: text[start..<end]))
                guard found.count < Self.mostFound else { return }
            }
        }
    }

    private func isSetOff(at start: Int, in range: Range<Int>) -> Bool {
        if Self.isSeparator[Int(text[start - 1])] { return true }
        return [3, 5].contains { encodedMark(at: start - $0, in: range) == $0 }
    }

    private func isSetOffAfter(_ end: Int, in range: Range<Int>) -> Bool {
        Self.isSeparator[Int(text[end])] || encodedMark(at: end, in: range) != nil
    }

    private func encodedMark(at place: Int, in range: Range<Int>) -> Int? {
        guard place >= range.lowerBound,
            let (byte, end) = PercentEncoding.escape(in: text, at: place, before: range.upperBound), Self.marks(byte)
        else { return nil }
        return end - place
    }

    private func lastMark(from start: Int, to end: Int) -> Int? {
        var place = end - 1
        while place >= start {
            if Self.isMark[Int(text[place])] { return place }
            place -= 1
        }
        return nil
    }

    /// Whether a byte ends a value wherever it stands.
    static func marks(_ byte: UInt8) -> Bool { isMark[Int(byte)] }

    private static let isMark: [Bool] = (0..<256).map { byte in
        byte <= 0x20 || "/=&?\"'#;,<>()[]{}|\\".utf8.contains(UInt8(byte))
    }

    private static let isSeparator: [Bool] = (0..<256).map { byte in "-_.~*!:@+$".utf8.contains(UInt8(byte)) }
}

/// Words in a text that may be sessions of another process.
package struct StrangeWords: Equatable, Sendable {
    package static let none = StrangeWords([])

    static let most = 256

    /// Ascending.
    package private(set) var digests: [UInt64]
    /// Above this digest, the list is incomplete.
    package private(set) var reach = UInt64.max

    init(_ digests: some Sequence<UInt64>) {
        self.digests = Set(digests).sorted()
        keepMost()
    }

    package mutating func formUnion(_ other: StrangeWords) {
        guard other != .none else { return }
        reach = min(reach, other.reach)
        digests = Set(digests).union(other.digests).filter { $0 <= reach }.sorted()
        keepMost()
    }

    private mutating func keepMost() {
        guard digests.count > Self.most else { return }
        digests.removeLast(digests.count - Self.most)
        reach = digests.last ?? reach
    }
}

/// Session ids in answers of targets that make sessions without a registration.
package enum StatedSession {
    /// Values of `aws.sessionId` in the addresses of MediaTailor's implicit sessions
    /// (docs.aws.amazon.com/mediatailor/latest/ug, manifest-query-parameters-session-initialization.html).
    package static func ids(in text: UnsafeRawBufferPointer) -> [String] {
        let parameter = WireName.MediaTailor.sessionIDParameter + "="
        // Most playlists contain none.
        guard let first = text.place(of: Array(parameter.utf8)) else { return [] }
        var ids: [String] = []
        var rest = Substring(String(decoding: text[first...], as: UTF8.self))
        while ids.count < mostIDs, let found = rest.firstRange(of: parameter) {
            rest = rest[found.upperBound...]
            let value = rest.prefix { $0.isASCII && !$0.utf8.contains(where: SessionWords.marks) }
            rest = rest[value.endIndex...]
            let id = PercentEncoding.decode(String(value))
            if !id.isEmpty, !ids.contains(id) { ids.append(id) }
        }
        return ids
    }

    /// Value of a session's cookie from a `Set-Cookie` field (RFC 6265 section 4.1.1).
    ///
    /// Without `names`, `session` in a cookie's name marks it: podswarm's assumption.
    package static func id(inCookie field: UnsafeRawBufferPointer, named names: [String]? = nil) -> String? {
        let pair = field.prefix { $0 != UInt8(ascii: ";") }
        guard let sign = pair.firstIndex(of: UInt8(ascii: "=")) else { return nil }
        let name = String(decoding: pair[..<sign], as: UTF8.self).lowercased()
        let isSession = names.map { $0.contains { $0.lowercased() == name } } ?? name.contains("session")
        let value = String(decoding: pair[pair.index(after: sign)...], as: UTF8.self)
        return isSession && !value.isEmpty ? PercentEncoding.decode(value) : nil
    }

    private static let mostIDs = 4
}
