/// Where a playlist of the live channel was asked for.
struct LivePlaylistPath: Sendable, Equatable {
    /// The folder that relative addresses in the playlist lead to, without the piece that names a session.
    let folder: String
    /// The session that the path names, as it is spelt there; nil where it names none.
    let session: String?

    /// Reads a request's path and query.
    init(target: String) {
        let path = String(target.prefix { $0 != "?" })
        let pathway = Pathway.split(path)
        let rest = pathway?.rest ?? path
        session = SessionPiece.session(of: rest)
        let plain = SessionPiece.rest(after: rest) ?? rest
        let end = plain.lastIndex(of: "/").map(plain.index(after:)) ?? plain.startIndex
        folder = (pathway.map { Pathway.prefix($0.name) } ?? "") + plain[..<end]
    }

    /// An address of the playlist from the root of the host; as it is where it is that already, or leads elsewhere.
    func absolute(_ address: String) -> String {
        let isElsewhere = address.hasPrefix("/") || address.hasPrefix("..") || address.hasPrefix("{")
        return isElsewhere || address.contains("://") ? address : folder + address
    }
}
