import LoadProfile
import Origin
import Time

/// What a bill takes a channel for that nobody has asked yet.
package struct AssumedChannel {
    /// A short one: who is polled less than the bill says is not harmed.
    package var segmentDuration = Duration.seconds(4)
    package var adDuration = Duration.seconds(10)
    package var metadataPolling = Duration.seconds(10)
    /// From one break of the channel to the next, where the channel says when they are.
    package var breakInterval = Duration.seconds(60)

    package init() {}

    /// The plan with the reference origin in place of its target: the same requests, and nobody else's names or secrets.
    func standingIn(for plan: LoadPlan) -> LoadPlan {
        var standIn = plan
        standIn.target = .embedded(origin(for: plan))
        standIn.breaks.source = BreakPlan.Source(
            plan.breaks.source.each.map { $0.isDateRange ? .dateRange(classAttribute: nil) : $0 }
        )
        return standIn
    }

    /// The settings of the origin that stands in, from those that the plan makes.
    func configured(_ configuration: OriginConfiguration, for plan: LoadPlan) -> OriginConfiguration {
        var configuration = configuration
        // Viewers that have a schedule of their own alone need none of the channel.
        configuration.breakInterval =
            isChannelScheduled(plan) ? max(breakInterval, plan.breaks.podDuration) : .zero
        return configuration
    }

    private func isChannelScheduled(_ plan: LoadPlan) -> Bool {
        plan.breaks.source.readsDateRanges || plan.breaks.source == .none
    }

    private func origin(for plan: LoadPlan) -> EmbeddedOriginPlan {
        let defaults = OriginConfiguration()
        var session = SessionPlan.none
        session.networkCode = defaults.networkCode
        session.customAssetKey = defaults.customAssetKey
        return EmbeddedOriginPlan(
            standingInFor: plan.target.shape,
            reporting: plan.target.reporting,
            segmentDuration: segmentDuration,
            adDuration: min(adDuration, max(plan.breaks.podDuration, .seconds(1))),
            announcesBreaks: plan.breaks.source.readsDateRanges,
            sessionValidity: defaults.sessionValidity,
            metadataPollingFrequency: metadataPolling,
            session: session
        )
    }

    /// What the bill of a plan stands on.
    func assumptions(for plan: LoadPlan) -> [String] {
        var facts = [
            "segments of \(text(segmentDuration)) (--segment-duration)", "ads of \(text(adDuration)) (--ad-duration)",
        ]
        if case .podServing = plan.target, plan.playback.pollsMetadata {
            facts.append("metadata every \(text(metadataPolling)) (--metadata-polling)")
        }
        if isChannelScheduled(plan) {
            let length = text(plan.breaks.podDuration)
            facts.append("a break of \(length) each \(text(breakInterval)) (--break-interval)")
        }
        return [
            "The target is not asked. It is taken for a plain channel with \(facts.joined(separator: ", ")).",
            "Low latency, audio and subtitles apart, content steering and interstitials that the channel schedules besides "
                + "come on top. So does what viewers ask again where answers are slow, late or wrong.",
            "How many bytes it sends only the target knows. Those above are what the reference origin would send, whose "
                + "segments have about 100 kbit/s; a target's are larger by as much as its bit rates are.",
        ]
    }

    private func text(_ duration: Duration) -> String {
        let milliseconds = duration.nanosecondsHeld / 1_000_000
        return milliseconds.isMultiple(of: 1_000) ? "\(milliseconds / 1_000) s" : "\(milliseconds) ms"
    }
}

extension TargetPlan {
    package var isEmbedded: Bool {
        guard case .embedded = self else { return false }
        return true
    }

    /// The embedded origin's shape in which it is asked as this target is.
    fileprivate var shape: EmbeddedShape {
        switch self {
        case .embedded(let origin): origin.shape
        case .podServing: .podServing
        case .mediaTailor(let target): target.session == .implicit ? .mediaTailorImplicit : .mediaTailorExplicit
        case .eyevinnProxy: .eyevinnProxy
        case .urlTemplates: .urlTemplates
        }
    }

    /// As profiles spell it.
    package var kindName: String {
        switch self {
        case .embedded: "embedded"
        case .podServing: "podServing"
        case .mediaTailor: "mediaTailor"
        case .eyevinnProxy: "eyevinnProxy"
        case .urlTemplates: "urlTemplates"
        }
    }
}
