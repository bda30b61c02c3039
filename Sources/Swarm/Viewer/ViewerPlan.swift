package import AdServing
package import HLS
package import LoadProfile

/// What all viewers of a run have in common, computed once before the first joins.
package final class ViewerPlan: Sendable {
    package let timebase: Timebase
    package let seed: UInt64
    /// The channel of every viewer, where the target does not give each its own.
    package let contentURL: String
    /// How the target is asked.
    package let adapter: TargetAdapter
    /// Registration goes to the first; the second, where there is one, is the fail-over.
    package let adServers: [String]
    package let event: NetworkEvent
    package let session: SessionPlan
    package let playback: PlaybackPlan
    /// The players of the audience; at least one.
    package let personas: [PersonaShare]
    /// What they say of playback, in the same order.
    let playbackFacts: [PlaybackFacts]
    package let breaks: BreakPlan
    package let pods: PodPlan
    package let audience: AudiencePlan
    package let pictureInPicture: PictureInPicturePlan
    package let calendar: BreakCalendar
    /// The breaks that viewers wait for.
    let breakBook: BreakBook
    package let reloadRule: ReloadRule
    /// Mean stay of a viewer in nanoseconds; nil where nobody leaves before the end.
    package let meanStay: Int64?
    package let leadNanoseconds: Int64
    package let graceNanoseconds: Int64
    package let jitterNanoseconds: Int64
    package let preconnectNanoseconds: Int64
    package let playoutLimitNanoseconds: Int64?

    package init(_ plan: LoadPlan, endpoints: TargetEndpoints, timebase: Timebase) {
        self.timebase = timebase
        self.seed = plan.seed
        self.contentURL = endpoints.contentURL
        self.adapter = endpoints.adapter
        self.adServers = endpoints.adServers
        self.session = endpoints.session
        self.event = NetworkEvent(
            networkCode: endpoints.session.networkCode,
            customAssetKey: endpoints.session.customAssetKey
        )
        self.playback = plan.playback
        self.personas =
            plan.audience.personas.isEmpty
            ? [PersonaShare(.ofProfile(plan.playback), share: 1)] : plan.audience.personas
        self.playbackFacts = self.personas.map { PlaybackFacts($0.persona) }
        self.breaks = plan.breaks
        self.pods = plan.pods
        self.audience = plan.audience
        self.pictureInPicture = plan.audience.pictureInPicture
        self.calendar = BreakCalendar(plan.breaks, runStart: timebase.wallStart)
        self.breakBook = BreakBook(self.calendar)
        switch plan.playback.reload {
        case .lastSegment: self.reloadRule = ReloadRule(basis: .lastSegmentDuration)
        case .targetDuration: self.reloadRule = ReloadRule(basis: .targetDuration)
        }
        let churn = plan.audience.churnPerMinute
        self.meanStay = churn > 0 ? Int64(min(60e9 / churn, 1e18)) : nil
        self.leadNanoseconds = plan.breaks.lead.nanosecondsHeld
        self.graceNanoseconds = plan.breaks.grace.nanosecondsHeld
        self.jitterNanoseconds = plan.breaks.jitter.nanosecondsHeld
        self.preconnectNanoseconds = plan.breaks.preconnect.nanosecondsHeld
        self.playoutLimitNanoseconds = plan.playback.playoutLimit?.nanosecondsHeld
    }

    /// Which of `personas` a viewer has: by share, and the same for a number in every run of one seed.
    func personaIndex(ofViewer number: Int) -> UInt8 {
        guard self.personas.count > 1 else { return 0 }
        var chance = ViewerChance(seed: self.seed &+ 0x5045_5253, viewer: number)
        var rest = chance.unit() * self.personas.reduce(0) { $0 + $1.share }
        for (index, part) in self.personas.enumerated() {
            rest -= part.share
            if rest < 0 { return UInt8(clamping: index) }
        }
        return UInt8(clamping: self.personas.count - 1)
    }

    /// URL and form body of a registration at the given ad server.
    package func registration(server: Int, now: WallTime) -> RegistrationRequest {
        RegistrationRequest(
            event: self.event,
            adTagParameters: self.session.adTagParameters,
            authToken: self.session.authTokenKey.map { key in
                AuthToken.sign(
                    fields: [
                        WireName.Token.customAssetKey: self.event.customAssetKey,
                        WireName.Token.expiry: self.expiry(from: now),
                        WireName.Token.networkCode: self.event.networkCode,
                    ],
                    key: key
                )
            }
        )
    }

    /// URL of the pod that a session asks for at a break.
    package func podURL(
        _ identifier: PodIdentifier,
        streamID: StreamID,
        duration: Duration,
        at instant: WallTime,
        viewer: Int
    ) -> String {
        if let url = self.templatePodURL(
            identifier,
            streamID: streamID,
            duration: duration,
            at: instant,
            viewer: viewer
        ) {
            return url
        }
        let request = PodManifestRequest(
            event: self.event,
            identifier: identifier,
            streamID: streamID,
            podDuration: duration,
            authToken: self.session.authTokenKey.map {
                self.podToken(identifier, duration: duration, key: $0, at: instant)
            },
            custParams: self.session.custParams,
            scte35: self.session.scte35
        )
        return (self.adServers.first ?? "") + request.pathAndQuery()
    }

    private func podToken(_ identifier: PodIdentifier, duration: Duration, key: String, at instant: WallTime) -> String
    {
        var fields = [
            WireName.Token.customAssetKey: self.event.customAssetKey,
            WireName.Token.expiry: self.expiry(from: instant),
            WireName.Token.networkCode: self.event.networkCode,
            WireName.Token.podDuration: String(duration.nanosecondsHeld / 1_000_000),
        ]
        switch identifier {
        case .sequence(let number): fields[WireName.Token.podID] = String(number)
        case .adBreakID(let name): fields[WireName.Token.adBreakID] = name
        }
        fields[WireName.customParametersParameter] = self.session.custParams
        fields[WireName.scte35Parameter] = self.session.scte35
        return AuthToken.sign(fields: fields, key: key)
    }

    private func expiry(from instant: WallTime) -> String {
        String((instant + self.session.authTokenValidity).microseconds / 1_000_000)
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
