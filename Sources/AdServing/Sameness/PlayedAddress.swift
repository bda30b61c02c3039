import Values

/// Path and query of an address without the parts of a session, a signature or a moment; the host may be another edge's.
package struct PlayedAddress: Sendable {
    private let parameters: Set<String>
    private let kept: Set<String>
    private let paths: [PathPattern]

    /// `kept` are parameters, in lower case, that count even with a known name.
    package init(ignoring patterns: [AddressPattern] = [], keeping kept: Set<String> = []) {
        parameters = Set(patterns.compactMap { if case .parameter(let name) = $0 { name } else { nil } })
        paths = patterns.compactMap { if case .path(let pattern) = $0 { pattern } else { nil } }
        self.kept = kept
    }

    /// Masks the viewer's own parts of an address, in a path with `*`; `own` are ids of the viewer, not encoded.
    ///
    /// The text may contain unknown secrets: hash it, never show it.
    package func text(of address: String, own: [String]) -> String {
        // Works on bytes: every address of every ad is processed here.
        let whole = address.utf8.prefix { $0 != UInt8(ascii: "#") }
        let question = whole.firstIndex(of: UInt8(ascii: "?")) ?? whole.endIndex
        var text = ""
        text.reserveCapacity(whole.count)
        for (index, piece) in pieces(of: Substring(whole[..<question].withoutAuthority), own: own).enumerated() {
            if index > 0 { text += "/" }
            text += piece
        }
        let query = Substring(whole[question...].dropFirst())
        for pair in query.pieces(between: "&")
        where !pair.isEmpty
            && (isKept(OwnParameters.name(of: pair)) || !OwnParameters.contain(pair, of: query, or: parameters))
        {
            text += "&"
            text += pair
        }
        for id in own where !id.isEmpty { text = OwnID(id).masked(in: text) }
        return text
    }

    /// Parts of a playlist's address with the shape of a session id.
    package static func sessionIDs(in url: String) -> [String] {
        let question = url.firstIndex { $0 == "?" || $0 == "#" } ?? url.endIndex
        let query = url[question...].dropFirst()
        let values = query.split { "?&#".contains($0) }.compactMap { pair -> Substring? in
            guard let equals = pair.firstIndex(of: "="), OwnParameters.contain(pair, of: query) else { return nil }
            return pair[pair.index(after: equals)...]
        }
        let pieces = url[..<question].split(separator: "/").dropFirst(url.contains("://") ? 2 : 0)
        return (values + pieces).map { PercentEncoding.decode($0) }.filter(\.hasShapeOfID)
    }

    /// Equal on every machine.
    package func hash(of address: String, own: [String]) -> UInt64 {
        var hash = RunHash()
        add(address, own: own, to: &hash)
        return hash.value
    }

    package func add(_ address: String, own: [String], to hash: inout RunHash) { hash.add(text(of: address, own: own)) }

    /// Names of the parameters in which two addresses of one content differ; nil if they are equal or name other content.
    package func ownNames(changedFrom known: String, to next: String) -> [String]? {
        guard known != next, known.authority == next.authority else { return nil }
        guard text(of: known, own: []) == text(of: next, own: []) else {
            let (left, right) = (Self.withoutTokens(known), Self.withoutTokens(next))
            return text(of: left, own: []) == text(of: right, own: []) ? [Self.tokenFolder] : nil
        }
        let pairs = [known, next].map { address in
            Substring(address.utf8.drop { $0 != UInt8(ascii: "?") }.dropFirst()).pieces(between: "&")
        }
        let shared = Set(pairs[0]).intersection(pairs[1])
        var names: [String] = []
        for pair in pairs.joined() where !pair.isEmpty && !shared.contains(pair) {
            let name = String(OwnParameters.name(of: pair))
            if names.count < Self.mostNames, !names.contains(name) { names.append(name) }
        }
        return names.isEmpty ? ["its path"] : names
    }

    private static let mostNames = 8

    package static let tokenFolder = "what may be a token in its path"

    /// Masks each folder that is a token or a session by its form, although it may name the content; keeps random folders.
    package static func withoutTokens(_ address: String) -> String {
        let start = address.authority
        let path = Substring(
            address.utf8[start.endIndex...].prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        )
        var pieces = path.pieces(between: "/")
        for index in pieces.indices.dropLast() {
            let isAnnounced = index > 0 && !pieces[index].isEmpty && Redaction.announcesSecret(pieces[index - 1])
            if isAnnounced || SecretShape.isToken(pieces[index].utf8) { pieces[index] = "*" }
        }
        return "\(start)\(pieces.joined(separator: "/"))\(address[path.endIndex...])"
    }

    /// Masks pieces of a path that are a signature for certain; drops query and fragment.
    package static func unsigned(_ address: Substring) -> String {
        let place = Substring(address.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") })
        return PlayedAddress().pieces(of: place, own: []).joined(separator: "/")
    }

    private func isKept(_ name: Substring) -> Bool { !kept.isEmpty && kept.contains(name.lowercased()) }

    private func pieces(of path: Substring, own: [String]) -> [Substring] {
        var pieces = path.pieces(between: "/")
        for index in pieces.indices where isOwn(pieces, at: index, own: own) { pieces[index] = "*" }
        for pattern in paths { pattern.mask(&pieces) }
        return pieces
    }

    /// Whether a piece is a parameter in the path (`hdntl=exp=1~acl=*~hmac=2`, `;jsessionid=3`), or has the shape of the
    /// viewer's own id behind `session` or `stream`.
    ///
    /// Another viewer's id is a finding of its own.
    private func isOwn(_ pieces: [Substring], at index: Int, own: [String]) -> Bool {
        let piece = pieces[index]
        if let equals = piece.utf8.firstIndex(of: UInt8(ascii: "=")) {
            let name = piece[..<equals]
            let last = name.utf8.lastIndex { $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: "~") }
            let word = name[(last.map(name.utf8.index(after:)) ?? name.startIndex)...]
            let isNamed = OwnParameters.contain(word) && !isKept(word)
            if isNamed || piece.contains("~hmac=") { return true }
        }
        guard index > 0, Self.sessionWordLengths.contains(pieces[index - 1].utf8.count),
            Self.sessionWords.contains(pieces[index - 1].lowercased())
        else { return false }
        return own.contains { $0.hasShape(of: PercentEncoding.decode(piece)) }
    }

    private static let sessionWords: Set<String> = ["stream", "session", "sessions"]
    private static let sessionWordLengths = 6...8
}

extension String {
    fileprivate var authority: Substring {
        let rest = Substring(utf8.prefix { $0 != UInt8(ascii: "?") }).utf8.withoutAuthority
        return self[..<rest.startIndex]
    }

    /// Whether length and punctuation are equal.
    fileprivate func hasShape(of other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        return zip(utf8, other.utf8).allSatisfy { mine, its in
            let (isMine, isIts) = (mine.isAlphanumeric, its.isAlphanumeric)
            return isMine == isIts && (isMine || mine == its)
        }
    }
}

extension Substring.UTF8View {
    package var withoutAuthority: Substring.UTF8View {
        guard let colon = firstIndex(of: UInt8(ascii: ":")), self[colon...].starts(with: "://".utf8) else {
            return self
        }
        return self[colon...].dropFirst(3).drop { $0 != UInt8(ascii: "/") }
    }
}
