import Rules

extension PlanRules {
    /// A threshold on a figure that the run cannot have would never be decided.
    func judgeThresholds() {
        guard reading.isSound("thresholds") else { return }
        // Each is at the next field without a problem: the plan has none of the others.
        let fields = (0...).lazy.map { "thresholds[\($0)]" }.filter(reading.isSound)
        for (rule, field) in zip(plan.thresholds, fields) where !rule.holdsAlways {
            let cause = plan.whyAbsent(rule.metric)
            // Some limits allow its count of 0.
            let isDecided = rule.metric.isZeroWhenAbsent && rule.comparison.holds(0, rule.limit)
            let causes = ["breaks", "playback", "target", "audience", "impressions", "impressionSink"]
            let message = cause.map { "\"\(ShownValue.of(rule.text))\": \($0); allowed: a metric that this run has" }
            reading.judge([field] + causes, if: !isDecided, message)
        }
    }
}

extension Metric {
    /// Whether the figure is 0 rather than undefined where there was nothing to count.
    fileprivate var isZeroWhenAbsent: Bool {
        switch self {
        case .requests, .breaks(nil, .due), .breaks(nil, .requests), .breaks(nil, .count): true
        case .events(.scheduled), .events(.restricted), .events(.changed), .events(.unaccounted), .viewers: true
        default: false
        }
    }
}

extension LoadPlan {
    /// Reason why the run cannot have this figure with any target.
    fileprivate func whyAbsent(_ metric: Metric) -> String? {
        switch metric {
        case .requests(let kind?), .errors(let kind?), .latency(let kind?, _, _): whyAbsent(kind)
        case .breaksOfPersona(let name, _):
            audience.personas.contains { $0.persona.name == name }
                ? whyNoBreaks : "no persona of the profile has this name"
        case .breaksOnTimeOfWorstPersona: audience.personas.isEmpty ? "the profile names no personas" : whyNoBreaks
        // Pods stitched into the channel are compared, too.
        case .fill(.differing): nil
        case .breaks(_, .requests), .breaks(_, .errors), .breaks(_, .spread), .fill: whyNoPods
        case .breaks, .breakLateness: whyNoBreaks
        case .breakDiscovery: whyNoAnnouncements
        case .firstPicture, .rebuffering, .viewers(.firstPictures), .viewers(.watchedMilliseconds): whyAbsent(.segment)
        case .breakFirstPicture: whyAbsent(.podSegment)
        case .events: whyNoInterstitials
        case .viewers(let counter): whyNever(counter)
        default: nil
        }
    }

    private func whyNever(_ counter: ViewerCounter) -> String? {
        switch counter {
        case .churned: audience.churnPerMinute > 0 ? nil : "no viewer is replaced (audience.churnPerMinute is 0)"
        case .enteredPictureInPicture, .leftPictureInPicture:
            audience.pictureInPicture.share > 0
                ? nil : "no viewer uses picture in picture (audience.pictureInPicture is missing)"
        case .seeks: audience.seeks == nil ? "no viewer seeks (audience.seeks is missing)" : nil
        case .abandoned, .reopened, .lost:
            audience.abandonment == nil ? "no viewer gives up (audience.abandonment is missing)" : nil
        case .pingsSent, .pingsLost, .pingsRecorded, .pingsAccepted, .pingsUnknown, .pingsFailed:
            whyAbsent(.verification)
        case .beaconsSent, .beaconsFailed: whyAbsent(.beacon)
        case .stitchedBreaks:
            breaks.recognisesStitched ? nil : "viewers recognise no stitched breaks (breaks.stitched is false)"
        case .blockingReloads, .blockingFallbacks, .hintsUsed, .hintsGone: whyNoLowLatency
        case .steeringSwitches, .steeringDelayed: whyAbsent(.steering)
        case .preloadsTaken: whyNoInterstitials
        case .sessionUpdatesWithoutURL, .sessionUpdatesOverlapped: whyAbsent(.sessionUpdate)
        case .registered, .registrationFailed, .registrationRetried, .registrationRenewed, .registrationFailedOver:
            whyAbsent(.registration)
        default: nil
        }
    }

    private var whyNoBreaks: String? { breaks.areNone ? "no break is tested (breaks: none)" : nil }

    private var whyNoPods: String? {
        breaks.asksForNoAds ? "viewers ask for no ads (breaks: none, or only stitched breaks)" : nil
    }

    private func whyAbsent(_ kind: RequestKind) -> String? {
        switch kind {
        case .multivariant, .playlist, .preflight: nil
        case .registration: target.hasSession ? nil : "viewers of this target register no session"
        case .sessionUpdate:
            target.sessionUpdates == nil ? "viewers update no session (sessionUpdates is missing)" : nil
        case .steering:
            players.contains { $0.pathways.followsSteering }
                ? nil : "no player of the audience follows content steering (audience.personas)"
        case .blockingPlaylist: whyNoLowLatency
        case .segment: whyNoSegments(of: "the channel", areLoaded: playback.segments.includesContent)
        case .key:
            playback.segments == .none ? whyNoSegments(of: "the channel", areLoaded: false) : nil
        case .part: whyNoSegments(of: "the channel", areLoaded: playback.segments.includesContent) ?? whyNoLowLatency
        case .podSegment:
            whyNoSegments(of: "ads", areLoaded: playback.segments.includesAds) ?? whyNoPods
                ?? (impressions == .allowed ? nil : "viewers load no segments of ads (\(Self.notAllowed))")
        case .podManifest: whyNoOwnPods
        case .podPlaylist: whyNoPods
        case .assetList, .assetManifest: whyNoInterstitials
        case .beacon: (target.tracksAvails ? nil : whyNoInterstitials) ?? whyWithheld
        case .metadata where target.tracksAvails: nil
        case .metadata:
            playback.pollsMetadata ? whyNoMetadata : "viewers poll no metadata (playback.metadata is false)"
        case .verification where !playback.sendsVerificationPings:
            "viewers send no pings (playback.verificationPings is false)"
        // Stitched ads are verified by the media ids in their segments.
        case .verification where breaks.recognisesStitched && playback.segments.includesContent:
            whyNoMetadata ?? whyWithheld
        case .verification: whyNoMetadata ?? whyNoOwnPods ?? whyWithheld
        }
    }

    private var players: [Persona] {
        audience.personas.isEmpty ? [Persona.ofProfile(playback)] : audience.personas.map(\.persona)
    }

    private var whyNoLowLatency: String? {
        players.contains { $0.lowLatency.blocking != .never }
            ? nil : "no player of the audience plays low latency (audience.personas)"
    }

    private func whyNoSegments(of media: String, areLoaded: Bool) -> String? {
        guard playback.segments != .none else { return "viewers load no segments (playback.segments is none)" }
        return areLoaded
            ? nil : "viewers load no segments of \(media) (playback.segments is \(playback.segments.rawValue))"
    }

    private var whyNoOwnPods: String? {
        breaks.source == .none ? "viewers ask for no pods of their own (breaks.source is missing)" : nil
    }

    private var whyNoInterstitials: String? {
        breaks.playsInterstitials ? nil : "viewers play no interstitials (breaks.interstitials is false)"
    }

    private var whyNoAnnouncements: String? {
        guard !breaks.playsInterstitials, !breaks.source.readsDateRanges else { return nil }
        return "viewers follow no breaks that the channel announces (breaks.source.dateRange, breaks.interstitials)"
    }

    private var whyNoMetadata: String? {
        target.hasMetadata ? nil : "sessions of this target name no metadata and no address for pings"
    }

    private var whyWithheld: String? {
        impressions == .withheld ? "viewers send no pings and beacons (\(Self.notAllowed))" : nil
    }

    private static let notAllowed = "the profile does not say impressions: allowed"
}
