/// What of an address says what is played: its path and query without scheme and host, which may be another edge's, and
/// without what is a session's, a signature's or a moment's own.
///
/// The one rule by which pods, asset lists, assets, stitched segments and repeats are compared.
package struct PlayedAddress: Sendable {
    private let parameters: Set<String>
    private let kept: Set<String>
    private let paths: [PathPattern]

    /// - Parameters:
    ///   - patterns: What is a session's own besides what is known of it everywhere.
    ///   - kept: Names of parameters that say what is played, whatever is known of such names; in lower case.
    package init(ignoring patterns: [AddressPattern] = [], keeping kept: Set<String> = []) {
        var (parameters, paths): (Set<String>, [PathPattern]) = ([], [])
        for pattern in patterns {
            switch pattern {
            case .parameter(let name): parameters.insert(name)
            case .path(let pattern): paths.append(pattern)
            }
        }
        (self.parameters, self.paths, self.kept) = (parameters, paths, kept)
    }

    /// The address without what is its viewer's own, which leaves a `*` in a path and nothing in a query.
    ///
    /// - Parameters:
    ///   - address: Absolute or relative.
    ///   - own: Ids of the viewer that it was given to, as they are before any encoding; each is taken out wherever it
    ///     stands, as it is and percent-encoded, once or again.
    /// - Returns: Text that may hold secrets that nobody knows of: to be hashed, and not to be shown.
    package func text(of address: String, own: [String]) -> String {
        // By bytes throughout: every address of every ad comes by here.
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

    /// What of a playlist's address has the shape of a session's id, and may come again in what the playlist lists.
    ///
    /// For whoever does not know what its viewer was given.
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

    /// A hash of that text, the same on every machine.
    package func hash(of address: String, own: [String]) -> UInt64 {
        var hash = RunHash()
        add(address, own: own, to: &hash)
        return hash.value
    }

    /// Adds that text to a hash.
    package func add(_ address: String, own: [String], to hash: inout RunHash) {
        var text = text(of: address, own: own)
        text.withUTF8 { hash.add(UnsafeRawBufferPointer($0)) }
    }

    private func isKept(_ name: Substring) -> Bool { !kept.isEmpty && kept.contains(name.lowercased()) }

    // MARK: Paths

    private func pieces(of path: Substring, own: [String]) -> [Substring] {
        var pieces = path.pieces(between: "/")
        for index in pieces.indices where isOwn(pieces, at: index, own: own) { pieces[index] = "*" }
        for pattern in paths { pattern.mask(&pieces) }
        return pieces
    }

    /// A parameter that is written into the path (`hdntl=exp=1~acl=*~hmac=2`, `;jsessionid=3`), or what follows the word
    /// that says so and has the shape of the viewer's own id: another's, which is a finding of its own.
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

extension Substring.UTF8View {
    /// What follows scheme and host; all of it where there is no scheme.
    fileprivate var withoutAuthority: Substring.UTF8View {
        guard let colon = firstIndex(of: UInt8(ascii: ":")), self[colon...].starts(with: "://".utf8) else {
            return self
        }
        return self[colon...].dropFirst(3).drop { $0 != UInt8(ascii: "/") }
    }
}

extension String {
    /// Whether a text has this one's length and punctuation, so that an ordinary piece of a path is not taken for an id.
    fileprivate func hasShape(of other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        return zip(utf8, other.utf8).allSatisfy { mine, its in
            let (isMine, isIts) = (SecretShape.isAlphanumeric(mine), SecretShape.isAlphanumeric(its))
            return isMine == isIts && (isMine || mine == its)
        }
    }
}
