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
        case .mediaTailor(let target):
            judgeAddresses([("server", target.server)], at: "target.mediaTailor", target.authorisedHosts)
        case .eyevinnProxy(let target):
            judgeAddresses([("master", target.master)], at: "target.eyevinnProxy", target.authorisedHosts)
        case .urlTemplates(let target): judgeTemplates(target)
        }
        judgePods()
    }

    /// A client that schedules breaks needs a target with pods.
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
                message: "\"\(ShownValue.of(name))\" is no parameter that viewers register with",
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
    }
}
