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
