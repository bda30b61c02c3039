/// The piece of a path that names a session, before the path proper: `/s/{session}/linear/…`, as stitchers rewrite
/// creatives.
enum SessionPiece {
    private static let prefix = "/s/"

    /// A path with such a piece before it.
    ///
    /// - Parameters:
    ///   - session: As it is spelt in a path.
    ///   - path: Absolute, with or without such a piece, which is then replaced.
    /// - Returns: The path that names this session.
    static func put(_ session: String, before path: String) -> String {
        prefix + session + (rest(after: path) ?? path)
    }

    /// What follows the piece, whatever session it names; nil for a path without it.
    static func rest(after path: String) -> String? {
        guard let piece = path.rest(after: prefix), let slash = piece.firstIndex(of: "/") else { return nil }
        return String(piece[slash...])
    }
}
