import Values

/// Kind of target: the requests for session, channel and pods.
package enum TargetAdapter: Hashable, Sendable {
    /// Google's: one channel for all, a session with the ad server, pods by URL.
    case podServing
    case mediaTailor(MediaTailorTarget)
    case eyevinnProxy(EyevinnProxyTarget)
    case urlTemplates(URLTemplateTarget)

    package var hasSession: Bool {
        switch self {
        case .podServing: true
        case .mediaTailor(let target): target.session == .explicit
        case .eyevinnProxy: false
        case .urlTemplates(let target): target.session != nil
        }
    }

    package var contentNeedsSession: Bool {
        switch self {
        case .podServing, .eyevinnProxy: false
        case .mediaTailor(let target): target.session == .explicit
        case .urlTemplates(let target): target.contentNeedsSession
        }
    }

    /// Reporting is the application's work with any player.
    package var isReportedByClient: Bool {
        if case .mediaTailor(let target) = self { target.reporting == .client } else { false }
    }

    /// Whether the metadata of a session are avails that a client reports.
    package var tracksAvails: Bool {
        if case .mediaTailor(let target) = self { target.tracksAvails } else { false }
    }

    /// Nil for pod serving, whose registration has its own form, and for targets without sessions.
    package func sessionRequest(of viewer: @autoclosure () -> ViewerIdentity) -> SessionRequest? {
        switch self {
        case .podServing, .eyevinnProxy: nil
        case .mediaTailor(let target): target.sessionRequest(of: viewer())
        case .urlTemplates(let target): target.sessionRequest(of: viewer())
        }
    }

    /// Resolves relative URLs against `url`.
    package func session(json: UnsafeRawBufferPointer, from url: String) throws(AdServingError) -> StreamSession {
        switch self {
        case .podServing, .eyevinnProxy: try StreamSession(json: json)
        case .mediaTailor(let target): try target.session(json: json, from: url)
        case .urlTemplates(let target): try target.session(json: json, from: url)
        }
    }

    /// Nil if `StreamSession.contentURL` or the run's own applies.
    package func contentURL(of viewer: ViewerIdentity, streamID: StreamID?) -> String? {
        switch self {
        case .podServing: nil
        case .mediaTailor(let target): target.session == .implicit ? target.masterURL(of: viewer) : nil
        case .eyevinnProxy(let target): target.masterURL(of: viewer)
        case .urlTemplates(let target): target.contentURL(of: viewer, streamID: streamID)
        }
    }

    /// Statuses of playlists and asset lists that mean that the viewer's session has ended.
    package var sessionEndStatuses: Set<Int> {
        switch self {
        case .podServing, .eyevinnProxy: []
        // Sessions end after ten times the manifest's duration; answers are 400 from then on.
        case .mediaTailor: [400]
        case .urlTemplates(let target): target.sessionEndStatuses
        }
    }
}

package struct SessionRequest: Hashable, Sendable {
    package enum Method: String, Hashable, Sendable, CaseIterable {
        case get, post
    }

    package var method: Method
    package var url: String
    package var body: String?
    package var contentType: String?

    package init(_ method: Method, url: String, body: String? = nil, contentType: String? = nil) {
        (self.method, self.url, self.body, self.contentType) = (method, url, body, contentType)
    }
}

/// Data about one viewer that a target may receive.
package struct ViewerIdentity: Hashable, Sendable {
    package var number: Int
    /// The primary playback session, a UUID (bis-22 appendix D.4).
    package var primaryID: String
    package var traits: [String: String]
    package var streamID: StreamID?

    package init(number: Int, primaryID: String, traits: [String: String] = [:]) {
        (self.number, self.primaryID, self.traits) = (number, primaryID, traits)
    }

    /// Equal for a number in every run with one seed.
    package init(number: Int, seed: UInt64, traits: [String: String] = [:]) {
        self.init(number: number, primaryID: Self.primaryID(number: number, seed: seed), traits: traits)
    }

    var values: [URLTemplate.Placeholder: String] {
        var values: [URLTemplate.Placeholder: String] = [.viewer: String(number), .primaryID: primaryID]
        for (name, value) in traits { values[URLTemplate.Placeholder(trait: name)] = value }
        values[.streamID] = streamID?.rawValue
        return values
    }

    /// Other text in braces is kept.
    package func filled(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "{")) else { return text }
        return URLTemplate(body: text, traits: traits.keys).text(values)
    }

    /// Percent-encodes the values.
    package func filled(url text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "{")) else { return text }
        return URLTemplate(body: text, traits: traits.keys).url(values)
    }

    /// Form of a random UUID (RFC 9562 section 5.4), in lower case like that of browsers.
    package static func primaryID(number: Int, seed: UInt64) -> String {
        var hash = RunHash()
        withUnsafeBytes(of: (seed, UInt64(truncatingIfNeeded: number))) { hash.add($0) }
        let high = hash.value
        withUnsafeBytes(of: high) { hash.add($0) }
        let low = hash.value
        return String(uuid: high, low)
    }
}

/// Form of the origin's signed addresses; it serves them whatever the signature is.
package enum AddressSigning: String, Codable, Sendable, CaseIterable {
    /// `hdnea=exp=…~acl=…~hmac=…` (Akamai, "Auth Token 2.0 Verification").
    case akamai
    /// `Expires`, `Signature` and `Key-Pair-Id` (CloudFront, "Use signed URLs").
    case cloudFront = "cloudfront"
}

/// Form of the media ids in a session's metadata.
package enum MediaIDForm: String, Codable, Sendable, CaseIterable {
    /// Pods contain no ids.
    case whole
    /// Whole ids are in the pods' segments; only those can be verified.
    case prefixes
}
