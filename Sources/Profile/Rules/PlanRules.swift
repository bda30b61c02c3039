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

    func rule(_ fields: String..., isBroken: Bool, message: () -> String) {
        reading.rule(fields, isBroken: isBroken, message: message)
    }

    private func judgeAudience() {
        let audience = plan.audience
        rule("audience.ramp", "duration", isBroken: audience.ramp > plan.duration) {
            "\(audience.ramp.text)\(isDefault("audience.ramp")) is longer than the run of \(plan.duration.text)"
        }
        for (field, navigation) in [("audience.skips", audience.skips), ("audience.seeks", audience.seeks)] {
            let isOwn = field == "audience.skips" && plan.breaks.skipping != .never
            let isUnused = navigation != nil && !plan.breaks.playsInterstitials && !isOwn
            rule(field, "breaks.interstitials", isBroken: isUnused) {
                "has no effect without breaks.interstitials: viewers navigate around interstitials only"
            }
        }
        judgeBandwidth()
    }

    private func judgeBandwidth() {
        guard let bandwidth = plan.audience.bandwidth else { return }
        let segments = plan.playback.segments
        let fetches = segments.includesContent || segments.includesAds && plan.impressions == .allowed
        rule("audience.bandwidth", "playback.segments", "impressions", isBroken: !fetches) {
            "has no effect without segments, which alone are paced by it; allowed: playback.segments: content or all, or ads "
                + "with impressions: allowed"
        }
        guard case .trait(let name) = bandwidth, let trait = plan.audience.traits.first(where: { $0.name == name })
        else { return }
        let rates = ScalarRule<ViewerBandwidth>.bandwidth()
        // A trait of endless values has none that is a rate.
        for value in trait.source.listed ?? [""] {
            guard case .refused(let reason, _) = rates.read(value) else { continue }
            return rule("audience.bandwidth", "audience.traits", isBroken: true) {
                "the trait \(name) has the value \"\(ShownValue.of(trait.shown(value)))\", which \(reason); allowed: "
                    + rates.allowed
            }
        }
    }

    private func judgeWindowsAndReport() {
        let warmUp = plan.windows.warmUp ?? .zero
        rule("windows.warmUp", "duration", isBroken: warmUp >= plan.duration) {
            "\(warmUp.text) leaves nothing to judge of the run of \(plan.duration.text)"
        }
        let by = plan.report.by
        let values = plan.reportedValues.reduce(0) { $0 + $1.values.count }
        rule("report.by", isBroken: Set(by).count < by.count) { "names a trait twice" }
        let lacksPersonas = by.contains(PodPlan.personaTrait) && plan.audience.personas.isEmpty
        rule("report.by", "audience.personas", isBroken: lacksPersonas) {
            "names persona, and audience.personas has none"
        }
        rule("report.by", isBroken: by.count > ReportedGroups.mostNames || values > ReportedGroups.mostValues) {
            "has \(by.count) names with \(values) values; at most \(ReportedGroups.mostNames) names and \(ReportedGroups.mostValues) values"
        }
        rule("abort.after", "duration", isBroken: !plan.abort.isEmpty && plan.abortAfter >= plan.duration) {
            "\(plan.abortAfter.text)\(isDefault("abort.after")) is not before the end of the run at "
                + plan.duration.text
        }
    }

    private func judgeChannel() {
        let (channel, interval) = (plan.channel, plan.channel.breakInterval)
        rule("channel", "target", isBroken: plan.target.isEmbedded && channel != ExpectedChannel()) {
            "has no effect on the embedded origin, whose channel target.embedded describes"
        }
        let isLate = channel.breakOffset.map { $0 >= interval ?? .zero } ?? false
        rule("channel.breakOffset", "channel.breakInterval", isBroken: isLate) {
            "is not shorter than channel.breakInterval"
        }
        let isLong = (channel.breakDuration ?? .zero) > (interval ?? .seconds(86_400))
        rule("channel.breakDuration", "channel.breakInterval", isBroken: isLong) {
            "is longer than channel.breakInterval"
        }
    }

    private func judgePlayback() {
        let limit = plan.playback.playoutLimit ?? .zero
        let longest = plan.breaks.source.ownDurations.reduce(plan.breaks.podDuration, max)
        rule("playback.playoutLimit", "breaks.podDuration", isBroken: limit > longest) {
            "\(limit.text) never ends a pod of \(longest.text) early"
        }
        let asked = [
            ("metadata", plan.playback.pollsMetadata), ("verificationPings", plan.playback.sendsVerificationPings),
        ]
        for (name, isOn) in asked {
            let field = "playback.\(name)"
            rule(field, "target", isBroken: isOn && reading.isGiven(field) && !plan.target.hasMetadata) {
                "has no effect: sessions of this target name no metadata and no address for pings; "
                    + "allowed: false, or a target whose sessions name them"
            }
        }
    }
}
