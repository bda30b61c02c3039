package import AdServing
import FoundationEssentials

/// AWS Elemental MediaTailor; guided insertion needs a playback configuration with InsertionMode PLAYER_SELECT.
///
/// Source: the user guide's pages "Server-guided ad insertion", "HLS and DASH explicit session initialization" and
/// "Client-side ad tracking" (docs.aws.amazon.com/mediatailor).
package struct MediaTailorPlan: Sendable, Equatable, TargetShape {
    package enum Session: String, Sendable, CaseIterable {
        /// The first request for the multivariant playlist creates the session.
        case implicit
        case explicit
    }

    package enum Insertion: String, Sendable, CaseIterable {
        /// Interstitials, which the player inserts.
        case guided
        /// The usual one of a playback configuration; sessions do not name it.
        case stitched
    }

    /// Reporter of ads to the ad server; a reporting client uses ``AvailTracking``.
    ///
    /// A playlist request has `aws.reportingMode=CLIENT`, or nothing if MediaTailor reports (sgai-ad-tracking.html and
    /// ad-reporting-server-side-sgai.html); a POST has `client` or `server` (ad-reporting-client-side.html, "Reporting mode
    /// parameter").
    package enum Reporting: String, Codable, Sendable, CaseIterable {
        case server, client
    }

    package var server = ""
    package var asset = ""
    package var session = Session.explicit
    package var insertion = Insertion.guided
    package var adsParameters: [String: String] = [:]
    package var manifestParameters: [String: String] = [:]
    /// Nil sends no mode: by default, the client reports a session that a POST creates, and the server a guided one.
    package var reporting: Reporting? = nil
    package var pagesAvails = false
    package var authorisedHosts: [String] = []
    package var sessionCookies: [String]? = nil

    package var addressFields: [(field: String, url: String)] { [("server", server)] }
    /// Guided sessions name beacons in asset lists.
    package var tracksAvails: Bool { insertion == .stitched && session == .explicit && reporting == .client }

    package static let fields = FieldList(MediaTailorPlan()) { f in
        f.add("server", \.server, .serverURL, [.required, .scheme])
        f.add("asset", \.asset, playbackAsset, [.required, .free])
        f.addHosts(\.authorisedHosts)
        f.add("session", \.session, .choice)
        f.add("insertion", \.insertion, .choice, .unlessUsual)
        f.add("adsParameters", \.adsParameters, .parameters(f.traits))
        f.add("manifestParameters", \.manifestParameters, .parameters(f.traits))
        f.add("reporting", \.reporting, .choice)
        f.add("paging", \.pagesAvails, .boolean, .unlessUsual)
        f.addSessionCookies(\.sessionCookies)
    }

    package func settle(_ section: ProfileSection) {
        let isUnreported = insertion == .stitched && session == .implicit && reporting == .client
        section["reporting", "session", if: isUnreported] =
            "only an explicit session of stitched insertion names the tracking URL that a client reports by"
        section["paging", "reporting", if: pagesAvails && !tracksAvails] =
            "has no effect without a tracking URL, which a client polls that reports an explicit session of stitched insertion"
    }

    private static var playbackAsset: ScalarRule<String> {
        let allowed = "account, configuration and playlist, such as 111122223333/live/index.m3u8"
        return ScalarRule.text(allowed).refusing { text in
            guard !text.hasPrefix("/") else { return "begins with a slash" }
            guard !text.contains("?") else { return "has a query; write it as adsParameters or manifestParameters" }
            return WebAddress.refusal(of: "https://host.example/\(text)", needsRoot: false)
        }
    }

    package var templates: URLTemplateTarget? {
        typealias Name = WireName.MediaTailor
        // An invalid session gives 400, an unavailable one 404 (user guide, "Troubleshooting playback from MediaTailor").
        var target = URLTemplateTarget(sessionEnds: [400, 404])
        target.isReportedByClient = reporting == .client
        target.pagesAvails = pagesAvails
        guard session == .explicit else {
            var pairs = insertion == .guided ? [(Name.insertionModeParameter, Name.guided)] : []
            if reporting == .client { pairs.append((Name.reportingModeParameter, "CLIENT")) }
            for (prefix, parameters) in [(Name.adsPrefix, adsParameters), (Name.manifestPrefix, manifestParameters)] {
                pairs += parameters.sorted { $0.key < $1.key }.map { (prefix + $0.key, $0.value) }
            }
            target.content = server + Name.masterPath + asset + (pairs.isEmpty ? "" : "?") + Placeholders.query(pairs)
            return target
        }
        let body = SessionBody(
            adsParams: adsParameters.isEmpty ? nil : adsParameters,
            insertionMode: insertion == .guided ? Name.guided : nil,
            manifestParams: manifestParameters.isEmpty ? nil : manifestParameters,
            reportingMode: reporting?.rawValue
        )
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        target.session = URLTemplateTarget.Session(
            url: server + Name.sessionPath + asset,
            body: (try? encoder.encode(body)).map { String(decoding: $0, as: UTF8.self) },
            content: "/" + Name.manifestURL,
            tracking: tracksAvails ? "/" + Name.trackingURL : nil
        )
        return target
    }

    private struct SessionBody: Encodable {
        var adsParams: [String: String]?
        var insertionMode: String?
        var manifestParams: [String: String]?
        var reportingMode: String?
    }
}

/// Eyevinn's guided proxy (github.com/Eyevinn/sgai-ad-proxy), which distinguishes viewers by `_HLS_primary_id`.
package struct EyevinnProxyPlan: Sendable, Equatable, TargetShape {
    package var master = ""
    package var parameters: [String: String] = [:]
    package var authorisedHosts: [String] = []
    package var sessionCookies: [String]? = nil

    package var addressFields: [(field: String, url: String)] { [("master", master)] }
    package var templates: URLTemplateTarget? {
        let query = Placeholders.query(parameters.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
        return URLTemplateTarget(content: query.isEmpty ? master : master + (master.contains("?") ? "&" : "?") + query)
    }

    package static let fields = FieldList(EyevinnProxyPlan()) { f in
        f.add("master", \.master, .url, [.required, .scheme])
        f.addHosts(\.authorisedHosts)
        f.add("parameters", \.parameters, .parameters(f.traits))
        f.addSessionCookies(\.sessionCookies)
    }
}

extension URLTemplateTarget.Session: ProfileFields {
    package static let fields = FieldList(Self()) { f in
        let url = ScalarRule.urlTemplate(Placeholders.ofViewer, f.traits)
        f.add("url", \.url, url, [.required, .apart, .scheme])
        f.add("method", \.method, .choice)
        f.add("body", \.body, .claim(f.traits))
        f.add("contentType", \.contentType, .text("a media type, such as application/json"))
        f.add("streamID", \.streamID, jsonPointer, .required)
        f.add("content", \.content, jsonPointer)
    }

    package mutating func settle(_ section: ProfileSection) {
        for key in ["body", "contentType"] {
            section[key, "method", if: section.has(key) && method == .get] = "a GET carries no body"
        }
    }

    /// RFC 6901.
    private static var jsonPointer: ScalarRule<String> {
        ScalarRule.text("a JSON pointer, such as /session/id").refusing { text in
            guard text.hasPrefix("/") else { return "does not begin with a slash" }
            let escapes = text.split(separator: "~", omittingEmptySubsequences: false).dropFirst()
            return escapes.allSatisfy { $0.hasPrefix("0") || $0.hasPrefix("1") }
                ? nil : "has a ~ without 0 or 1 after it"
        }
    }
}

/// A target that is addressed by URLs with placeholders.
package struct URLTemplatesPlan: Sendable, Equatable, TargetShape {
    package var target = URLTemplateTarget()
    package var authorisedHosts: [String] = []
    package var sessionCookies: [String]? = nil

    package var addressFields: [(field: String, url: String)] {
        [("session.url", target.session?.url), ("content", target.content), ("pod", target.pod)]
            .compactMap { field, url in url.map { (field, Placeholders.filled($0)) } }
    }
    package var templates: URLTemplateTarget? { target }
    package var hasMetadata: Bool { hasSession }
    package var hasPods: Bool { target.pod != nil }

    package static let fields = FieldList(URLTemplatesPlan()) { f in
        f.add("content", \.target.content, .urlTemplate(Placeholders.ofContent, f.traits), .scheme)
        f.add("pod", \.target.pod, .urlTemplate(Placeholders.ofPod, f.traits), .scheme)
        f.digest { plan, path, form in
            let url = plan.target.session?.url
            let isWhole = form.extent == .plan
            form.add("\(path).session.url", isWhole ? url : url.map { $0.prefix { $0 != ":" }.lowercased() })
        }
        f.addHosts(\.authorisedHosts)
        f.add("session", \.target.session, .section)
        f.add("sessionEnds", \.target.sessionEnds, .list(of: .integer(400...599), .sortedApart))
        f.addSessionCookies(\.sessionCookies)
    }

    package mutating func settle(_ section: ProfileSection) {
        let (place, session, content) = (section.fieldPath("session"), target.session, target.content)
        let pointsToContent = session?.content != nil
        section["content", "session", if: (content != nil) == pointsToContent] =
            pointsToContent
            ? "the session's answer already holds the channel's URL (session.content); "
                + "allowed: one of content and session.content"
            : "is missing, and no session's answer holds it; allowed: one of content and session.content"
        for (name, template) in [("content", content), ("pod", target.pod)] {
            let isUnknown = session == nil && template?.contains("{stream_id}") == true
            section[name, "session", if: isUnknown] = "{stream_id} has no value without \(place)"
        }
        section["sessionEnds", "session", if: session == nil && !target.sessionEnds.isEmpty] =
            "has no effect without \(place)"
    }
}
