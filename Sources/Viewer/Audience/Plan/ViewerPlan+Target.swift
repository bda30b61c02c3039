package import AdServing
package import Profile
package import Values

extension ViewerPlan {
    package func identity(of number: Int) -> ViewerIdentity { traits.identity(ofViewer: number) }

    package func primaryID(of number: Int) -> String { ViewerIdentity.primaryID(number: number, seed: seed) }

    func filled(_ text: String, viewer number: Int) -> String {
        text.utf8.contains(UInt8(ascii: "{")) ? identity(of: number).filled(text) : text
    }

    private func filled(url text: String, viewer number: Int) -> String {
        text.utf8.contains(UInt8(ascii: "{")) ? identity(of: number).filled(url: text) : text
    }

    /// Nil if the target has no sessions; `server` is an index into the ad servers.
    package func sessionURL(of number: Int, server: Int) -> String? {
        guard adapter.hasSession else { return nil }
        return adapter.sessionRequest(of: identity(of: number))?.url ?? registrationURL(server)
    }

    private func registrationURL(_ server: Int) -> String {
        (adServers.indices.contains(server) ? adServers[server] : "") + RegistrationRequest(event: event).path()
    }

    /// Nil as ``sessionURL(of:server:)``; a token is valid from `now`.
    ///
    /// `isUpdated` registers with the values of an earlier update.
    package func sessionRequest(
        of number: Int,
        server: Int,
        isUpdated: Bool = false,
        now: WallTime
    ) -> SessionRequest? {
        guard adapter.hasSession else { return nil }
        if let request = adapter.sessionRequest(of: identity(of: number)) { return request }
        let registration = self.registration(of: number, isUpdated: isUpdated, now: now)
        return SessionRequest(.post, url: registrationURL(server), body: registration.formBody())
    }

    /// A profile switches off metadata of pod serving only; MediaTailor's are polled by all clients that report.
    var pollsMetadata: Bool { playback.pollsMetadata || adapter.tracksAvails }

    /// `url` is the `session_update_url` of the session; a POST like registrations, since no source specifies a method.
    package func sessionUpdate(of number: Int, url: String, now: WallTime) -> SessionRequest {
        var registration = self.registration(of: number, isUpdated: true, now: now)
        if updates?.plan.extent == .changed {
            registration.adTagParameters = updates?.told(by: identity(of: number)) ?? [:]
            registration.authToken = nil
        }
        guard updates?.plan.body == .json else { return SessionRequest(.post, url: url, body: registration.formBody()) }
        return SessionRequest(.post, url: url, body: registration.jsonBody(), contentType: WireName.jsonContentType)
    }

    /// Nil while the URL depends on a session that is not there yet.
    package func contentURL(of number: Int, streamID: StreamID?) -> String? {
        guard streamID != nil || !adapter.contentNeedsSession else { return nil }
        switch adapter {
        case .podServing: return filled(url: contentURL, viewer: number)
        case .mediaTailor, .eyevinnProxy, .urlTemplates:
            return adapter.contentURL(of: identity(of: number), streamID: streamID)
        }
    }

    /// Nil for a target without URL templates.
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
    /// False for targets whose documents do not say so.
    var listsWholeMediaIDs: Bool {
        switch self {
        case .embedded(let origin): origin.mediaIDs == .whole
        case .podServing(let target): target.mediaIDs == .whole
        case .mediaTailor, .eyevinnProxy, .urlTemplates: false
        }
    }
}

extension TargetAdapter {
    /// Nil for the embedded origin, whose address is unknown before it runs.
    package init?(_ target: TargetPlan, traits: [String] = []) {
        switch target {
        case .embedded: return nil
        case .podServing: self = .podServing
        case .mediaTailor(let plan): self = .mediaTailor(plan.target)
        case .eyevinnProxy(let plan): self = .eyevinnProxy(plan.target)
        case .urlTemplates(let plan):
            guard let target = URLTemplateTarget(plan, traits: traits) else { return nil }
            self = .urlTemplates(target)
        }
    }
}

extension URLTemplateTarget {
    /// Nil for templates that the profile's reader rejects.
    package init?(_ plan: URLTemplatesPlan, traits: [String] = []) {
        var session: Session?
        if let asked = plan.session {
            guard let url = URLTemplate(asked.url, traits: traits), let streamID = JSONPointer(asked.streamID) else {
                return nil
            }
            let own = asked.content.flatMap { JSONPointer($0) }
            var named = Session(method: asked.method, url: url, streamID: streamID, content: own)
            named.body = asked.body.map { URLTemplate(body: $0, traits: traits) }
            named.contentType = asked.contentType
            session = named
        }
        let content = plan.content.flatMap { URLTemplate($0, traits: traits) }
        let pod = plan.pod.flatMap { URLTemplate($0, traits: traits) }
        guard (content == nil) == (plan.content == nil), (pod == nil) == (plan.pod == nil) else { return nil }
        self.init(session: session, content: content, pod: pod, sessionEndStatuses: Set(plan.sessionEnds))
    }
}

/// Schedule and values of session updates: equal for a viewer's number in every run of one seed.
package struct SessionUpdates: Sendable {
    package let plan: SessionUpdatePlan
    private let seed: UInt64

    /// Nil if the profile plans no updates.
    package init?(_ session: SessionPlan, seed: UInt64) {
        guard let plan = session.updates else { return nil }
        (self.plan, self.seed) = (plan, seed)
    }

    package func concern(viewer number: Int) -> Bool {
        var chance = ViewerChance(seed: seed &+ 0x5550_4454, viewer: number)
        return chance.happens(plan.share)
    }

    /// Half the mean time to one and a half of it, in nanoseconds.
    package func wait(_ chance: inout ViewerChance) -> Int64 {
        Int64((0.5 + chance.unit()) * Double(plan.every.nanosecondsHeld))
    }

    package func told(by viewer: ViewerIdentity) -> [String: String] {
        plan.adTagParameters.mapValues { viewer.filled($0) }
    }
}
