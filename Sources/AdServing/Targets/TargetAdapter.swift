/// The shape in which a target is asked: how a viewer comes by its session, its channel and its pods.
package enum TargetAdapter: Hashable, Sendable {
    /// Google's pod serving: one channel for all, a session with the ad server, pods by URL.
    case podServing
    case mediaTailor(MediaTailorTarget)
    case eyevinnProxy(EyevinnProxyTarget)
    case urlTemplates(URLTemplateTarget)

    /// Whether a viewer asks for a session before it can be shown an ad.
    package var hasSession: Bool {
        switch self {
        case .podServing: true
        case .mediaTailor(let target): target.session == .explicit
        case .eyevinnProxy: false
        case .urlTemplates(let target): target.session != nil
        }
    }

    /// Whether the channel's URL is known only to who has a session.
    package var contentNeedsSession: Bool {
        switch self {
        case .podServing, .eyevinnProxy: false
        case .mediaTailor(let target): target.session == .explicit
        case .urlTemplates(let target): target.contentNeedsSession
        }
    }

    /// Whether viewers were told to report ads themselves, which is their application's work, whatever player it has.
    package var isReportedByClient: Bool {
        guard case .mediaTailor(let target) = self else { return false }
        return target.reporting == .client
    }

    /// The request by which a viewer gets its session.
    ///
    /// Nil for pod serving, whose registration has a form of its own, and for targets without sessions.
    package func sessionRequest(of viewer: ViewerIdentity) -> SessionRequest? {
        switch self {
        case .podServing, .eyevinnProxy: nil
        case .mediaTailor(let target): target.sessionRequest(of: viewer)
        case .urlTemplates(let target): target.sessionRequest(of: viewer)
        }
    }

    /// Reads the answer to a request for a session.
    ///
    /// - Parameters:
    ///   - json: The answer's body.
    ///   - url: What was asked, against which relative URLs count.
    /// - Returns: The session, with its own content URL where the target gives it one.
    /// - Throws: Where the body is no JSON object.
    package func session(json: UnsafeRawBufferPointer, from url: String) throws(AdServingError) -> StreamSession {
        switch self {
        case .podServing, .eyevinnProxy: try StreamSession(json: json)
        case .mediaTailor(let target): try target.session(json: json, from: url)
        case .urlTemplates(let target): try target.session(json: json, from: url)
        }
    }

    /// The URL of the channel for one viewer; nil where `StreamSession.contentURL` or the run's own is to be taken.
    package func contentURL(of viewer: ViewerIdentity, streamID: StreamID?) -> String? {
        switch self {
        case .podServing: nil
        case .mediaTailor(let target): target.session == .implicit ? target.masterURL(of: viewer) : nil
        case .eyevinnProxy(let target): target.masterURL(of: viewer)
        case .urlTemplates(let target): target.contentURL(of: viewer, streamID: streamID)
        }
    }

    /// Whether any answer says that a session is over.
    package var sessionsEnd: Bool {
        switch self {
        case .podServing, .eyevinnProxy: false
        case .mediaTailor: true
        case .urlTemplates(let target): !target.sessionEndStatuses.isEmpty
        }
    }

    /// Whether an answer to a playlist or asset list request says that the viewer's session is over.
    package func endsSession(status: Int) -> Bool {
        switch self {
        case .podServing, .eyevinnProxy: false
        // Sessions end after ten times the manifest's duration, and answers are 400 from then on.
        case .mediaTailor: status == 400
        case .urlTemplates(let target): target.sessionEndStatuses.contains(status)
        }
    }
}
