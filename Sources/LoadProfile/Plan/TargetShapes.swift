/// The shape in which the embedded origin is asked; it serves all of them, from one channel.
package enum EmbeddedShape: String, Sendable, CaseIterable {
    case podServing = "pod-serving"
    case mediaTailorImplicit = "media-tailor-implicit"
    case mediaTailorExplicit = "media-tailor-explicit"
    case eyevinnProxy = "eyevinn-proxy"
    case urlTemplates = "url-templates"

    package var isMediaTailor: Bool { self == .mediaTailorImplicit || self == .mediaTailorExplicit }

    /// Whether a client can ask for pods at breaks that it schedules itself.
    package var hasPods: Bool { self == .podServing || self == .urlTemplates }

    /// Whether viewers register a session before they can be shown an ad.
    var hasSession: Bool { self != .mediaTailorImplicit && self != .eyevinnProxy }
}

/// Whose signed addresses those of the embedded origin look like.
package enum EmbeddedSigning: String, Sendable, CaseIterable {
    case akamai
    case cloudFront = "cloudfront"
}

/// Who tells the ad server that an ad was seen, where MediaTailor inserts it.
package enum MediaTailorReporting: String, Sendable, CaseIterable {
    case server
    case client
}

/// What a session's metadata lists of media ids.
package enum ListedMediaIDs: String, Sendable, CaseIterable {
    case whole
    /// What ids begin with.
    case prefixes
}

/// AWS Elemental MediaTailor in server-guided insertion.
package struct MediaTailorPlan: Sendable, Equatable {
    package enum Session: String, Sendable, CaseIterable {
        case implicit
        case explicit
    }

    /// Scheme, host and port.
    package var server: String
    /// What follows `/v1/master/`.
    package var asset: String
    package var session: Session
    /// Values may hold `{viewer}` and `{primary_id}`.
    package var adsParameters: [String: String]
    package var manifestParameters: [String: String]
    /// Nil leaves it to the target.
    package var reporting: MediaTailorReporting?
    package var authorisedHosts: [String]
    /// Names of the cookies that are one viewer's session, as in a field; nil: those with `session` in their names.
    package var sessionCookies: [String]? = nil

    package init(
        server: String,
        asset: String,
        session: Session,
        adsParameters: [String: String] = [:],
        manifestParameters: [String: String] = [:],
        reporting: MediaTailorReporting? = nil,
        authorisedHosts: [String] = [],
        sessionCookies: [String]? = nil
    ) {
        self.server = server
        self.asset = asset
        self.session = session
        self.adsParameters = adsParameters
        self.manifestParameters = manifestParameters
        self.reporting = reporting
        self.authorisedHosts = authorisedHosts
        self.sessionCookies = sessionCookies
    }
}

/// Eyevinn's guided proxy.
package struct EyevinnProxyPlan: Sendable, Equatable {
    /// The proxied multivariant playlist.
    package var master: String
    /// Added to the master's query; values may hold `{viewer}` and `{primary_id}`.
    package var parameters: [String: String]
    package var authorisedHosts: [String]
    /// Names of the cookies that are one viewer's session, as in a field; nil: those with `session` in their names.
    package var sessionCookies: [String]? = nil

    package init(
        master: String,
        parameters: [String: String] = [:],
        authorisedHosts: [String] = [],
        sessionCookies: [String]? = nil
    ) {
        self.master = master
        self.parameters = parameters
        self.authorisedHosts = authorisedHosts
        self.sessionCookies = sessionCookies
    }
}

/// A target that is asked by URLs with placeholders.
package struct URLTemplatesPlan: Sendable, Equatable {
    package struct Session: Sendable, Equatable {
        package enum Method: String, Sendable, CaseIterable {
            case get
            case post
        }

        package var url: String
        package var method: Method
        package var body: String?
        package var contentType: String
        /// JSON pointers into the answer (RFC 6901).
        package var streamID: String
        package var content: String?

        package init(
            url: String,
            method: Method = .post,
            body: String? = nil,
            contentType: String = "application/json",
            streamID: String,
            content: String? = nil
        ) {
            self.url = url
            self.method = method
            self.body = body
            self.contentType = contentType
            self.streamID = streamID
            self.content = content
        }
    }

    /// Placeholders by where they have a value.
    static let viewerPlaceholders = ["viewer", "primary_id"]
    static let contentPlaceholders = viewerPlaceholders + ["stream_id"]
    /// All there are.
    package static let podPlaceholders = contentPlaceholders + ["break", "start", "duration_ms", "scte35"]

    /// Nil where the target knows no sessions.
    package var session: Session?
    /// Nil where the session's answer holds it.
    package var content: String?
    /// Nil where only the channel schedules breaks.
    package var pod: String?
    /// Answers to playlist and asset list requests that mean that a session is over.
    package var sessionEnds: [Int]
    package var authorisedHosts: [String]
    /// Names of the cookies that are one viewer's session, as in a field; nil: those with `session` in their names.
    package var sessionCookies: [String]? = nil

    package init(
        session: Session?,
        content: String?,
        pod: String?,
        sessionEnds: [Int] = [],
        authorisedHosts: [String] = [],
        sessionCookies: [String]? = nil
    ) {
        self.session = session
        self.content = content
        self.pod = pod
        self.sessionEnds = sessionEnds
        self.authorisedHosts = authorisedHosts
        self.sessionCookies = sessionCookies
    }
}

extension TargetPlan {
    /// The URLs that the profile itself names, placeholders filled with one viewer's values.
    package var addresses: [String] {
        switch self {
        case .embedded: []
        case .podServing(let target): [target.contentURL, target.adServer] + [target.backupAdServer].compactMap(\.self)
        case .mediaTailor(let target): [target.server]
        case .eyevinnProxy(let target): [target.master]
        case .urlTemplates(let target):
            [target.session?.url, target.content, target.pod].compactMap { $0.map { Placeholders.filled($0) } }
        }
    }

    /// Field that names the hosts where load may go besides its own addresses; nil for the embedded origin.
    package var authorisedHostsField: String? {
        let shape: String
        switch self {
        case .embedded: return nil
        case .podServing: shape = "podServing"
        case .mediaTailor: shape = "mediaTailor"
        case .eyevinnProxy: shape = "eyevinnProxy"
        case .urlTemplates: shape = "urlTemplates"
        }
        return "target.\(shape).authorisedHosts"
    }

    /// Whether a server of it shares this machine's cores: the embedded origin, and one at a loopback address.
    package var isOnThisMachine: Bool {
        if case .embedded = self { return true }
        return addresses.contains { WebOrigin(of: $0)?.isLoopback ?? false }
    }

    /// Where load may go besides its own addresses.
    package var authorisedHosts: [String] {
        switch self {
        case .embedded: []
        case .podServing(let target): target.authorisedHosts
        case .mediaTailor(let target): target.authorisedHosts
        case .eyevinnProxy(let target): target.authorisedHosts
        case .urlTemplates(let target): target.authorisedHosts
        }
    }

    /// Who reports ads, where the target is MediaTailor or shaped like it and the profile says so.
    package var reporting: MediaTailorReporting? {
        switch self {
        case .embedded(let origin): origin.reporting
        case .mediaTailor(let target): target.reporting
        case .podServing, .eyevinnProxy, .urlTemplates: nil
        }
    }

    /// Whether a session names metadata and where verification pings go.
    var hasMetadata: Bool {
        switch self {
        case .embedded(let origin): origin.shape == .podServing
        case .podServing: true
        case .mediaTailor, .eyevinnProxy, .urlTemplates: false
        }
    }

    /// Whether viewers register a session before they can be shown an ad.
    var hasSession: Bool {
        switch self {
        case .embedded(let origin): origin.shape.hasSession
        case .podServing: true
        case .mediaTailor(let target): target.session == .explicit
        case .eyevinnProxy: false
        case .urlTemplates(let target): target.session != nil
        }
    }

    /// The updates that viewers send in mid-session; nil where they send none.
    var sessionUpdates: SessionUpdatePlan? {
        switch self {
        case .embedded(let origin): origin.session.updates
        case .podServing(let target): target.session.updates
        case .mediaTailor, .eyevinnProxy, .urlTemplates: nil
        }
    }

    /// Whether a client can ask for pods at breaks of its own.
    var hasPods: Bool {
        switch self {
        case .embedded(let origin): origin.shape.hasPods
        case .podServing: true
        case .mediaTailor, .eyevinnProxy: false
        case .urlTemplates(let target): target.pod != nil
        }
    }
}

extension SessionPlan {
    /// Of a target that has no registration in Google's sense.
    package static let none = SessionPlan(
        networkCode: "",
        customAssetKey: "",
        adTagParameters: [:],
        authTokenKey: nil,
        authTokenValidity: .zero,
        custParams: nil,
        scte35: nil
    )
}

extension TargetPlan {
    /// Names of the cookies that are one viewer's session; nil: those with `session` in their names.
    package var sessionCookies: [String]? {
        switch self {
        case .embedded: nil
        case .podServing(let target): target.sessionCookies
        case .mediaTailor(let target): target.sessionCookies
        case .eyevinnProxy(let target): target.sessionCookies
        case .urlTemplates(let target): target.sessionCookies
        }
    }
}
