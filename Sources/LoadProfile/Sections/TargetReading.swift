extension ProfileSection {
    /// Reads `target`; an embedded origin with its defaults stands in for a target that is wrong.
    func targetPlan() -> TargetPlan {
        oneOf(
            "target",
            shorthands: ["embedded"],
            alternatives: ["embedded", "podServing", "mediaTailor", "eyevinnProxy", "urlTemplates"]
        ) { target in
            let embedded = target.section("embedded") { $0.embeddedOriginPlan() }
            let podServing = target.section("podServing") { $0.podServingPlan() }
            let mediaTailor = target.section("mediaTailor") { $0.mediaTailorPlan() }
            let eyevinnProxy = target.section("eyevinnProxy") { $0.eyevinnProxyPlan() }
            let urlTemplates = target.section("urlTemplates") { $0.urlTemplatesPlan() }
            if target.has("podServing") { return .podServing(podServing) }
            if target.has("mediaTailor") { return .mediaTailor(mediaTailor) }
            if target.has("eyevinnProxy") { return .eyevinnProxy(eyevinnProxy) }
            if target.has("urlTemplates") { return .urlTemplates(urlTemplates) }
            return .embedded(embedded)
        }
    }

    private func embeddedOriginPlan() -> EmbeddedOriginPlan {
        EmbeddedOriginPlan(
            usesTLS: value("tls", .boolean) ?? false,
            segmentDuration: value("segmentDuration", .embeddedSegmentDuration) ?? .seconds(2),
            windowSegments: value("windowSegments", .windowSegments) ?? 6,
            variantCount: value("variants", .integer(1...2)) ?? 2,
            adDuration: value("adDuration", .duration(.seconds(1) ... .seconds(600))) ?? .seconds(5),
            announcesBreaks: value("announceBreaks", .boolean) ?? true,
            sessionValidity: value("sessionValidity", .duration(.seconds(10) ... .seconds(604_800)))
                ?? .seconds(28_800),
            metadataPollingFrequency: value("metadataPolling", .duration(.seconds(1) ... .seconds(600)))
                ?? .seconds(10),
            faultPlanPath: file("faults")?.written,
            channelPlanPath: file("channel")?.written,
            shape: value("shape", .choice) ?? .podServing,
            session: sessionPlan(isEmbedded: true)
        )
    }

    private func podServingPlan() -> PodServingPlan {
        PodServingPlan(
            contentURL: required("contentURL", .url) ?? "",
            adServer: (value("adServer", .serverURL) ?? "https://dai.google.com").withoutTrailingSlash,
            backupAdServer: value("backupAdServer", .serverURL)?.withoutTrailingSlash,
            authorisedHosts: authorisedHosts(),
            session: sessionPlan(isEmbedded: false)
        )
    }

    func authorisedHosts() -> [String] {
        (list("authorisedHosts", of: .hostPattern) ?? []).map(\.value)
    }

    /// The demo event of the IMA guide's sample names the embedded origin's event when the profile does not.
    private func sessionPlan(isEmbedded: Bool) -> SessionPlan {
        SessionPlan(
            networkCode: isEmbedded
                ? value("networkCode", .networkCode) ?? "21775744923" : required("networkCode", .networkCode) ?? "",
            customAssetKey: isEmbedded
                ? value("customAssetKey", .assetKey) ?? "sgai-hls-live" : required("customAssetKey", .assetKey) ?? "",
            adTagParameters: adTagParameters(),
            authTokenKey: value("authTokenKey", .secret),
            authTokenValidity: value("authTokenValidity", .duration(.seconds(10) ... .seconds(604_800)))
                ?? .seconds(3600),
            custParams: value("custParams", .text(expandsEnvironment: true)),
            scte35: value("scte35", .scte35)
        )
    }

    private func adTagParameters() -> [String: String] {
        var parameters: [String: String] = [:]
        for (name, value) in dictionary("adTagParameters", of: .text(expandsEnvironment: true)) {
            parameters[name] = value
            let field = fieldPath("adTagParameters.\(ShownValue.of(name))")
            reading.rule(
                field,
                isBroken: !CharacterSets.isToken(name),
                message: "\"\(ShownValue.of(name))\" cannot name a parameter",
                allowed: "letters, digits, '-', '_' and '.'"
            )
            reading.rule(
                field,
                isBroken: name == "auth-token",
                message: "podswarm makes this parameter itself; give its key as authTokenKey"
            )
        }
        return parameters
    }

    /// Reads a path, which counts from the profile's folder, and reports it if no file is there.
    func file(_ key: String) -> (written: String, resolved: String)? {
        guard let written = value(key, .text("the path of a file, from the profile's folder")) else { return nil }
        let isAbsolute = written.hasPrefix("/") || reading.folder.isEmpty
        let resolved = isAbsolute ? written : "\(reading.folder)/\(written)"
        reading.rule(
            fieldPath(key),
            isBroken: !reading.surroundings.hasFile(resolved),
            message: "no readable file at \"\(ShownValue.of(written))\", counted from the profile's folder"
        )
        return (written, resolved)
    }
}

extension String {
    var withoutTrailingSlash: String {
        hasSuffix("/") ? String(dropLast()) : self
    }
}

extension ScalarRule<Duration> {
    /// The origin's media exists in these lengths.
    fileprivate static var embeddedSegmentDuration: ScalarRule {
        let lengths: [Duration] = [.seconds(1), .seconds(2), .seconds(4), .seconds(8)]
        return duration(.zero ... .seconds(3600)).refusing(allowed: "1s, 2s, 4s, 8s") { duration in
            lengths.contains(duration) ? nil : "is not a length the embedded origin has"
        }
    }
}

extension ScalarRule<Int> {
    /// RFC 8216 section 6.2.2: a live playlist never gets shorter than three target durations.
    fileprivate static var windowSegments: ScalarRule {
        integer(0...1000).refusing(allowed: "a whole number from 3 to 1000") { count in
            count >= 3 ? nil : "is a window of less than 3 target durations (RFC 8216 section 6.2.2)"
        }
    }
}

extension ScalarRule<String> {
    /// Digits; a child publisher's code follows its parent's after a comma.
    fileprivate static var networkCode: ScalarRule {
        pathWord("digits, such as 21775744923") { QuantityText.isDigit($0) || $0 == UInt8(ascii: ",") }
    }

    fileprivate static var assetKey: ScalarRule {
        pathWord("letters, digits, '-', '_' and '.'") { byte in
            CharacterSets.isAlphanumeric(byte) || [UInt8]("-_.".utf8).contains(byte)
        }
    }

    fileprivate static var scte35: ScalarRule {
        pathWord("a splice_info_section in base64 or hexadecimal") { byte in
            CharacterSets.isAlphanumeric(byte) || [UInt8]("+/=".utf8).contains(byte)
        }
    }

    fileprivate static var hostPattern: ScalarRule {
        text("a host, host:port or *.suffix, such as dai.google.com or *.example.com").refusing { text in
            guard !text.contains("://") else { return "is a URL; write its host alone" }
            let host = text.hasPrefix("*.") ? text.dropFirst(2) : text[...]
            guard let authority = Authority(host) else { return "is not a host" }
            return text.hasPrefix("*.") && authority.port != nil ? "has both a wildcard and a port" : nil
        }
    }
}
