import AdServing
import HLS
import HTTPTypes

/// Gives each session live playlists of its own, as a service does that stitches ads for it: what leads to them, and to the
/// ads in them, lies under a piece that names the session; the content stays where it is for everybody.
struct SessionPlaylists: Sendable {
    private let sessions: SessionRegistry
    private let seed: UInt64

    /// Nil where all viewers get the same playlists.
    init?(_ configuration: OriginConfiguration, sessions: SessionRegistry) {
        guard configuration.hasSessionPlaylists else { return nil }
        self.sessions = sessions
        seed = configuration.seed
    }

    /// Whether an answer is a session's own.
    func isOwn(_ route: Route) -> Bool {
        switch route {
        case .multivariant, .livePlaylist, .target(.templateContent): true
        default: false
        }
    }

    /// Puts the session into the addresses of a playlist.
    func rewrite(_ edit: inout AnswerEdit, _ exchange: Exchange) {
        guard edit.status == .ok else { return }
        let path = LivePlaylistPath(target: exchange.target)
        let session = path.session ?? self.session(of: exchange)
        if case .livePlaylist = exchange.route {
            // The digest is that of everybody's playlist.
            edit.removeLines(beginningWith: DigestComment.prefix)
            edit.changeAddresses { address in
                let absolute = path.absolute(address)
                let isAd = StitchedRoute.breakStart(in: address) != nil
                return isAd ? SessionPiece.put(session, before: absolute) : absolute
            }
        } else {
            // The address may be the same for all.
            edit.fields[.cacheControl] = Caching.none.field
            edit.changeAddresses { address in
                let leadsToMedia = address.prefix { $0 != "?" }.hasSuffix("/media.m3u8")
                return leadsToMedia ? SessionPiece.put(session, before: path.absolute(address)) : address
            }
        }
    }

    /// The session that a request names, or that its viewer got last.
    private func session(of exchange: Exchange) -> String {
        let streamID = exchange.streamID ?? sessions.streamID(ofViewer: exchange.viewerHash)
        return streamID.map { StreamID($0).percentEncoded } ?? SessionPiece.digits(for: exchange, seed: seed)
    }
}
