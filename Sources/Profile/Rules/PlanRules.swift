import AdServing
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

    /// Above any real audience; more returns would take more memory than the rest of a run.
    private static let mostReturns = 5_000_000.0

    func judgeCurve() {
        guard let curve = plan.audience.curve else { return }
        reading["audience.ramp", "audience.curve", if: reading.isGiven("audience.ramp")] =
            "stands beside audience.curve, which says when viewers join"
        judgePoints(curve)
        judgeBreakLeaves(curve)
    }

    private func judgePoints(_ curve: CurvePlan) {
        let field = curve.shape == nil ? "audience.curve.points" : "audience.curve"
        // Unreadable points are missing here, which would change the order.
        guard reading.isWhollySound("audience.curve") else { return }
        reading[field, if: curve.points.isEmpty] = "has no point in it"
        let turned = zip(curve.points, curve.points.dropFirst()).first { $0.at > $1.at }
        let times = turned.map { [$1.at.text, $0.at.text] } ?? []
        reading[field, "duration", if: turned != nil] =
            "what is to be at \(times.joined(separator: " comes after what is to be at "))"
        let end = curve.points.map(\.at).max() ?? .zero
        reading[field, "duration", if: end > plan.duration] =
            "goes on until \(end.text), and the run ends at \(plan.duration.text)"
        let highest = curve.points.map(\.share).max() ?? 1
        reading[field, if: abs(highest - 1) > 1e-9] =
            "never reaches 100%, and audience.viewers is the most who watch at once"
    }

    private func judgeBreakLeaves(_ curve: CurvePlan) {
        guard let leaves = curve.breakLeaves else { return }
        let breaks: Double
        switch (leaves.instants, plan.breaks.source) {
        case (let instants?, _): breaks = Double(instants.count)
        case (nil, .every(let interval, _)): breaks = max(plan.duration / max(interval, .milliseconds(1)), 1)
        case (nil, .list(let instants)): breaks = Double(instants.count)
        case (nil, _):
            breaks = 0
            reading["audience.curve.leaves", "breaks.source", if: true] =
                "the breaks of this profile are not known before the run: say in at when they start; "
                + "allowed: at, or breaks.source with every or list"
        }
        let instants = leaves.instants ?? []
        let field = "audience.curve.leaves.at"
        let isTurned = zip(instants, instants.dropFirst()).contains { $0 >= $1 }
        reading[field, if: leaves.instants?.isEmpty ?? false || isTurned] =
            instants.isEmpty ? "has no break in it" : "the breaks are not in ascending order"
        let last = instants.last ?? .zero
        reading[field, "duration", if: last >= plan.duration] =
            "the break at \(last.text) is not before the end of the run at \(plan.duration.text)"
        let returning = breaks * Double(plan.audience.viewers) * leaves.share * leaves.returns
        let areMany = returning > Self.mostReturns
        reading["audience.curve.leaves", "audience.viewers", "breaks.source", "duration", if: areMany] =
            "\(Int(returning)) viewers would come back in all; "
            + "allowed: at most \(Int(Self.mostReturns)): viewers x breaks x share x returns"
    }

    func judgeTarget() {
        let (target, hosts) = ("target.\(plan.target.name)", "target.\(plan.target.name).authorisedHosts")
        for (name, url) in plan.target.addressFields {
            guard let address = WebAddress(url) else { continue }
            reading["\(target).\(name)", hosts, if: !address.isPermitted(by: plan.target.authorisedHosts)] =
                "the host \(ShownValue.of(address.origin.host)) may not be asked; allowed: loopback and what \(hosts) names"
        }
        if case .urlTemplates(let templates) = plan.target, templates.target.session == nil {
            let isFilled = plan.connection.headers.values.contains { $0.contains("{stream_id}") }
            reading["connection.headers", "\(target).session", if: isFilled] =
                "the id of a session has no value without \(target).session"
        }
        if case .embedded(let origin) = plan.target {
            judgeSourceAddresses()
            judgeUpdates(origin.session, at: target, aimedBy: origin.aimingParameter ?? "")
        }
        if case .podServing(let pods) = plan.target { judgeUpdates(pods.session, at: target, aimedBy: nil) }
        reading["breaks.source", "target", if: plan.breaks.source != .none && !plan.target.hasPods] =
            "this target has no pods to ask for: its channel schedules the breaks; "
            + "allowed: breaks.interstitials or breaks.stitched without breaks.source"
    }

    private func judgeSourceAddresses() {
        for (index, text) in plan.connection.sourceAddresses.enumerated() {
            let isOwn = IPAddress(text).map { !$0.isVersion6 && $0.isLoopback } ?? true
            reading["connection.sourceAddresses[\(index)]", "target", if: !isOwn] =
                "\"\(text)\" cannot reach the embedded origin; allowed: an address of 127.0.0.0/8"
        }
    }

    /// Only `aimingParameter` aims pods; nil: any parameter may; empty: none does.
    private func judgeUpdates(_ session: SessionPlan, at field: String, aimedBy aimingParameter: String?) {
        guard let updates = session.updates else { return }
        let section = "\(field).sessionUpdates"
        reading["\(section).every", "duration", if: updates.every >= plan.duration] =
            "\(updates.every.text)\(isDefault("\(section).every")) is not shorter than the run of "
            + plan.duration.text
        let mayAim = aimingParameter.map { updates.adTagParameters[$0] != nil } ?? true
        let matches = ["match", "matchStitched", "matchLadder", "matchVarying", "repeatShare"].map { "pods.\($0)" }
        let comparesPods = plan.pods.comparesCohorts || plan.pods.repeatShare > 0
        reading.judge(
            [section] + matches,
            if: mayAim && comparesPods,
            "a viewer that says something else may be given other pods than its cohort, and than before; allowed: "
                + "no cohort in pods.match and its like and no pods.repeatShare, or no parameter that aims pods"
        )
    }

    func judgeProxy() {
        let connection = plan.connection
        guard let proxy = connection.proxy else { return }
        let (place, field) = (proxy.host.authority(port: proxy.port), plan.target.authorisedHostsField)
        let isPermitted = WebAddress("http://\(place)")?.isPermitted(by: plan.target.authorisedHosts) ?? false
        reading["connection.proxy", field ?? "target", if: !isPermitted] =
            "the host \(ShownValue.of(proxy.host)) may not be asked; allowed: "
            + (field.map { "loopback and what \($0) names; add \(ShownValue.of(place)) there" }
                ?? "loopback, where the embedded origin is")
        reading["connection.protocol", "connection.proxy", if: connection.version == .http2] =
            "http2 is spoken without TLS too, which podswarm does not send through a proxy; "
            + "allowed: http1 or http2-or-http1 with connection.proxy"
        reading["connection.maximumRequests", "connection.proxy", if: connection.maximumRequests != nil] =
            "has no effect through a proxy: libcurl carries those requests and does not count them; "
            + "allowed: one of the two"
    }

    func judgeImpressions() {
        if case .sink(let server) = plan.impressions, let address = WebAddress(server) {
            reading["impressionSink", "target", if: !address.isPermitted(by: plan.target.authorisedHosts)] =
                "the host \(ShownValue.of(address.origin.host)) may not be asked; "
                + "allowed: loopback and what the target's authorisedHosts names"
        }
        let areBoth = reading.isGiven("impressionSink") && reading.isGiven("impressions")
        reading["impressionSink", "impressions", if: areBoth] =
            "says already what becomes of impressions; allowed: one of impressions and impressionSink"
        // Viewers that load the channel also load ads stitched into it. Unmarked ads are known to be free of charge only for
        // podswarm's own origin.
        let segments = plan.playback.segments
        let isMarked = plan.breaks.recognisesStitched
        let mayCount = segments.includesContent && (isMarked || !plan.target.isEmbedded) && plan.impressions != .allowed
        reading["playback.segments", "breaks.stitched", "impressions", "impressionSink", "target", if: mayCount] =
            "\(segments.rawValue) loads \(isMarked ? "the ads that are stitched into" : "also unmarked ads in")"
            + " the channel, which may count as views; allowed: none or ads, or impressions: allowed"
    }
}
