package import AdServing
package import LoadProfile
package import Time

// How a viewer asks its target for a session, its channel and its pods.
extension ViewerPlan {
    /// Who a viewer says it is.
    package func identity(of number: Int) -> ViewerIdentity {
        traits.identity(ofViewer: number)
    }

    /// What `_HLS_primary_id` tells of a viewer.
    package func primaryID(of number: Int) -> String { ViewerIdentity.primaryID(number: number, seed: seed) }

    /// A text of the profile with what it says of viewers put in; as it is where it says nothing of them.
    func filled(_ text: String, viewer number: Int) -> String {
        text.utf8.contains(UInt8(ascii: "{")) ? identity(of: number).filled(text) : text
    }

    /// The same of a URL.
    private func filled(url text: String, viewer number: Int) -> String {
        text.utf8.contains(UInt8(ascii: "{")) ? identity(of: number).filled(url: text) : text
    }

    /// What a viewer asks for its session with.
    ///
    /// - Parameters:
    ///   - number: The viewer's.
    ///   - server: Index into the ad servers; the second is the fail-over.
    ///   - isUpdated: Whether it has told something else since: that is what it registers with from then on.
    ///   - now: The wall clock, from which a token is valid.
    /// - Returns: The request; nil where the target knows no sessions.
    package func sessionRequest(
        of number: Int,
        server: Int,
        isUpdated: Bool = false,
        now: WallTime
    ) -> SessionRequest? {
        guard adapter.hasSession else { return nil }
        if let request = adapter.sessionRequest(of: identity(of: number)) {
            return request
        }
        let registration = self.registration(of: number, isUpdated: isUpdated, now: now)
        let host = adServers.indices.contains(server) ? adServers[server] : ""
        return SessionRequest(.post, url: host + registration.path(), body: registration.formBody())
    }

    /// URL of a viewer's session request; nil for pod serving, whose path is the ad server's own, and without sessions.
    package func sessionURL(of number: Int) -> String? { adapter.sessionRequest(of: identity(of: number))?.url }

    /// What a viewer tells the ad server anew of itself.
    ///
    /// A POST, as registrations are: what other method it could be nobody says.
    ///
    /// - Parameters:
    ///   - number: The viewer's.
    ///   - url: The `session_update_url` of its session.
    ///   - now: The wall clock, from which a token is valid.
    /// - Returns: The request.
    package func sessionUpdate(of number: Int, url: String, now: WallTime) -> SessionRequest {
        var registration = self.registration(of: number, isUpdated: true, now: now)
        if updates?.plan.extent == .changed {
            registration.adTagParameters = updates?.told(by: identity(of: number)) ?? [:]
            registration.authToken = nil
        }
        guard updates?.plan.body == .json else {
            return SessionRequest(.post, url: url, body: registration.formBody())
        }
        return SessionRequest(
            .post,
            url: url,
            body: registration.jsonBody(),
            contentType: WireName.jsonContentType
        )
    }

    /// The URL of a viewer's channel where its session does not say it; nil while it takes a session that is not there.
    package func contentURL(of number: Int, streamID: StreamID?) -> String? {
        guard streamID != nil || !adapter.contentNeedsSession else { return nil }
        switch adapter {
        case .podServing: return filled(url: contentURL, viewer: number)
        case .mediaTailor, .eyevinnProxy, .urlTemplates:
            return adapter.contentURL(of: identity(of: number), streamID: streamID)
        }
    }

    /// The URL of a pod of a target that is asked by templates; nil for any other target.
    package func templatePodURL(_ planned: PlannedBreak, streamID: StreamID, viewer: Int) -> String? {
        guard case .urlTemplates(let target) = adapter else { return nil }
        let name: String
        switch planned.identifier {
        case .sequence(let number): name = String(number)
        case .adBreakID(let text): name = text
        }
        return target.podURL(
            of: identity(of: viewer),
            streamID: streamID,
            breakID: name,
            startSeconds: planned.scheduled.start.microseconds / 1_000_000,
            durationMilliseconds: planned.scheduled.duration.nanosecondsHeld / 1_000_000,
            scte35: planned.scheduled.scte35
        )
    }
}

extension TargetPlan {
    /// Whether what metadata lists of media ids is the whole of them; of other targets nobody has said so.
    var listsWholeMediaIDs: Bool {
        switch self {
        case .embedded(let origin): origin.mediaIDs == .whole
        case .podServing(let target): target.mediaIDs == .whole
        case .mediaTailor, .eyevinnProxy, .urlTemplates: false
        }
    }
}

extension TargetAdapter {
    /// The adapter of a target that is already there; nil for the embedded origin, whose address is not known before it
    /// runs.
    ///
    /// - Parameters:
    ///   - target: Of a profile.
    ///   - traits: Names of its audience's traits, which may stand in braces.
    package init?(_ target: TargetPlan, traits: [String] = []) {
        switch target {
        case .embedded: return nil
        case .podServing: self = .podServing
        case .mediaTailor(let plan):
            self = .mediaTailor(
                MediaTailorTarget(
                    server: plan.server,
                    asset: plan.asset,
                    session: plan.session,
                    adsParameters: plan.adsParameters,
                    manifestParameters: plan.manifestParameters,
                    reporting: plan.reporting
                )
            )
        case .eyevinnProxy(let plan):
            self = .eyevinnProxy(EyevinnProxyTarget(master: plan.master, parameters: plan.parameters))
        case .urlTemplates(let plan):
            guard let target = URLTemplateTarget(plan, traits: traits) else { return nil }
            self = .urlTemplates(target)
        }
    }
}

extension URLTemplateTarget {
    /// Nil for templates that the profile's reader would have refused.
    package init?(_ plan: URLTemplatesPlan, traits: [String] = []) {
        var session: Session?
        if let asked = plan.session {
            guard let url = URLTemplate(asked.url, traits: traits), let streamID = JSONPointer(asked.streamID) else {
                return nil
            }
            session = Session(
                method: asked.method == .get ? .get : .post,
                url: url,
                body: asked.body.map { URLTemplate(body: $0, traits: traits) },
                contentType: asked.contentType,
                streamID: streamID,
                content: asked.content.flatMap { JSONPointer($0) }
            )
        }
        let content = plan.content.flatMap { URLTemplate($0, traits: traits) }
        let pod = plan.pod.flatMap { URLTemplate($0, traits: traits) }
        guard (content == nil) == (plan.content == nil), (pod == nil) == (plan.pod == nil) else { return nil }
        self.init(session: session, content: content, pod: pod, sessionEndStatuses: Set(plan.sessionEnds))
    }
}
