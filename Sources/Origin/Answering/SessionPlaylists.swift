import AdServing
import HLS
import HTTPTypes
import Profile

/// Addresses of playlists and ads name the session, as from a service that stitches ads.
struct SessionPlaylists: Sendable {
    private let sessions: SessionRegistry
    private let seed: UInt64

    init?(_ configuration: OriginConfiguration, sessions: SessionRegistry) {
        guard configuration.hasSessionPlaylists else { return nil }
        self.sessions = sessions
        seed = configuration.seed
    }

    func isOwn(_ route: Route) -> Bool {
        switch route {
        case .multivariant, .livePlaylist, .target(.templateContent): true
        default: false
        }
    }

    func rewrite(_ edit: inout AnswerEdit, _ exchange: Exchange) {
        guard edit.status == .ok else { return }
        let path = LivePlaylistPath(target: exchange.target)
        let session = path.session ?? self.session(of: exchange)
        if case .livePlaylist = exchange.route {
            // The digest belongs to the common playlist.
            edit.removeLines(beginningWith: DigestComment.prefix)
            edit.changeAddresses { address in
                let absolute = path.absolute(address)
                let isAd = StitchedAd.breakStart(in: address) != nil
                return isAd ? SessionPiece.put(session, before: absolute) : absolute
            }
        } else {
            // Sessions may share the playlist's address.
            edit.fields[.cacheControl] = Caching.none.field
            edit.changeAddresses { address in
                let leadsToMedia = address.prefix { $0 != "?" }.hasSuffix("/media.m3u8")
                return leadsToMedia ? SessionPiece.put(session, before: path.absolute(address)) : address
            }
        }
    }

    private func session(of exchange: Exchange) -> String {
        let streamID = exchange.streamID ?? sessions.streamID(ofViewer: exchange.viewerHash)
        return streamID.map { StreamID($0).percentEncoded } ?? SessionPiece.digits(for: exchange, seed: seed)
    }
}
