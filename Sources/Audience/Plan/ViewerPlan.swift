package import AdServing
package import HLS
package import LoadProfile
package import Players
package import Time

/// What all viewers of a run have in common, computed once before the first joins.
package final class ViewerPlan: Sendable {
    package let timebase: Timebase
    /// When the run is planned to end.
    package let endsAt: Instant
    package let seed: UInt64
    /// The channel of every viewer, where the target does not give each its own.
    package let contentURL: String
    /// How the target is asked.
    package let adapter: TargetAdapter
    /// Registration goes to the first; the second, where there is one, is the fail-over.
    package let adServers: [String]
    package let event: NetworkEvent
    package let session: SessionPlan
    /// Nil where nobody tells the ad server anything else in mid-session.
    package let updates: SessionUpdates?
    /// Whether what metadata lists of media ids is the whole of them, and not what they begin with.
    package let listsWholeMediaIDs: Bool
    /// Names of the cookies that are one viewer's session; nil: those with `session` in their names.
    package let sessionCookies: [String]?
    package let playback: PlaybackPlan
    package let impressions: ImpressionPlan
    /// The players of the audience; at least one.
    package let personas: [PersonaShare]
    /// What they say of playback, in the same order.
    package let playbackFacts: [PlaybackFacts]
    package let breaks: BreakPlan
    package let pods: PodPlan
    package let audience: AudiencePlan
    package let traits: AudienceTraits
    /// Who must be given the same.
    package let matching: Matching
    /// What of addresses says what is played.
    package let playedAddress: PlayedAddress
    /// What of them says that it is slate.
    package let slate: SlatePattern
    package let pictureInPicture: PictureInPicturePlan
    /// What people do whose player shows nothing; nil: they wait, and a player that stops is started again at once.
    package let abandonment: AbandonmentPlan?
    package let calendar: BreakCalendar
    /// How long a viewer may take to join before breaks are due for it, in nanoseconds.
    package let joiningNanoseconds: Int64 = 5_000_000_000
    /// The breaks that viewers wait for.
    package let breakBook: BreakBook
    /// Mean stay of a viewer in nanoseconds; nil where nobody leaves before the end.
    package let meanStay: Int64?
    package let leadNanoseconds: Int64
    package let graceNanoseconds: Int64
    /// How long the answers of a pod may lie in their sockets, together, before a viewer counts as held up by podswarm.
    package let handlingNanoseconds: Int64
    package let jitterNanoseconds: Int64
    package let preconnectNanoseconds: Int64
    package let playoutLimitNanoseconds: Int64?

    package init(_ plan: LoadPlan, endpoints: TargetEndpoints, timebase: Timebase) {
        self.timebase = timebase
        endsAt = timebase.start.later(by: plan.duration.nanosecondsHeld)
        seed = plan.seed
        contentURL = endpoints.contentURL
        adapter = endpoints.adapter
        adServers = endpoints.adServers
        session = endpoints.session
        updates = SessionUpdates(endpoints.session, seed: plan.seed)
        listsWholeMediaIDs = plan.target.listsWholeMediaIDs
        sessionCookies = plan.target.sessionCookies
        event = NetworkEvent(
            networkCode: endpoints.session.networkCode,
            customAssetKey: endpoints.session.customAssetKey
        )
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
        matching = Matching(plan.pods, personas: personas.map(\.persona.name), traits: traits)
        playedAddress = PlayedAddress(
            ignoring: plan.pods.ignoredAddressParts,
            keeping: Set(plan.pods.keptParameters)
        )
        slate = plan.pods.slate.isEmpty ? .usual : SlatePattern(plan.pods.slate)
        pictureInPicture = plan.audience.pictureInPicture
        abandonment = plan.audience.abandonment
        let called = CalledBreaks()
        calendar = BreakCalendar(plan.breaks, runStart: timebase.wallStart, called: called)
        breakBook = BreakBook(calendar, called: called)
        let churn = plan.audience.churnPerMinute
        meanStay = churn > 0 ? Int64(min(60e9 / churn, 1e18)) : nil
        leadNanoseconds = plan.breaks.lead.nanosecondsHeld
        graceNanoseconds = plan.breaks.grace.nanosecondsHeld
        handlingNanoseconds = plan.generator.maximumHandling.nanosecondsHeld
        jitterNanoseconds = plan.breaks.jitter.nanosecondsHeld
        preconnectNanoseconds = plan.breaks.preconnect.nanosecondsHeld
        playoutLimitNanoseconds = plan.playback.playoutLimit?.nanosecondsHeld
    }

    /// Whether anybody reads what segments of ads carry for moments.
    package var readsTimedMetadata: Bool { playback.readsTimedMetadata && impressions == .allowed }

    /// Whether a viewer is one of those who do: by share, and the same for a number in every run of one seed.
    package func readsTimedMetadata(_ number: Int) -> Bool {
        var chance = ViewerChance(seed: seed &+ 0x5449_4D45, viewer: number)
        return chance.happens(playback.timedMetadataShare)
    }

    /// Which of `personas` a viewer has: by share, and the same for a number in every run of one seed.
    package func personaIndex(ofViewer number: Int) -> UInt8 {
        UInt8(clamping: personas.index(ofViewer: number, seed: seed))
    }

    /// Index of the variant that a viewer plays among those at `indices`, the same in every run of one seed; nil where
    /// there is none.
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

    /// Path and body of a registration; `isUpdated`: with what the viewer told in mid-session.
    func registration(of number: Int, isUpdated: Bool, now: WallTime) -> RegistrationRequest {
        var parameters = session.adTagParameters.mapValues { filled($0, viewer: number) }
        if isUpdated, let updates { parameters.merge(updates.told(by: identity(of: number))) { $1 } }
        return RegistrationRequest(
            event: event,
            adTagParameters: parameters,
            authToken: session.authTokenKey.map { key in
                AuthToken.sign(
                    fields: [
                        WireName.Token.customAssetKey: event.customAssetKey,
                        WireName.Token.expiry: expiry(from: now),
                        WireName.Token.networkCode: event.networkCode,
                    ],
                    key: key
                )
            }
        )
    }

    /// URL of the pod that a session asks for at a break.
    ///
    /// A break that has a splice of its own is asked for with that one, and any other with the session's.
    ///
    /// - Parameters:
    ///   - planned: The break.
    ///   - streamID: The session.
    ///   - viewer: Whose it is.
    /// - Returns: The URL.
    package func podURL(_ planned: PlannedBreak, streamID: StreamID, viewer: Int) -> String {
        if let url = templatePodURL(planned, streamID: streamID, viewer: viewer) {
            return url
        }
        var request = PodManifestRequest(
            event: event,
            identifier: planned.identifier,
            streamID: streamID,
            podDuration: planned.scheduled.duration,
            custParams: session.custParams.map { filled($0, viewer: viewer) },
            scte35: planned.scheduled.scte35 ?? session.scte35
        )
        request.authToken = session.authTokenKey.map { podToken(request, of: planned.scheduled, key: $0) }
        return (adServers.first ?? "") + request.pathAndQuery()
    }

    private func podToken(_ request: PodManifestRequest, of scheduled: ScheduledBreak, key: String) -> String {
        var fields = [
            WireName.Token.customAssetKey: event.customAssetKey,
            WireName.Token.expiry: expiry(from: scheduled.start),
            WireName.Token.networkCode: event.networkCode,
            WireName.Token.podDuration: String(scheduled.duration.nanosecondsHeld / 1_000_000),
        ]
        switch request.identifier {
        case .sequence(let number): fields[WireName.Token.podID] = String(number)
        case .adBreakID(let name): fields[WireName.Token.adBreakID] = name
        }
        fields[WireName.customParametersParameter] = request.custParams
        fields[WireName.scte35Parameter] = request.scte35
        return AuthToken.sign(fields: fields, key: key)
    }

    private func expiry(from instant: WallTime) -> String {
        String((instant + session.authTokenValidity).microseconds / 1_000_000)
    }
}

/// Where a run's requests go.
package struct TargetEndpoints: Sendable, Equatable {
    package var contentURL: String
    /// Scheme, host and port; the primary first.
    package var adServers: [String]
    package var session: SessionPlan
    /// True where the target is podswarm's own origin, which is told the viewer's number in each request.
    package var identifiesViewers: Bool
    package var adapter: TargetAdapter

    package init(
        contentURL: String,
        adServers: [String],
        session: SessionPlan,
        identifiesViewers: Bool,
        adapter: TargetAdapter = .podServing
    ) {
        self.adapter = adapter
        self.contentURL = contentURL
        self.adServers = adServers
        self.session = session
        self.identifiesViewers = identifiesViewers
    }
}
