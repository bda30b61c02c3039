import AdServing
import HLS
import HTTPTypes
import NIOCore
import Profile
import Values

/// Adds a session and a moment to addresses, as stitchers and CDNs do.
struct AddressRewriter: Sendable {
    private static let validitySeconds: Int64 = 300

    let configuration: OriginConfiguration
    let sessions: SessionRegistry

    func rewrites(_ route: Route) -> Bool {
        switch route {
        case .multivariant, .livePlaylist, .target(.templateContent): configuration.hasSessionPlaylists
        case .podManifest, .podPlaylist: rewritesAds
        case .interstitial(let route): route.kind != .beacon && rewritesAds
        default: false
        }
    }

    private var rewritesAds: Bool { configuration.signing != nil || configuration.hasSessionPaths }

    func rewrite(_ edit: inout AnswerEdit, _ exchange: Exchange) {
        guard edit.status == .ok, rewrites(exchange.route) else { return }
        switch exchange.route {
        case .livePlaylist:
            let (path, session) = place(of: exchange)
            // The digest belongs to the common playlist.
            edit.removeLines(beginningWith: DigestComment.prefix)
            edit.changeAddresses { address in
                let absolute = path.absolute(address)
                let isAd = StitchedAd.breakStart(in: address) != nil
                return isAd ? OwnPath.put(session, before: absolute) : absolute
            }
        case .multivariant, .target:
            let (path, session) = place(of: exchange)
            // Sessions may share the playlist's address.
            edit.fields[.cacheControl] = Caching.none.field
            edit.changeAddresses { address in
                let leadsToMedia = address.prefix { $0 != "?" }.hasSuffix("/media.m3u8")
                return leadsToMedia ? OwnPath.put(session, before: path.absolute(address)) : address
            }
        default:
            let session = configuration.hasSessionPaths ? digits(for: exchange) : nil
            let signature = configuration.signing.map { self.signature($0, exchange) }
            edit.changeAddresses { address in
                var own = address
                let isCreative = address.hasPrefix(PodPaths.segmentPrefix) || InterstitialPaths.isCreative(address)
                if let session, isCreative { own = OwnPath.put(session, before: own) }
                if let signature { own += (own.contains("?") ? "&" : "?") + signature }
                return own
            }
        }
    }

    private func place(of exchange: Exchange) -> (path: OwnPath, session: String) {
        let path = OwnPath(String(exchange.target.prefix { $0 != "?" }))
        if let session = path.session { return (path, session) }
        let streamID = exchange.streamID ?? sessions.streamID(ofViewer: exchange.viewerHash)
        let own = streamID.map { StreamID($0).percentEncoded }
        return (path, own ?? digits(for: exchange))
    }

    /// Constant for a session, or for a viewer if the request names no session.
    private func digits(for exchange: Exchange) -> String {
        let viewer = exchange.streamID.map(SeededHash.viewer) ?? exchange.viewerHash
        return SeededHash(seed: configuration.seed, "session path", viewer).value.hexadecimal(digits: 16)
    }

    /// New for each answer, unless a fault keeps them.
    private func signature(_ signing: AddressSigning, _ exchange: Exchange) -> String {
        let instant = exchange.signedAt ?? exchange.now
        let expiry = instant.epochSeconds + Self.validitySeconds
        let pod =
            switch exchange.route {
            case .podManifest(let identifier), .podPlaylist(let identifier, _, _): identifier
            default: ""
            }
        let signed = exchange.signedAt == nil ? exchange.target : pod
        let moment = UInt64(bitPattern: instant.microseconds)
        var hash = SeededHash(seed: configuration.seed, signed, exchange.viewerHash, moment)
        let digits = (0..<4).map { part in
            hash.combine(UInt64(part))
            return hash.value.hexadecimal(digits: 16)
        }.joined()
        switch signing {
        case .akamai: return "hdnea=exp=\(expiry)~acl=/*~hmac=\(digits)"
        case .cloudFront: return "Expires=\(expiry)&Signature=\(digits)__&Key-Pair-Id=K2JCJMDEHXQW5F"
        }
    }
}
