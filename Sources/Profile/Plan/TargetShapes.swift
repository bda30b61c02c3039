package import AdServing

/// AWS Elemental MediaTailor.
package struct MediaTailorPlan: Sendable, Equatable, TargetShape {
    package var target = MediaTailorTarget()
    package var authorisedHosts: [String] = []
    package var sessionCookies: [String]? = nil

    package var addressFields: [(field: String, url: String)] { [("server", target.server)] }
    package var reporting: MediaTailorTarget.Reporting? { target.reporting }
    package var hasSession: Bool { target.session == .explicit }
    package var tracksAvails: Bool { target.tracksAvails }

    package static let usual = MediaTailorPlan()

    package static func fields(_ f: inout FieldTable<Self>) {
        f["server", \.target.server, .serverURL, [.required, .scheme]] =
            "Scheme and host of the playback configuration, such as https://….mediatailor.us-east-1.amazonaws.com."
        f["asset", \.target.asset, .playbackAsset, [.required, .free]] =
            "What follows /v1/master/, such as 111122223333/live/index.m3u8."
        f.addHosts(\.authorisedHosts)
        f["session", \.target.session, .choice] = "Request that makes the session: a POST, or the first playlist."
        f["insertion", \.target.insertion, .choice, .unlessUsual] =
            "Inserter of ads: the player, by interstitials (guided), or MediaTailor, in the playlist (stitched)."
        f["adsParameters", \.target.adsParameters, .parameters(f.traits)] =
            "Targeting parameters of the session, by name; values may hold {viewer} and {primary_id}."
        f["manifestParameters", \.target.manifestParameters, .parameters(f.traits)] =
            "Parameters for the origin's playlists, by name."
        f["reporting", \.target.reporting, .choice] =
            "Reporter of ads: MediaTailor, or the client by the beacons that asset lists or the session's tracking URL name. "
            + "Left out, the session does not name one."
        f.addSessionCookies(\.sessionCookies)
    }

    package func settle(_ section: ProfileSection) {
        let isUnreported = target.insertion == .stitched && target.session == .implicit && target.reporting == .client
        section["reporting", "session", if: isUnreported] =
            "only an explicit session of stitched insertion names the tracking URL that a client reports by"
    }
}

package struct EyevinnProxyPlan: Sendable, Equatable, TargetShape {
    package var target = EyevinnProxyTarget()
    package var authorisedHosts: [String] = []
    package var sessionCookies: [String]? = nil

    package var addressFields: [(field: String, url: String)] { [("master", target.master)] }
    package var hasSession: Bool { false }

    package static let usual = EyevinnProxyPlan()

    package static func fields(_ f: inout FieldTable<Self>) {
        f["master", \.target.master, .url, [.required, .scheme]] = "The proxied multivariant playlist."
        f.addHosts(\.authorisedHosts)
        f["parameters", \.target.parameters, .parameters(f.traits)] =
            "Added to the master's query, by name; values may hold {viewer} and {primary_id}."
        f.addSessionCookies(\.sessionCookies)
    }
}

/// A target that is addressed by URLs with placeholders.
package struct URLTemplatesPlan: Sendable, Equatable, TargetShape {
    package struct Session: Sendable, Equatable, ProfileFields {
        package var url = ""
        package var method = SessionRequest.Method.post
        package var body: String? = nil
        package var contentType = "application/json"
        /// JSON pointer into the answer (RFC 6901).
        package var streamID = ""
        package var content: String? = nil

        package static let usual = Session()

        package static func fields(_ f: inout FieldTable<Self>) {
            let url = ScalarRule.urlTemplate(URLTemplatesPlan.viewerPlaceholders, f.traits)
            f["url", \.url, url, [.required, .apart, .scheme]] = "Where; may hold {viewer} and {primary_id}."
            f["method", \.method, .choice] = "How."
            f["body", \.body, .claim(f.traits)] = "What a POST carries; may hold {viewer} and {primary_id}."
            f["contentType", \.contentType, .text("a media type, such as application/json")] = "Of the body."
            f["streamID", \.streamID, .jsonPointer, .required] = "JSON pointer to the session's id in the answer."
            f["content", \.content, .jsonPointer] =
                "JSON pointer to the session's own multivariant playlist in the answer."
        }

        package mutating func settle(_ section: ProfileSection) {
            for key in ["body", "contentType"] {
                section[key, "method", if: section.has(key) && method == .get] = "a GET carries no body"
            }
        }
    }

    static let viewerPlaceholders = ["viewer", "primary_id"]
    static let contentPlaceholders = viewerPlaceholders + ["stream_id"]
    package static let podPlaceholders = contentPlaceholders + ["break", "start", "duration_ms", "scte35"]

    package var session: Session? = nil
    package var content: String? = nil
    package var pod: String? = nil
    package var sessionEnds: [Int] = []
    package var authorisedHosts: [String] = []
    package var sessionCookies: [String]? = nil

    package var addressFields: [(field: String, url: String)] {
        [("session.url", session?.url), ("content", content), ("pod", pod)]
            .compactMap { field, url in url.map { (field, Placeholders.filled($0)) } }
    }
    package var hasSession: Bool { session != nil }
    package var hasMetadata: Bool { hasSession }
    package var hasPods: Bool { pod != nil }

    package static let usual = URLTemplatesPlan()

    package static func fields(_ f: inout FieldTable<Self>) {
        f["content", \.content, .urlTemplate(contentPlaceholders, f.traits), .scheme] =
            "The multivariant playlist; may hold {stream_id}, too."
        f["pod", \.pod, .urlTemplate(podPlaceholders, f.traits), .scheme] =
            "A pod's manifest, for breaks that clients schedule; may hold every placeholder."
        f.digest { plan, path, form in
            let url = plan.session?.url
            let isWhole = form.extent == .plan
            form.add("\(path).session.url", isWhole ? url : url.map { $0.prefix { $0 != ":" }.lowercased() })
        }
        f.addHosts(\.authorisedHosts)
        f["session", \.session, .section] = "How a viewer asks for its session; left out, viewers have no session."
        f["sessionEnds", \.sessionEnds, .list(of: .integer(400...599), .sortedApart)] =
            "Statuses of playlists and asset lists that mean that a session is over."
        f.addSessionCookies(\.sessionCookies)
    }

    package mutating func settle(_ section: ProfileSection) {
        let (place, pointsToContent) = (section.fieldPath("session"), session?.content != nil)
        section["content", "session", if: (content != nil) == pointsToContent] =
            pointsToContent
            ? "the session's answer already holds the channel's URL (session.content); "
                + "allowed: one of content and session.content"
            : "is missing, and no session's answer holds it; allowed: one of content and session.content"
        for (name, template) in [("content", content), ("pod", pod)] {
            let isUnknown = session == nil && template?.contains("{stream_id}") == true
            section[name, "session", if: isUnknown] = "{stream_id} has no value without \(place)"
        }
        section["sessionEnds", "session", if: session == nil && !sessionEnds.isEmpty] =
            "has no effect without \(place)"
    }
}

extension ScalarRule<String> {
    fileprivate static var playbackAsset: ScalarRule {
        let allowed = "account, configuration and playlist, such as 111122223333/live/index.m3u8"
        return text(allowed).refusing { text in
            guard !text.hasPrefix("/") else { return "begins with a slash" }
            guard !text.contains("?") else { return "has a query; write it as adsParameters or manifestParameters" }
            return WebAddress.refusal(of: "https://host.example/\(text)", needsRoot: false)
        }
    }

    /// RFC 6901.
    fileprivate static var jsonPointer: ScalarRule {
        text("a JSON pointer, such as /session/id").refusing { text in
            guard text.hasPrefix("/") else { return "does not begin with a slash" }
            let escapes = text.split(separator: "~", omittingEmptySubsequences: false).dropFirst()
            return escapes.allSatisfy { $0.hasPrefix("0") || $0.hasPrefix("1") }
                ? nil : "has a ~ without 0 or 1 after it"
        }
    }
}
