import Rules
import Values

/// Rules between fields, judged last; silent where one of the fields has a problem of its own.
struct PlanRules {
    let plan: LoadPlan
    let reading: ProfileReading

    func judge() {
        judgeAudience()
        judgeCurve()
        judgeBreakTimes()
        judgeBreakSource()
        judgePlayback()
        judgeImpressions()
        judgeProxy()
        judgeTarget()
        judgeWindowsAndReport()
        judgeThresholds()
        judgeChannel()
    }

    func isDefault(_ field: String) -> String { reading.isGiven(field) ? "" : " (the default)" }

    private func judgeAudience() {
        let audience = plan.audience
        reading["audience.ramp", "duration", if: audience.ramp > plan.duration] =
            "\(audience.ramp.text)\(isDefault("audience.ramp")) is longer than the run of \(plan.duration.text)"
        for (field, navigation) in [("audience.skips", audience.skips), ("audience.seeks", audience.seeks)] {
            let isOwn = field == "audience.skips" && plan.breaks.skipping != .never
            let isUnused = navigation != nil && !plan.breaks.playsInterstitials && !isOwn
            reading[field, "breaks.interstitials", if: isUnused] =
                "has no effect without breaks.interstitials: viewers navigate around interstitials only"
        }
        judgeBandwidth()
    }

    private func judgeBandwidth() {
        guard let bandwidth = plan.audience.bandwidth else { return }
        let segments = plan.playback.segments
        let fetches = segments.includesContent || segments.includesAds && plan.impressions == .allowed
        reading["audience.bandwidth", "playback.segments", "impressions", if: !fetches] =
            "has no effect without segments, which alone are paced by it; allowed: playback.segments: content or all, or ads "
            + "with impressions: allowed"
        guard case .trait(let name) = bandwidth, let trait = plan.audience.traits.first(where: { $0.name == name })
        else { return }
        let rates = ScalarRule<ViewerBandwidth>.bandwidth()
        // A trait of endless values has none that is a rate.
        for value in trait.source.listed ?? [""] {
            guard case .refused(let reason, _) = rates.read(value) else { continue }
            reading["audience.bandwidth", "audience.traits", if: true] =
                "the trait \(name) has the value \"\(ShownValue.of(trait.shown(value)))\", which \(reason); allowed: "
                + rates.allowed
            return
        }
    }

    private func judgeWindowsAndReport() {
        let warmUp = plan.windows.warmUp ?? .zero
        reading["windows.warmUp", "duration", if: warmUp >= plan.duration] =
            "\(warmUp.text) leaves nothing to judge of the run of \(plan.duration.text)"
        let by = plan.report.by
        let values = plan.reportedValues.reduce(0) { $0 + $1.values.count }
        reading["report.by", if: Set(by).count < by.count] = "names a trait twice"
        let lacksPersonas = by.contains(PodPlan.personaTrait) && plan.audience.personas.isEmpty
        reading["report.by", "audience.personas", if: lacksPersonas] =
            "names persona, and audience.personas has none"
        reading["report.by", if: by.count > ReportedGroups.mostNames || values > ReportedGroups.mostValues] =
            "has \(by.count) names with \(values) values; at most \(ReportedGroups.mostNames) names and \(ReportedGroups.mostValues) values"
        reading["abort.after", "duration", if: !plan.abort.isEmpty && plan.abortAfter >= plan.duration] =
            "\(plan.abortAfter.text)\(isDefault("abort.after")) is not before the end of the run at "
            + plan.duration.text
    }

    private func judgeChannel() {
        let (channel, interval) = (plan.channel, plan.channel.breakInterval)
        reading["channel", "target", if: plan.target.isEmbedded && channel != ExpectedChannel()] =
            "has no effect on the embedded origin, whose channel target.embedded describes"
        let isLate = channel.breakOffset.map { $0 >= interval ?? .zero } ?? false
        reading["channel.breakOffset", "channel.breakInterval", if: isLate] =
            "is not shorter than channel.breakInterval"
        let isLong = (channel.breakDuration ?? .zero) > (interval ?? .seconds(86_400))
        reading["channel.breakDuration", "channel.breakInterval", if: isLong] =
            "is longer than channel.breakInterval"
    }

    private func judgePlayback() {
        let limit = plan.playback.playoutLimit ?? .zero
        let longest = plan.breaks.source.ownDurations.reduce(plan.breaks.podDuration, max)
        reading["playback.playoutLimit", "breaks.podDuration", if: limit > longest] =
            "\(limit.text) never ends a pod of \(longest.text) early"
        let asked = [
            ("metadata", plan.playback.pollsMetadata), ("verificationPings", plan.playback.sendsVerificationPings),
        ]
        for (name, isOn) in asked {
            let field = "playback.\(name)"
            reading[field, "target", if: isOn && reading.isGiven(field) && !plan.target.hasMetadata] =
                "has no effect: sessions of this target name no metadata and no address for pings; "
                + "allowed: false, or a target whose sessions name them"
        }
    }
}
