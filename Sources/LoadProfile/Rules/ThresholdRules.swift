import Players
import ProfileSyntax
import Rulebook
import Thresholds

extension PlanRules {
    /// A threshold on a figure that the planned run cannot have would never be decided.
    func judgeThresholds() {
        for threshold in plan.thresholds where !threshold.rule.holdsAlways {
            let rule = threshold.rule
            let cause = plan.whyAbsent(rule.metric)
            reading.rule(
                threshold.field,
                "breaks",
                "playback",
                "target",
                "audience",
                // A count is 0 then, which some limits allow.
                isBroken: cause != nil && !(rule.metric.isZeroWhenAbsent && rule.comparison.holds(0, rule.limit)),
                message: "\"\(ShownValue.of(rule.text))\": \(cause ?? "")",
                allowed: "a metric that this run has"
            )
        }
    }
}

extension Metric {
    /// Whether the figure is 0, and not without a sample, where there was nothing to count.
    fileprivate var isZeroWhenAbsent: Bool {
        switch self {
        case .requests, .breaks(nil, .due), .breaks(nil, .requests), .breaks(nil, .count): true
        case .events(.scheduled), .events(.restricted), .events(.changed), .events(.unaccounted): true
        default: false
        }
    }
}

extension LoadPlan {
    /// Why a run of the plan can have no such figure, whatever the target does; nil where it can.
    fileprivate func whyAbsent(_ metric: Metric) -> String? {
        switch metric {
        case .requests(let kind?), .errors(let kind?), .latency(let kind?, _, _): whyAbsent(kind)
        case .breaksOfPersona(let name, _):
            audience.personas.contains { $0.persona.name == name }
                ? whyNoBreaks : "no persona of the profile has this name"
        case .breaksOnTimeOfWorstPersona: audience.personas.isEmpty ? "the profile names no personas" : whyNoBreaks
        // Pods that are stitched into the channel are compared, too.
        case .fill(.differing): nil
        case .breaks, .breakLateness, .fill: whyNoBreaks
        case .events: breaks.playsInterstitials ? nil : "viewers play no interstitials (breaks.interstitials is false)"
        default: nil
        }
    }

    private var whyNoBreaks: String? {
        breaks.asksForNoAds ? "viewers ask for no ads (breaks: none, or only stitched breaks)" : nil
    }

    private func whyAbsent(_ kind: RequestKind) -> String? {
        switch kind {
        case .segment, .part, .podSegment:
            playback.segments == .none ? "viewers load no segments (playback.segments is none)" : nil
        case .podManifest:
            breaks.source == .none ? "viewers ask for no pods of their own (breaks.source is missing)" : nil
        case .podPlaylist: whyNoBreaks
        case .assetList, .assetManifest:
            breaks.playsInterstitials ? nil : "viewers play no interstitials (breaks.interstitials is false)"
        case .metadata: playback.pollsMetadata ? nil : "viewers poll no metadata (playback.metadata is false)"
        case .verification:
            playback.sendsVerificationPings ? nil : "viewers send no pings (playback.verificationPings is false)"
        case .registration, .multivariant, .playlist, .blockingPlaylist, .steering, .beacon, .sessionUpdate: nil
        }
    }
}
