import AdServing
import Values

extension PlanRules {
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
