import AdServing
import Values

extension PlanRules {
    func judgeTarget() {
        switch plan.target {
        case .embedded(let origin):
            judgeEmbedded(origin)
            judgeSession(origin.session, at: "target.embedded")
            judgeUpdates(origin)
        case .podServing(let target):
            judgePodServing(target)
            judgeSession(target.session, at: "target.podServing")
            judgeUpdates(target.session, at: "target.podServing", aimedBy: nil)
        case .mediaTailor(let plan):
            judgeAddresses([("server", plan.target.server)], at: "target.mediaTailor", plan.authorisedHosts)
        case .eyevinnProxy(let plan):
            judgeAddresses([("master", plan.target.master)], at: "target.eyevinnProxy", plan.authorisedHosts)
        case .urlTemplates(let target): judgeTemplates(target)
        }
        judgePods()
    }

    private func judgePods() {
        let needsPods = plan.breaks.source != .none
        reading.rule(
            "breaks.source",
            "target",
            isBroken: needsPods && !plan.target.hasPods,
            message: "this target has no pods to ask for: its channel schedules the breaks",
            allowed: "breaks.interstitials or breaks.stitched without breaks.source"
        )
    }

    private func judgeTemplates(_ target: URLTemplatesPlan) {
        let field = "target.urlTemplates"
        let addresses = [("content", target.content), ("session.url", target.session?.url), ("pod", target.pod)]
        judgeAddresses(
            addresses.compactMap { name, url in url.map { (name, Placeholders.filled($0)) } },
            at: field,
            target.authorisedHosts
        )
        let pointsToContent = target.session?.content != nil
        reading.rule(
            "\(field).content",
            "\(field).session",
            isBroken: (target.content != nil) == pointsToContent,
            message: pointsToContent
                ? "the session's answer already holds the channel's URL (session.content)"
                : "is missing, and no session's answer holds it",
            allowed: "one of content and session.content"
        )
        for (name, template) in [("content", target.content), ("pod", target.pod)] {
            reading.rule(
                "\(field).\(name)",
                "\(field).session",
                isBroken: target.session == nil && template?.contains("{stream_id}") == true,
                message: "{stream_id} has no value without \(field).session"
            )
        }
        reading.rule(
            "connection.headers",
            "\(field).session",
            isBroken: target.session == nil && plan.connection.headers.values.contains { $0.contains("{stream_id}") },
            message: "the id of a session has no value without \(field).session"
        )
        reading.rule(
            "\(field).sessionEnds",
            "\(field).session",
            isBroken: target.session == nil && !target.sessionEnds.isEmpty,
            message: "has no effect without \(field).session"
        )
    }

    private func judgeAddresses(_ addresses: [(name: String, url: String)], at field: String, _ hosts: [String]) {
        for (name, url) in addresses {
            guard let address = WebAddress(url) else { continue }
            reading.rule(
                "\(field).\(name)",
                "\(field).authorisedHosts",
                isBroken: !address.isPermitted(by: hosts),
                message: "the host \(ShownValue.of(address.host)) may not be asked",
                allowed: "loopback and what \(field).authorisedHosts names"
            )
        }
    }

    private func judgeEmbedded(_ origin: EmbeddedOriginPlan) {
        reading.rule(
            "target.embedded.sessionValidity",
            "target.embedded.metadataPolling",
            isBroken: origin.sessionValidity <= origin.metadataPollingFrequency,
            message: "sessions of \(origin.sessionValidity.text) end before their metadata is polled, "
                + "every \(origin.metadataPollingFrequency.text)"
        )
        if let name = origin.aimingParameter {
            let parameters = "target.embedded.adTagParameters"
            reading.rule(
                "target.embedded.aimBy",
                parameters,
                isBroken: origin.session.adTagParameters[name] == nil && reading.isWhollySound(parameters),
                message: "\"\(ShownValue.of(name))\" is not a registration parameter",
                allowed: "a name of target.embedded.adTagParameters"
            )
        }
        reading.rule(
            "target.embedded.reporting",
            "target.embedded.shape",
            isBroken: origin.reporting != nil && !origin.shape.isMediaTailor,
            message: "has no effect in this shape",
            allowed: "media-tailor-implicit and media-tailor-explicit"
        )
        reading.rule(
            "target.embedded.sessionPlaylists",
            "target.embedded.shape",
            isBroken: origin.hasSessionPlaylists && !origin.shape.hasPods,
            message: "has no effect in this shape",
            allowed: "pod-serving and url-templates"
        )
        reading.rule(
            "target.embedded.closeBreaks",
            "target.embedded.announceBreaks",
            isBroken: origin.closesBreaks && !origin.announcesBreaks,
            message: "there are no announced breaks to close"
        )
        for (index, text) in plan.connection.sourceAddresses.enumerated() {
            guard let address = IPAddress(text) else { continue }
            reading.rule(
                "connection.sourceAddresses[\(index)]",
                "target",
                isBroken: address.isVersion6 || !address.isLoopback,
                message: "\"\(text)\" cannot reach the embedded origin",
                allowed: "an address of 127.0.0.0/8"
            )
        }
    }

    private func judgePodServing(_ target: PodServingPlan) {
        let field = "target.podServing"
        let addresses: [(name: String, url: String?)] = [
            ("contentURL", target.contentURL), ("adServer", target.adServer), ("backupAdServer", target.backupAdServer),
        ]
        judgeAddresses(
            addresses.compactMap { name, url in url.map { (name, $0) } },
            at: field,
            target.authorisedHosts
        )
        reading.rule(
            "\(field).backupAdServer",
            "\(field).adServer",
            isBroken: target.backupAdServer.flatMap { WebAddress($0) } == WebAddress(target.adServer)
                && target.backupAdServer != nil,
            message: "is the ad server itself"
        )
    }

    private func judgeSession(_ session: SessionPlan, at field: String) {
        let registered = session.adTagParameters[WireName.customParametersParameter]
        reading.rule(
            "\(field).custParams",
            "\(field).adTagParameters",
            isBroken: session.custParams != nil && registered != nil && registered != session.custParams,
            message: "says something else than cust_params of \(field).adTagParameters: viewers would register "
                + "with the one and ask for pods with the other",
            allowed: "one of the two, or the same text"
        )
        reading.rule(
            "\(field).authTokenValidity",
            "\(field).authTokenKey",
            isBroken: session.authTokenKey == nil && reading.isGiven("\(field).authTokenValidity"),
            message: "has no effect without \(field).authTokenKey"
        )
    }

    func judgeConnection() {
        let connection = plan.connection
        let pairs = [("clientCertificate", "clientKey"), ("clientKey", "clientCertificate")]
        for (given, missing) in pairs {
            reading.rule(
                "connection.\(given)",
                "connection.\(missing)",
                isBroken: reading.isGiven("connection.\(given)") && !reading.isGiven("connection.\(missing)"),
                message: "needs connection.\(missing) beside it"
            )
        }
        reading.rule(
            "connection.insecure",
            "connection.caFile",
            isBroken: !connection.verifiesTLS && connection.caFile != nil,
            message: "verifies nothing, so connection.caFile has no effect; leave one of them out"
        )
        reading.rule(
            "connection.maximumRequests",
            "connection.transport",
            isBroken: connection.maximumRequests != nil && connection.transport == .curl,
            message: "has no effect on libcurl, which does not count them; "
                + "leave it out or set connection.transport to auto"
        )
        reading.rule(
            "connection.protocol",
            "connection.transport",
            isBroken: connection.version == .http2 && connection.transport == .curl,
            message: "http2 is spoken without TLS too, which podswarm does not ask of libcurl",
            allowed: "http1 or http2-or-http1 with connection.transport: curl"
        )
        let parts = [("connect", connection.connectTimeout), ("firstByte", connection.firstByteTimeout)]
        for (name, timeout) in parts {
            reading.rule(
                "connection.timeouts.\(name)",
                "connection.timeouts.total",
                isBroken: timeout > connection.totalTimeout,
                message: "\(timeout.text) is longer than the total of "
                    + connection.totalTimeout.text
            )
        }
        judgeProxy()
    }

    private func judgeProxy() {
        let connection = plan.connection
        guard let proxy = connection.proxy else {
            reading.rule(
                "connection.noProxy",
                "connection.proxy",
                isBroken: !connection.noProxy.isEmpty,
                message: "has no effect without connection.proxy"
            )
            return
        }
        let (place, field) = (proxy.host.authority(port: proxy.port), plan.target.authorisedHostsField)
        reading.rule(
            "connection.proxy",
            field ?? "target",
            isBroken: WebAddress("http://\(place)")?.isPermitted(by: plan.target.authorisedHosts) != true,
            message: "the host \(ShownValue.of(proxy.host)) may not be asked",
            allowed: field.map { "loopback and what \($0) names; add \(ShownValue.of(place)) there" }
                ?? "loopback, where the embedded origin is"
        )
        reading.rule(
            "connection.protocol",
            "connection.proxy",
            isBroken: connection.version == .http2,
            message: "http2 is spoken without TLS too, which podswarm does not send through a proxy",
            allowed: "http1 or http2-or-http1 with connection.proxy"
        )
        reading.rule(
            "connection.maximumRequests",
            "connection.proxy",
            isBroken: connection.maximumRequests != nil,
            message: "has no effect through a proxy: libcurl carries those requests and does not count them",
            allowed: "one of the two"
        )
    }
}

extension PlanRules {
    /// Only `aimingParameter` aims pods; nil: any parameter may; empty: none does.
    func judgeUpdates(_ session: SessionPlan, at field: String, aimedBy aimingParameter: String?) {
        guard let updates = session.updates else { return }
        let section = "\(field).sessionUpdates"
        let parameters = "\(section).adTagParameters"
        rule("\(section).every", "duration", isBroken: updates.every >= plan.duration) {
            "\(updates.every.text)\(isDefault("\(section).every")) is not shorter than the run of "
                + plan.duration.text
        }
        reading.rule(
            parameters,
            "\(field).adTagParameters",
            isBroken: updates.adTagParameters.allSatisfy { session.adTagParameters[$0.key] == $0.value }
                && reading.isWhollySound(parameters),
            message: "says what viewers register with anyway",
            allowed: "other values than those of \(field).adTagParameters"
        )
        reading.rule(
            parameters,
            "\(field).custParams",
            isBroken: session.custParams != nil
                && updates.adTagParameters[WireName.customParametersParameter] != nil,
            message: "has cust_params, which each pod request tells again as \(field).custParams says",
            allowed: "one of the two"
        )
        let mayAim = aimingParameter.map { updates.adTagParameters[$0] != nil } ?? true
        reading.rule(
            section,
            "pods.match",
            "pods.matchStitched",
            "pods.matchLadder",
            "pods.matchVarying",
            "pods.repeatShare",
            isBroken: mayAim && (plan.pods.comparesCohorts || plan.pods.repeatShare > 0),
            message: "a viewer that says something else may be given other pods than its cohort, and than before",
            allowed: "no cohort in pods.match and its like and no pods.repeatShare, or no parameter that aims pods"
        )
    }

    func judgeUpdates(_ origin: EmbeddedOriginPlan) {
        reading.rule(
            "target.embedded.sessionUpdates",
            "target.embedded.shape",
            isBroken: origin.session.updates != nil && origin.shape != .podServing,
            message: "has no effect in this shape",
            allowed: "pod-serving"
        )
        judgeUpdates(origin.session, at: "target.embedded", aimedBy: origin.aimingParameter ?? "")
    }
}

extension PlanRules {
    func judgeImpressions() {
        if case .sink(let server) = plan.impressions, let address = WebAddress(server) {
            reading.rule(
                "impressionSink",
                "target",
                isBroken: !address.isPermitted(by: plan.target.authorisedHosts),
                message: "the host \(ShownValue.of(address.host)) may not be asked",
                allowed: "loopback and what the target's authorisedHosts names"
            )
        }
        reading.rule(
            "impressionSink",
            "impressions",
            isBroken: reading.isGiven("impressionSink") && reading.isGiven("impressions"),
            message: "says already what becomes of impressions",
            allowed: "one of impressions and impressionSink"
        )
        judgeChannelSegments()
    }

    /// Viewers that load the channel also load ads stitched into it.
    ///
    /// Unmarked ads are known to be free of charge only for podswarm's own origin.
    private func judgeChannelSegments() {
        var isOwn = false
        if case .embedded = plan.target { isOwn = true }
        let loadsChannel = plan.playback.segments == .content || plan.playback.segments == .all
        let isMarked = plan.breaks.recognisesStitched
        reading.rule(
            "playback.segments",
            "breaks.stitched",
            "impressions",
            "impressionSink",
            "target",
            isBroken: loadsChannel && (isMarked || !isOwn) && plan.impressions != .allowed,
            message: "\(plan.playback.segments.rawValue) loads "
                + (isMarked ? "the ads that are stitched into" : "also unmarked ads in")
                + " the channel, which may count as views",
            allowed: "none or ads, or impressions: allowed"
        )
    }
}
