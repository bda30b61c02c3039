package import AdServing
package import HLS
package import Profile
package import Values

/// Computed once for all viewers before the first joins.
package final class ViewerPlan: Sendable {
    package let timebase: Timebase
    package let endsAt: Instant
    package let seed: UInt64
    /// Channel of every viewer, unless the target gives each its own.
    package let contentURL: String
    /// Nil for Google's pod serving: one channel for all, a session with the ad server, pods by URL.
    package let templates: URLTemplateTarget?
    /// Whether viewers must register before ads.
    package let hasSession: Bool
    package let contentNeedsSession: Bool
    /// Whether the metadata of a session are avails that a client reports.
    package let tracksAvails: Bool
    /// The second, if any, is the fail-over.
    package let adServers: [String]
    package let event: NetworkEvent
    package let session: SessionPlan
    package let listsWholeMediaIDs: Bool
    /// Names of the cookies that identify a session; nil: those with `session` in their names.
    package let sessionCookies: [String]?
    package let playback: PlaybackPlan
    package let impressions: ImpressionPlan
    /// At least one.
    package let personas: [PersonaShare]
    /// In the order of `personas`.
    package let playbackFacts: [PlaybackFacts]
    package let breaks: BreakPlan
    package let pods: PodPlan
    package let audience: AudiencePlan
    package let traits: AudienceTraits
    private let reportedValues: [(name: String, values: [String])]
    package let playedAddress: PlayedAddress
    package let slate: SlatePattern
    package let calendar: BreakCalendar
    /// Time for a viewer to join before breaks are due for it.
    package let joiningNanoseconds: Int64 = 5_000_000_000
    package let breakBook: BreakBook
    /// Mean stay in nanoseconds; nil if viewers stay until the end.
    package let meanStay: Int64?
    package let leadNanoseconds: Int64
    package let graceNanoseconds: Int64
    /// Limit of the total time that a pod's answers wait in their sockets before podswarm counts as the cause of a delay.
    package let handlingNanoseconds: Int64
    package let jitterNanoseconds: Int64
    package let preconnectNanoseconds: Int64
    package let playoutLimitNanoseconds: Int64?

    package init(_ plan: LoadPlan, endpoints: TargetEndpoints, timebase: Timebase) {
        self.timebase = timebase
        endsAt = timebase.start.later(by: plan.duration.nanosecondsHeld)
        seed = plan.seed
        contentURL = endpoints.contentURL
        templates = endpoints.templates
        hasSession = endpoints.templates.map { $0.session != nil } ?? true
        contentNeedsSession = endpoints.templates?.contentNeedsSession ?? false
        tracksAvails = endpoints.templates?.session?.tracking != nil
        adServers = endpoints.adServers
        session = endpoints.session
        listsWholeMediaIDs = plan.target.mediaIDs == .whole
        sessionCookies = plan.target.sessionCookies
        event = NetworkEvent(networkCode: session.networkCode, customAssetKey: session.customAssetKey)
        playback = plan.playback
        impressions = plan.impressions
        personas =
            plan.audience.personas.isEmpty
            ? [PersonaShare(.ofProfile(plan.playback), share: 1)] : plan.audience.personas
        playbackFacts = personas.map { PlaybackFacts($0.persona) }
        breaks = plan.breaks
        pods = plan.pods
        audience = plan.audience
        traits = AudienceTraits(plan.audience, seed: plan.seed)
        reportedValues = plan.reportedValues
        playedAddress = PlayedAddress(ignoring: plan.pods.ignoredAddressParts, keeping: Set(plan.pods.keptParameters))
        slate = plan.pods.slate.isEmpty ? .usual : SlatePattern(plan.pods.slate)
        calendar = BreakCalendar(plan.breaks, runStart: timebase.wallStart)
        breakBook = BreakBook(calendar)
        let churn = plan.audience.churnPerMinute
        meanStay = churn > 0 ? Int64(min(60e9 / churn, 1e18)) : nil
        leadNanoseconds = plan.breaks.lead.nanosecondsHeld
        graceNanoseconds = plan.breaks.grace.nanosecondsHeld
        handlingNanoseconds = plan.generator.maximumHandling.nanosecondsHeld
        jitterNanoseconds = plan.breaks.jitter.nanosecondsHeld
        preconnectNanoseconds = plan.breaks.preconnect.nanosecondsHeld
        playoutLimitNanoseconds = plan.playback.playoutLimit?.nanosecondsHeld
    }

    package var readsTimedMetadata: Bool { playback.readsTimedMetadata && impressions == .allowed }

    /// Whether viewers read the media ids of ads that a manipulator stitched into the programme.
    package var verifiesProgramme: Bool { playback.verifies(breaks) && impressions == .allowed }

    /// Chosen by share; equal for a number in every run of one seed.
    package func readsTimedMetadata(_ number: Int) -> Bool {
        var chance = ViewerChance(seed: seed &+ 0x5449_4D45, viewer: number)
        return chance.happens(playback.timedMetadataShare)
    }

    /// Index into `personas` by share; equal for a number in every run of one seed.
    package func personaIndex(ofViewer number: Int) -> UInt8 {
        UInt8(clamping: personas.index(ofViewer: number, seed: seed))
    }

    /// Numbers of a viewer's values of `report.by`; a value that the profile does not list has none.
    package func reportedNumbers(ofViewer number: Int) -> [Int] {
        guard !reportedValues.isEmpty else { return [] }
        let own = traits.values(ofViewer: number)
        var first = 0
        return reportedValues.compactMap { name, values in
            defer { first += values.count }
            let value =
                name == PodPlan.personaTrait
                ? personas[Int(personaIndex(ofViewer: number))].persona.name
                : own[name].map { traits.shown($0, of: name) }
            return value.flatMap(values.firstIndex).map { first + $0 }
        }
    }

    /// Whether figures are kept per cohort.
    package var tellsCohorts: Bool { !traits.isEmpty || pods.comparesCohorts }

    package func cohort(ofViewer number: Int, persona: UInt8) -> String {
        let values = traits.values(ofViewer: number)
        let parts = pods.cohort.map { name in
            let isPersona = name == PodPlan.personaTrait && personas.indices.contains(Int(persona))
            let shown = isPersona ? personas[Int(persona)].persona.name : traits.shown(values[name] ?? "", of: name)
            return "\(name)=\(shown)"
        }
        return parts.joined(separator: " ")
    }

    /// Whether segments of the break's own ads are loaded; stitched ads are content, and a wait for them is a stall.
    package func loadsAds(of planned: PlannedBreak) -> Bool {
        planned.source != .stitched && playback.loadsAdSegments && impressions == .allowed
    }

    /// Bits per second of the viewer's line; nil for a line that takes no time.
    package func bandwidth(ofViewer number: Int) -> Int64? {
        switch audience.bandwidth {
        case .bitsPerSecond(let rate): rate
        case .trait(let name): traits.values(ofViewer: number)[name].flatMap(RateText.bitsPerSecond)
        case nil: nil
        }
    }

    package func variant(of multivariant: MultivariantPlaylist, among indices: [Int], viewer number: Int) -> Int? {
        let variants = multivariant.variants
        guard !indices.isEmpty else { return nil }
        switch playback.variant {
        case .first: return indices.first
        case .highest: return indices.max { variants[$0].bandwidth < variants[$1].bandwidth }
        case .lowest: return indices.min { variants[$0].bandwidth < variants[$1].bandwidth }
        case .random:
            var own = ViewerChance(seed: seed &+ 0x5641_5249, viewer: number)
            return indices[Int(own.next() % UInt64(indices.count))]
        }
    }

    func registration(of number: Int, isUpdated: Bool, now: WallTime) -> RegistrationRequest {
        var parameters = session.adTagParameters.mapValues { filled($0, viewer: number) }
        if isUpdated, let updates = session.updates { parameters.merge(updates.told(by: identity(of: number))) { $1 } }
        let token = session.authTokenKey.map { AuthToken.sign(fields: tokenFields(from: now), key: $0) }
        return RegistrationRequest(event: event, adTagParameters: parameters, authToken: token)
    }

    /// Uses the break's own splice if it has one, else the session's.
    package func podURL(_ planned: PlannedBreak, streamID: StreamID, viewer: Int) -> String {
        if let url = templatePodURL(planned, streamID: streamID, viewer: viewer) { return url }
        let (name, duration) = (planned.identifier, planned.scheduled.duration)
        var request = PodManifestRequest(event: event, identifier: name, streamID: streamID, podDuration: duration)
        request.custParams = session.custParams.map { filled($0, viewer: viewer) }
        request.scte35 = planned.scheduled.scte35 ?? session.scte35
        request.authToken = session.authTokenKey.map { podToken(request, of: planned.scheduled, key: $0) }
        return (adServers.first ?? "") + request.pathAndQuery()
    }

    private func podToken(_ request: PodManifestRequest, of scheduled: ScheduledBreak, key: String) -> String {
        var fields = tokenFields(from: scheduled.start)
        fields[WireName.Token.podDuration] = String(scheduled.duration.nanosecondsHeld / 1_000_000)
        switch request.identifier {
        case .sequence(let number): fields[WireName.Token.podID] = String(number)
        case .adBreakID(let name): fields[WireName.Token.adBreakID] = name
        }
        fields[WireName.customParametersParameter] = request.custParams
        fields[WireName.scte35Parameter] = request.scte35
        return AuthToken.sign(fields: fields, key: key)
    }

    /// Fields that the tokens of sessions and pods have, valid from this instant.
    private func tokenFields(from instant: WallTime) -> [String: String] {
        [
            WireName.Token.customAssetKey: event.customAssetKey,
            WireName.Token.expiry: String((instant + session.authTokenValidity).microseconds / 1_000_000),
            WireName.Token.networkCode: event.networkCode,
        ]
    }
}

package struct TargetEndpoints: Sendable, Equatable {
    package var contentURL: String
    /// Scheme, host and port; the primary first.
    package var adServers: [String]
    package var session: SessionPlan
    /// Whether the target is podswarm's own origin, which gets the viewer's number in each request.
    package var identifiesViewers: Bool
    /// Nil for pod serving.
    package var templates: URLTemplateTarget?

    package init(
        contentURL: String,
        adServers: [String],
        session: SessionPlan,
        identifiesViewers: Bool,
        templates: URLTemplateTarget? = nil
    ) {
        (self.templates, self.contentURL, self.adServers) = (templates, contentURL, adServers)
        (self.session, self.identifiesViewers) = (session, identifiesViewers)
    }
}

/// A persona and what follows from it, for quick access at each answer.
package final class PlaybackFacts: Sendable {
    package let persona: Persona
    package let maximumDownloads: UInt8
    /// Whether the basis alone decides when a playlist is loaded again, and no directives are sent.
    package let isPlain: Bool
    private let playlistInParts: RequestRule
    private let segmentInParts: RequestRule

    package init(_ persona: Persona) {
        self.persona = persona
        playlistInParts = persona.requests.playlist.waitingFirst(persona.lowLatency.retryWait)
        segmentInParts = persona.requests.segment.waitingFirst(persona.lowLatency.retryWait)
        maximumDownloads = UInt8(clamping: max(persona.maximumDownloads, 1))
        isPlain =
            persona.reload.clock == .loadStart && persona.reload.unchanged == .halfTarget
            && persona.reload.afterChange != .shorterNearEdge && !persona.reload.loadsRenditionsTogether
            && persona.reload.stuckAfterTargets == nil && persona.lowLatency.blocking == .never
            && persona.lowLatency.skip == .never
    }

    /// The first wait may differ while the version in hand has parts.
    package func playlist(hasParts: Bool) -> RequestRule { hasParts ? playlistInParts : persona.requests.playlist }

    package func segment(hasParts: Bool) -> RequestRule { hasParts ? segmentInParts : persona.requests.segment }
}

extension PlaybackPlan {
    package var loadsContent: Bool { segments.includesContent }

    package var loadsAdSegments: Bool { segments.includesAds }

    func plays(_ rendition: PlayedRendition) -> Bool {
        switch rendition {
        case .video: true
        case .audio: playsAudioRendition
        case .subtitles: playsSubtitles
        }
    }

    var readsTimedMetadata: Bool { loadsAdSegments && sendsVerificationPings && timedMetadataShare > 0 }

    fileprivate func verifies(_ breaks: BreakPlan) -> Bool {
        loadsContent && breaks.recognisesStitched && sendsVerificationPings && timedMetadataShare > 0
    }
}

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
    package func sessionRequest(of number: Int, server: Int, isUpdated: Bool, now: WallTime) -> SessionRequest? {
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
        let name =
            switch planned.identifier {
            case .sequence(let number): String(number)
            case .adBreakID(let text): text
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
    func wait(_ chance: inout ViewerChance) -> Int64 { Int64((0.5 + chance.unit()) * Double(every.nanosecondsHeld)) }

    func told(by viewer: ViewerIdentity) -> [String: String] { adTagParameters.mapValues { viewer.filled($0) } }
}
