extension PlanRules {
    func judgeTarget() {
        switch plan.target {
        case .embedded(let origin):
            judgeEmbedded(origin)
            judgeSession(origin.session, at: "target.embedded")
        case .podServing(let target):
            judgePodServing(target)
            judgeSession(target.session, at: "target.podServing")
        }
    }

    private func judgeEmbedded(_ origin: EmbeddedOriginPlan) {
        reading.rule(
            "target.embedded.sessionValidity",
            "target.embedded.metadataPolling",
            isBroken: origin.sessionValidity <= origin.metadataPollingFrequency,
            message: "sessions of \(DurationText.of(origin.sessionValidity)) end before their metadata is polled, "
                + "every \(DurationText.of(origin.metadataPollingFrequency))"
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
        for (name, url) in addresses {
            guard let address = url.flatMap({ WebAddress($0) }) else { continue }
            reading.rule(
                "\(field).\(name)",
                "\(field).authorisedHosts",
                isBroken: !address.isPermitted(by: target.authorisedHosts),
                message: "the host \(ShownValue.of(address.host)) may not be asked",
                allowed: "loopback and what target.podServing.authorisedHosts names"
            )
        }
        reading.rule(
            "\(field).backupAdServer",
            "\(field).adServer",
            isBroken: target.backupAdServer.flatMap { WebAddress($0) } == WebAddress(target.adServer)
                && target.backupAdServer != nil,
            message: "is the ad server itself"
        )
    }

    private func judgeSession(_ session: SessionPlan, at field: String) {
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
                message: "\(DurationText.of(timeout)) is longer than the total of "
                    + DurationText.of(connection.totalTimeout)
            )
        }
    }
}
