import AdServing
import Values

/// Published parts of other services are imitated; the page of the reference origin lists the sources.
enum TargetRoute: Sendable, Equatable {
    /// `POST /v1/session/{account}/{configuration}/…`.
    case tailorSession(base: String)
    /// `GET /v1/master/{account}/{configuration}/…`.
    case tailorMultivariant(base: String)
    /// `GET /v1/i-media/{account}/{configuration}/{variant}.m3u8`.
    case tailorMedia(base: String, profile: String)
    /// `GET /command?in=&dur=&pod=` of sgai-ad-proxy.
    case proxyCommand
    case proxyStatus
    /// An asset list in spite of its name: `GET /interstitials.m3u8?_HLS_interstitial_id=`.
    case proxyList
    case proxyMultivariant
    case proxyMedia(profile: String)
    case templateSession
    case templateContent(session: String?)

    /// Nil for an operator's requests, which are not counted.
    var kind: RequestKind? {
        switch self {
        case .tailorSession, .templateSession: .registration
        case .tailorMultivariant, .proxyMultivariant, .templateContent: .multivariant
        case .tailorMedia, .proxyMedia: .playlist
        case .proxyList: .assetList
        case .proxyCommand, .proxyStatus: nil
        }
    }

    static func route(_ path: String) -> Route? {
        switch path {
        case "/command": return .target(.proxyCommand)
        case "/status": return .target(.proxyStatus)
        case "/interstitials.m3u8": return .target(.proxyList)
        case "/templates/session": return .target(.templateSession)
        default: break
        }
        if let rest = path.rest(after: "/v1/") { return tailor(rest) }
        if let rest = path.rest(after: "/proxied/") { return proxied(rest) }
        return path.rest(after: "/templates/").map(template)
    }

    private static func tailor(_ rest: Substring) -> Route {
        let pieces = rest.pieces(between: "/")
        guard pieces.count >= 4, pieces.allSatisfy({ !$0.isEmpty }), let last = pieces.last else { return .unknown }
        let base = "\(pieces[1])/\(pieces[2])"
        switch pieces[0] {
        case "session": return .target(.tailorSession(base: base))
        case "master":
            return last.hasSuffix(".m3u8") ? .target(.tailorMultivariant(base: base)) : .missing(.multivariant)
        case "i-media" where pieces.count == 4 && last.hasSuffix(".m3u8"):
            return .target(.tailorMedia(base: base, profile: String(last.dropLast(5))))
        case "i-media": return .missing(.playlist)
        case "interstitials" where pieces.count == 4 && last.hasSuffix(".json"):
            return .interstitial(.list(identifier: String(last.dropLast(5))))
        case "interstitials": return .missing(.assetList)
        default: return .unknown
        }
    }

    private static func proxied(_ rest: Substring) -> Route {
        let pieces = rest.pieces(between: "/")
        guard pieces.count >= 3, pieces[0] == "live" else { return .unknown }
        if pieces.count == 3, pieces[2] == "multivariant.m3u8" { return .target(.proxyMultivariant) }
        guard pieces.count == 4, pieces[3] == "media.m3u8" else { return .unknown }
        return .target(.proxyMedia(profile: String(pieces[2])))
    }

    private static func template(_ rest: Substring) -> Route {
        let pieces = rest.pieces(between: "/")
        switch (pieces[0], pieces.count) {
        case ("content", 2) where pieces[1] == "index.m3u8": return .target(.templateContent(session: nil))
        case ("content", 3) where pieces[2] == "index.m3u8":
            return .target(.templateContent(session: PercentEncoding.decode(pieces[1])))
        case ("pod", 2) where pieces[1].hasSuffix(".m3u8"):
            let identifier = PodPaths.identifier("ad_break_id/\(pieces[1].dropLast(5))")
            return identifier.map { .podManifest(identifier: $0) } ?? .missing(.podManifest)
        default: return .unknown
        }
    }
}
