import AdServing
import HLS
import HTTPTypes
import Values

/// The form decides the request kind even for unknown names.
enum Route: Sendable, Equatable {
    case multivariant
    case livePlaylist(rendition: Int)
    case live(LiveRoute)
    case steering, registration
    case podManifest(identifier: String)
    case podPlaylist(identifier: String, token: String, profile: String)
    case podFile(PodFile)
    case interstitial(InterstitialRoute)
    case target(TargetRoute)
    case metadata(streamID: String)
    case sessionUpdate(streamID: String)
    case verification(streamID: String, mediaID: String)
    /// Known form, but unknown channel, event or file.
    case missing(RequestKind)
    case health, truth, unknown

    /// Nil for requests that are not counted.
    var kind: RequestKind? {
        switch self {
        case .multivariant: .multivariant
        case .livePlaylist: .playlist
        case .live(let route): route.file.part == nil ? .segment : .part
        case .steering: .steering
        case .registration: .registration
        case .podManifest: .podManifest
        case .podPlaylist: .podPlaylist
        case .podFile: .podSegment
        case .interstitial(let route): route.kind
        case .target(let route): route.kind
        case .metadata: .metadata
        case .verification: .verification
        case .missing(let kind): kind
        case .sessionUpdate: .sessionUpdate
        case .unknown: .other
        case .health, .truth: nil
        }
    }

    /// The channel's token is required.
    var isLiveMedia: Bool {
        switch self {
        case .livePlaylist, .live: true
        default: false
        }
    }

    var takesPost: Bool {
        switch self {
        case .registration, .sessionUpdate, .missing(.registration), .missing(.sessionUpdate), .target(.tailorSession):
            true
        default: false
        }
    }

    var streamID: String? {
        switch self {
        case .metadata(let streamID), .sessionUpdate(let streamID), .verification(let streamID, _): streamID
        case .target(.templateContent(let session)): session
        default: nil
        }
    }
}

/// In the folder of a creative.
struct PodFile: Sendable, Hashable {
    /// Nil for media without media ids.
    var ad: AdInPod?
    let profile: String
    /// Nil for the initialization section.
    var number: Int?
}

/// Live playlists are one dictionary look-up.
struct RouteTable: Sendable {
    private let fixed: [String: Route]
    private let renditions: [LiveRendition]
    private let sessions: SessionPaths
    private let pods: PodPaths

    init(_ configuration: OriginConfiguration, renditions: [LiveRendition], isSteered: Bool = false) {
        sessions = SessionPaths(configuration)
        pods = PodPaths(configuration)
        self.renditions = renditions
        var fixed: [String: Route] = [
            "/origin/health": .health, "/origin/truth.json": .truth, sessions.registration: .registration,
        ]
        let base = "/live/\(OriginConfiguration.channel)"
        fixed["\(base)/multivariant.m3u8"] = .multivariant
        for (place, rendition) in renditions.enumerated() {
            fixed["\(base)/\(rendition.name)/media.m3u8"] = .livePlaylist(rendition: place)
        }
        if isSteered { fixed[SteeringService.path] = .steering }
        self.fixed = fixed
    }

    func route(_ path: String) -> Route {
        if let known = fixed[path] { return known }
        if let rest = path.rest(after: "/live/") { return live(rest) }
        return pods.route(path) ?? sessions.route(path) ?? InterstitialPaths.route(path)
            ?? TargetRoute.route(path) ?? .unknown
    }

    private func live(_ rest: Substring) -> Route {
        let pieces = rest.pieces(between: "/")
        let isStitched = pieces.count == 6 && pieces[0] == OriginConfiguration.channel
        guard pieces.count == 3 || isStitched, let name = pieces.last else {
            return pieces.count == 2 && rest.hasSuffix(".m3u8") ? .missing(.multivariant) : .unknown
        }
        if !isStitched {
            if name.hasSuffix(".m3u8") { return .missing(.playlist) }
            guard [".m4s", ".mp4", ".vtt"].contains(where: { name.hasSuffix($0) }) else { return .unknown }
        }
        // A malformed path counts as a segment or a part, by its form.
        let missing = Route.missing(PartName(file: name) == nil ? .segment : .part)
        guard pieces[0] == OriginConfiguration.channel,
            let place = renditions.firstIndex(where: { $0.name == pieces[1] }),
            let file = LiveFile(name, suffix: isStitched ? ".m4s" : renditions[place].segmentSuffix)
        else { return missing }
        guard isStitched else { return .live(LiveRoute(rendition: place, file: file)) }
        guard pieces[2] == "stitched", let ad = StitchedAd(break: pieces[3], ad: pieces[4]) else { return missing }
        return .live(LiveRoute(rendition: place, ad: ad, file: file))
    }
}

struct Exchange: Sendable {
    /// Arrival, or release of a held answer.
    var now: WallTime
    let route: Route
    let kind: RequestKind?
    /// Without the prefix of an own redirect.
    let target: String
    let query: FormFields
    let streamID: String?
    var acceptsGzip: Bool
    let method: HTTPRequest.Method
    let authority: String?
    /// See `FaultOccasion`.
    let viewerHash: UInt64
    var viewerNumber: UInt64?
    var cookie: String?
    /// From 1.
    var edge = 1
    /// Earlier requests for this pod.
    var repetition = 0
    var effects: FaultEffects?
    /// Common to the pod's answers; nil signs each when it is made.
    var signedAt: WallTime?
    var occasion: FaultOccasion?
    /// Target of an own redirect.
    var onward: String?
    /// Origin of the page that asks; nil without one.
    var origin: String?
    /// Access-Control-Request-Headers.
    var requestedNames: String?
    var heldFor: Duration?
    var directives: PlaylistDirectives? = PlaylistDirectives.none

    /// The answer reports its new session.
    var givesSession: Bool {
        guard let effects else { return true }
        return !effects.hidesStreamID && effects.delivery == .whole
    }
}

extension HTTPField.Name {
    static let viewerNumber = HTTPField.Name(WireName.viewerHeader) ?? .from
    static let edge = HTTPField.Name("X-Edge") ?? .via
}

/// Published parts of other services are imitated; the page of the reference origin lists the sources.
enum TargetRoute: Sendable, Equatable {
    /// `POST /v1/session/{account}/{configuration}/…`.
    case tailorSession(base: String)
    /// `GET /v1/master/{account}/{configuration}/…`.
    case tailorMultivariant(base: String)
    /// `GET /v1/tracking/{account}/{configuration}/{session}`.
    case tailorTracking(session: String)
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
        case .tailorTracking: .metadata
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
        case "tracking" where pieces.count == 4: return .target(.tailorTracking(session: String(last)))
        case "tracking": return .missing(.metadata)
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
