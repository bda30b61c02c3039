import ProfileSyntax

extension MediaTailorPlan {
    init(reading section: ProfileSection) {
        self.init(
            server: (section.required("server", .serverURL) ?? "").withoutTrailingSlash,
            asset: section.required("asset", .playbackAsset) ?? "",
            session: section.value("session", .choice) ?? .explicit,
            adsParameters: TargetPlan.parameters(reading: section, at: "adsParameters"),
            manifestParameters: TargetPlan.parameters(reading: section, at: "manifestParameters"),
            reporting: section.value("reporting", .choice),
            authorisedHosts: TargetPlan.authorisedHosts(reading: section),
            sessionCookies: TargetPlan.sessionCookies(reading: section)
        )
    }
}

extension EyevinnProxyPlan {
    init(reading section: ProfileSection) {
        self.init(
            master: section.required("master", .url) ?? "",
            parameters: TargetPlan.parameters(reading: section, at: "parameters"),
            authorisedHosts: TargetPlan.authorisedHosts(reading: section),
            sessionCookies: TargetPlan.sessionCookies(reading: section)
        )
    }
}

extension URLTemplatesPlan {
    init(reading section: ProfileSection) {
        let session = section.section("session") { Session(reading: $0) }
        let ends = section.list("sessionEnds", of: .integer(400...599)) ?? []
        self.init(
            session: session,
            content: section.value("content", .urlTemplate(Self.contentPlaceholders, section.reading.traits)),
            pod: section.value("pod", .urlTemplate(Self.podPlaceholders, section.reading.traits)),
            sessionEnds: ends.map(\.value),
            authorisedHosts: TargetPlan.authorisedHosts(reading: section),
            sessionCookies: TargetPlan.sessionCookies(reading: section)
        )
    }
}

extension URLTemplatesPlan.Session {
    fileprivate init?(reading section: ProfileSection) {
        let url = section.required("url", .urlTemplate(URLTemplatesPlan.viewerPlaceholders, section.reading.traits))
        let method: Method = section.value("method", .choice) ?? .post
        let body = section.value("body", .claim(section.reading.traits))
        let contentType = section.value("contentType", .text("a media type, such as application/json"))
        let streamID = section.required("streamID", .jsonPointer)
        let content = section.value("content", .jsonPointer)
        for (key, given) in [("body", body), ("contentType", contentType)] {
            section.reading.rule(
                section.fieldPath(key),
                section.fieldPath("method"),
                isBroken: given != nil && method == .get,
                message: "a GET carries no body"
            )
        }
        guard section.isPresent else { return nil }
        self.init(
            url: url ?? "",
            method: method,
            body: body,
            contentType: contentType ?? "application/json",
            streamID: streamID ?? "",
            content: content
        )
    }
}

extension TargetPlan {
    fileprivate static func parameters(reading section: ProfileSection, at key: String) -> [String: String] {
        var parameters: [String: String] = [:]
        for (name, value) in section.dictionary(key, of: .claim(section.reading.traits)) {
            parameters[name] = value
            section.reading.rule(
                section.fieldPath("\(key).\(ShownValue.of(name))"),
                isBroken: !CharacterSets.isToken(name),
                message: "\"\(ShownValue.of(name))\" cannot name a parameter",
                allowed: "letters, digits, '-', '_' and '.'"
            )
        }
        return parameters
    }
}

extension ScalarRule<String> {
    /// What follows `/v1/master/` in a MediaTailor URL.
    fileprivate static var playbackAsset: ScalarRule {
        let allowed = "account, configuration and playlist, such as 111122223333/live/index.m3u8"
        return text(allowed, expandsEnvironment: true).refusing { text in
            guard !text.hasPrefix("/") else { return "begins with a slash" }
            guard !text.contains("?") else { return "has a query; write it as adsParameters or manifestParameters" }
            return WebAddress.refusal(of: "https://host.example/\(text)", needsRoot: false)
        }
    }

    /// A pointer into a JSON document (RFC 6901).
    fileprivate static var jsonPointer: ScalarRule {
        text("a JSON pointer, such as /session/id").refusing { text in
            guard text.hasPrefix("/") else { return "does not begin with a slash" }
            let escapes = text.split(separator: "~", omittingEmptySubsequences: false).dropFirst()
            return escapes.allSatisfy { $0.hasPrefix("0") || $0.hasPrefix("1") }
                ? nil : "has a ~ without 0 or 1 after it"
        }
    }
}
