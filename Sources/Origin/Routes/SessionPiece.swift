/// The piece of a path that names a session, before the path proper: `/s/{session}/linear/…`, as stitchers rewrite
/// creatives.
enum SessionPiece {
    private static let prefix = "/s/"

    /// A path with such a piece before it; of a pathway's, behind the pathway.
    ///
    /// - Parameters:
    ///   - session: As it is spelt in a path.
    ///   - path: Absolute, with or without such a piece, which is then replaced.
    /// - Returns: The path that names this session.
    static func put(_ session: String, before path: String) -> String {
        if let pathway = Pathway.split(path) {
            return Pathway.prefix(pathway.name) + put(session, before: pathway.rest)
        }
        return prefix + session + (rest(after: path) ?? path)
    }

    /// What follows the piece, whatever session it names; nil for a path without it.
    static func rest(after path: String) -> String? { split(path).map { String($0.rest) } }

    /// The session that a path names, as it is spelt there; nil for a path without such a piece.
    static func session(of path: String) -> String? { split(path).map { String($0.session) } }

    /// Sixteen digits that stay a session's for its life; a viewer's, where a request names no session.
    static func digits(for exchange: Exchange, seed: UInt64) -> String {
        var hash = SeededHash(seed: seed)
        hash.combine("session path")
        hash.combine(exchange.streamID.map(SeededHash.viewer) ?? exchange.viewerHash)
        return String(hash.value, radix: 16).leftPadded(to: 16)
    }

    private static func split(_ path: String) -> (session: Substring, rest: Substring)? {
        guard let piece = path.rest(after: prefix), let slash = piece.firstIndex(of: "/") else { return nil }
        return (piece[..<slash], piece[slash...])
    }
}
