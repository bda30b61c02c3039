import ProfileSyntax

extension TargetPlan {
    /// Reads a target; an embedded origin with its defaults stands in for one that is wrong.
    init(reading section: ProfileSection, at key: String) {
        self = section.oneOf(
            key,
            shorthands: ["embedded"],
            alternatives: ["embedded", "podServing", "mediaTailor", "eyevinnProxy", "urlTemplates"]
        ) { target in
            let embedded = target.section("embedded") { EmbeddedOriginPlan(reading: $0) }
            let podServing = target.section("podServing") { PodServingPlan(reading: $0) }
            let mediaTailor = target.section("mediaTailor") { MediaTailorPlan(reading: $0) }
            let eyevinnProxy = target.section("eyevinnProxy") { EyevinnProxyPlan(reading: $0) }
            let urlTemplates = target.section("urlTemplates") { URLTemplatesPlan(reading: $0) }
            if target.has("podServing") { return .podServing(podServing) }
            if target.has("mediaTailor") { return .mediaTailor(mediaTailor) }
            if target.has("eyevinnProxy") { return .eyevinnProxy(eyevinnProxy) }
            if target.has("urlTemplates") { return .urlTemplates(urlTemplates) }
            return .embedded(embedded)
        }
    }

    static func authorisedHosts(reading section: ProfileSection) -> [String] {
        (section.list("authorisedHosts", of: .hostPattern) ?? []).map(\.value)
    }

    static func sessionCookies(reading section: ProfileSection) -> [String]? {
        section.list("sessionCookies", of: .text("the name of a cookie, such as JSESSIONID"))?.map(\.value)
    }
}

extension EmbeddedOriginPlan {
    fileprivate init(reading section: ProfileSection) {
        self.init(
            usesTLS: section.value("tls", .boolean) ?? false,
            segmentDuration: section.value("segmentDuration", .embeddedSegmentDuration) ?? .seconds(2),
            windowSegments: section.value("windowSegments", .windowSegments) ?? 6,
            variantCount: section.value("variants", .integer(1...2)) ?? 2,
            adDuration: section.value("adDuration", .duration(.seconds(1) ... .seconds(600))) ?? .seconds(5),
            announcesBreaks: section.value("announceBreaks", .boolean) ?? true,
            sessionValidity: section.value("sessionValidity", .duration(.seconds(10) ... .seconds(604_800)))
                ?? .seconds(28_800),
            metadataPollingFrequency: section.value("metadataPolling", .duration(.seconds(1) ... .seconds(600)))
                ?? .seconds(10),
            faultPlanPath: section.file("faults")?.written,
            channelPlanPath: section.file("channel")?.written,
            shape: section.value("shape", .choice) ?? .podServing,
            reporting: section.value("reporting", .choice),
            aimingParameter: section.value("aimBy", .text("a parameter's name, such as cohort")),
            signing: section.value("signing", .choice),
            hasSessionPaths: section.value("sessionPaths", .boolean) ?? false,
            hasSessionPlaylists: section.value("sessionPlaylists", .boolean) ?? false,
            hasVerificationConflicts: section.value("verificationConflicts", .boolean) ?? false,
            mediaIDs: section.value("mediaIDs", .choice) ?? .whole,
            redirectsMultivariant: section.value("redirectMultivariant", .boolean) ?? false,
            closesBreaks: section.value("closeBreaks", .boolean) ?? false,
            setsCookies: section.value("cookies", .boolean) ?? false,
            session: SessionPlan(reading: section, isEmbedded: true)
        )
    }
}

extension PodServingPlan {
    fileprivate init(reading section: ProfileSection) {
        self.init(
            contentURL: section.required(
                "contentURL",
                .urlTemplate(URLTemplatesPlan.viewerPlaceholders, section.reading.traits)
            ) ?? "",
            adServer: (section.value("adServer", .serverURL) ?? "https://dai.google.com").withoutTrailingSlash,
            backupAdServer: section.value("backupAdServer", .serverURL)?.withoutTrailingSlash,
            authorisedHosts: TargetPlan.authorisedHosts(reading: section),
            mediaIDs: section.value("mediaIDs", .choice) ?? .prefixes,
            sessionCookies: TargetPlan.sessionCookies(reading: section),
            session: SessionPlan(reading: section, isEmbedded: false)
        )
    }
}

extension SessionPlan {
    /// The demo event of the IMA guide's sample names the embedded origin's event when the profile does not.
    fileprivate init(reading section: ProfileSection, isEmbedded: Bool) {
        self.init(
            networkCode: isEmbedded
                ? section.value("networkCode", .networkCode) ?? "21775744923"
                : section.required("networkCode", .networkCode) ?? "",
            customAssetKey: isEmbedded
                ? section.value("customAssetKey", .assetKey) ?? "sgai-hls-live"
                : section.required("customAssetKey", .assetKey) ?? "",
            adTagParameters: Self.adTagParameters(reading: section, at: "adTagParameters"),
            authTokenKey: section.secret("authTokenKey"),
            authTokenValidity: section.value("authTokenValidity", .duration(.seconds(10) ... .seconds(604_800)))
                ?? .seconds(3600),
            custParams: section.value("custParams", .claim(section.reading.traits)),
            scte35: section.value("scte35", .scte35),
            updates: section.section("sessionUpdates") { SessionUpdatePlan(reading: $0) }
        )
    }

    static func adTagParameters(reading section: ProfileSection, at key: String) -> [String: String] {
        var parameters: [String: String] = [:]
        for (name, value) in section.dictionary(key, of: .claim(section.reading.traits)) {
            parameters[name] = value
            let field = section.fieldPath("\(key).\(ShownValue.of(name))")
            section.reading.rule(
                field,
                isBroken: !CharacterSets.isToken(name),
                message: "\"\(ShownValue.of(name))\" cannot name a parameter",
                allowed: "letters, digits, '-', '_' and '.'"
            )
            section.reading.rule(
                field,
                isBroken: name == "auth-token",
                message: "podswarm makes this parameter itself; give its key as authTokenKey"
            )
        }
        return parameters
    }
}

extension String {
    var withoutTrailingSlash: String {
        hasSuffix("/") ? String(dropLast()) : self
    }
}

extension ScalarRule<String> {
    /// What a viewer says of itself.
    static func claim(_ traits: [String]?) -> ScalarRule {
        text(expandsEnvironment: true).withPlaceholders(URLTemplatesPlan.viewerPlaceholders, traits)
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

    /// As pod requests carry it.
    static var scte35: ScalarRule {
        pathWord("a splice_info_section in base64 or hexadecimal") { byte in
            CharacterSets.isAlphanumeric(byte) || [UInt8]("+/=".utf8).contains(byte)
        }
    }

    static var hostPattern: ScalarRule {
        text("a host, host:port or *.suffix, such as dai.google.com or *.example.com").refusing { text in
            guard !text.contains("://") else { return "is a URL; write its host alone" }
            let host = text.hasPrefix("*.") ? text.dropFirst(2) : text[...]
            guard let authority = Authority(host) else { return "is not a host" }
            return text.hasPrefix("*.") && authority.port != nil ? "has both a wildcard and a port" : nil
        }
    }
}
