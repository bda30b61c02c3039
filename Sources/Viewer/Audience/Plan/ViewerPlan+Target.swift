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
        guard let templates else { return registrationURL(server) }
        return templates.sessionRequest(of: identity(of: number))?.url
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
        if let templates { return templates.sessionRequest(of: identity(of: number)) }
        let registration = self.registration(of: number, isUpdated: isUpdated, now: now)
        return SessionRequest(.post, url: registrationURL(server), body: registration.formBody())
    }

    /// A profile switches off metadata of pod serving only; MediaTailor's are polled by all clients that report.
    var pollsMetadata: Bool { playback.pollsMetadata || tracksAvails }

    /// `url` is the `session_update_url` of the session; a POST like registrations, since no source specifies a method.
    package func sessionUpdate(of number: Int, url: String, now: WallTime) -> SessionRequest {
        var registration = self.registration(of: number, isUpdated: true, now: now)
        if session.updates?.extent == .changed {
            registration.adTagParameters = session.updates?.told(by: identity(of: number)) ?? [:]
            registration.authToken = nil
        }
        guard session.updates?.body == .json else {
            return SessionRequest(.post, url: url, body: registration.formBody())
        }
        return SessionRequest(.post, url: url, body: registration.jsonBody(), contentType: WireName.jsonContentType)
    }

    /// Nil while the URL depends on a session that is not there yet.
    package func contentURL(of number: Int, streamID: StreamID?) -> String? {
        guard streamID != nil || !contentNeedsSession else { return nil }
        guard let templates else { return filled(url: contentURL, viewer: number) }
        return templates.contentURL(of: identity(of: number), streamID: streamID)
    }

    /// Nil for a target without URL templates.
    package func templatePodURL(_ planned: PlannedBreak, streamID: StreamID, viewer: Int) -> String? {
        guard let templates else { return nil }
        let name: String
        switch planned.identifier {
        case .sequence(let number): name = String(number)
        case .adBreakID(let text): name = text
        }
        return templates.podURL(
            of: identity(of: viewer),
            streamID: streamID,
            breakID: name,
            startSeconds: planned.scheduled.start.microseconds / 1_000_000,
            durationMilliseconds: planned.scheduled.duration.nanosecondsHeld / 1_000_000,
            scte35: planned.scheduled.scte35
        )
    }
}

/// Equal for a viewer's number in every run of one seed.
extension SessionUpdatePlan {
    package func concern(viewer number: Int, seed: UInt64) -> Bool {
        var chance = ViewerChance(seed: seed &+ 0x5550_4454, viewer: number)
        return chance.happens(share)
    }

    /// Half the mean time to one and a half of it, in nanoseconds.
    func wait(_ chance: inout ViewerChance) -> Int64 {
        Int64((0.5 + chance.unit()) * Double(every.nanosecondsHeld))
    }

    func told(by viewer: ViewerIdentity) -> [String: String] { adTagParameters.mapValues { viewer.filled($0) } }
}
