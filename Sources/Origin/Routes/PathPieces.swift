import Values

/// The piece of a path that names a session, before the rest: `/s/{session}/linear/…`, as stitchers rewrite creatives.
enum SessionPiece {
    private static let prefix = "/s/"

    /// Adds the piece to an absolute path, behind a pathway, or replaces an existing one.
    static func put(_ session: String, before path: String) -> String {
        if let pathway = Pathway.split(path) {
            return Pathway.prefix(pathway.name) + put(session, before: pathway.rest)
        }
        return prefix + session + (rest(after: path) ?? path)
    }

    static func rest(after path: String) -> String? { split(path).map { String($0.rest) } }

    static func session(of path: String) -> String? { split(path).map { String($0.session) } }

    /// Sixteen digits that are constant for a session, or for a viewer if the request names no session.
    static func digits(for exchange: Exchange, seed: UInt64) -> String {
        let viewer = exchange.streamID.map(SeededHash.viewer) ?? exchange.viewerHash
        return SeededHash(seed: seed, "session path", viewer).value.hexadecimal(digits: 16)
    }

    private static func split(_ path: String) -> (session: Substring, rest: Substring)? {
        guard let piece = path.rest(after: prefix), let slash = piece.firstIndex(of: "/") else { return nil }
        return (piece[..<slash], piece[slash...])
    }
}

/// Path of a request for a live playlist.
struct LivePlaylistPath: Sendable, Equatable {
    /// Folder that the playlist's relative addresses refer to, without the session's piece.
    let folder: String
    /// Session in the path, as spelt there; nil without one.
    let session: String?

    init(target: String) {
        let path = String(target.prefix { $0 != "?" })
        let pathway = Pathway.split(path)
        let rest = pathway?.rest ?? path
        session = SessionPiece.session(of: rest)
        let plain = SessionPiece.rest(after: rest) ?? rest
        let end = plain.lastIndex(of: "/").map(plain.index(after:)) ?? plain.startIndex
        folder = (pathway.map { Pathway.prefix($0.name) } ?? "") + plain[..<end]
    }

    /// The address from the host's root; unchanged if it is already absolute or leads outside of the folder.
    func absolute(_ address: String) -> String {
        let isElsewhere = address.hasPrefix("/") || address.hasPrefix("..") || address.hasPrefix("{")
        return isElsewhere || address.contains("://") ? address : folder + address
    }
}
