import FoundationEssentials
import HLS

/// AWS Elemental MediaTailor; guided insertion needs a playback configuration with InsertionMode PLAYER_SELECT.
///
/// Source: the user guide's pages "Server-guided ad insertion", "HLS and DASH explicit session initialization" and
/// "Client-side ad tracking" (docs.aws.amazon.com/mediatailor).
package struct MediaTailorTarget: Hashable, Sendable {
    package enum Session: String, Hashable, Sendable, CaseIterable {
        /// The first request for the multivariant playlist creates the session.
        case implicit
        case explicit
    }

    package enum Insertion: String, Hashable, Sendable, CaseIterable {
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
    package enum Reporting: String, Codable, Hashable, Sendable, CaseIterable {
        case server, client
    }

    package var server: String
    /// Path after `/v1/master/`, such as `111122223333/origin/index.m3u8`.
    package var asset: String
    package var session: Session
    package var insertion: Insertion
    /// Values may contain `{viewer}` and `{primary_id}`.
    package var adsParameters: [String: String]
    /// Passed on to the origin's playlists.
    package var manifestParameters: [String: String]
    /// Nil sends no mode: by default, the client reports a session that a POST creates, and the server a guided one.
    package var reporting: Reporting?

    package init(
        server: String = "",
        asset: String = "",
        session: Session = .explicit,
        insertion: Insertion = .guided,
        adsParameters: [String: String] = [:],
        manifestParameters: [String: String] = [:],
        reporting: Reporting? = nil
    ) {
        (self.server, self.asset, self.session, self.adsParameters) = (server, asset, session, adsParameters)
        (self.manifestParameters, self.reporting, self.insertion) = (manifestParameters, reporting, insertion)
    }

    /// Whether viewers poll a session's tracking URL; guided sessions name beacons in asset lists.
    package var tracksAvails: Bool { insertion == .stitched && session == .explicit && reporting == .client }

    /// The multivariant playlist that creates an implicit session.
    package func masterURL(of viewer: ViewerIdentity) -> String {
        typealias Name = WireName.MediaTailor
        var pairs = insertion == .guided ? [(Name.insertionModeParameter, Name.guided)] : []
        if reporting == .client { pairs.append((Name.reportingModeParameter, "CLIENT")) }
        for (prefix, parameters) in [(Name.adsPrefix, adsParameters), (Name.manifestPrefix, manifestParameters)] {
            pairs += parameters.sorted { $0.key < $1.key }.map { (prefix + $0.key, viewer.filled($0.value)) }
        }
        let query = pairs.map { "\(PercentEncoding.encode($0.0))=\(PercentEncoding.encode($0.1))" }
        return server + Name.masterPath + asset + (query.isEmpty ? "" : "?") + query.joined(separator: "&")
    }

    func sessionRequest(of viewer: ViewerIdentity) -> SessionRequest? {
        guard session == .explicit else { return nil }
        let body = SessionBody(
            adsParams: adsParameters.isEmpty ? nil : adsParameters.mapValues { viewer.filled($0) },
            insertionMode: insertion == .guided ? WireName.MediaTailor.guided : nil,
            manifestParams: manifestParameters.isEmpty ? nil : manifestParameters.mapValues { viewer.filled($0) },
            reportingMode: reporting?.rawValue
        )
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(body) else { return nil }
        return SessionRequest(
            .post,
            url: server + WireName.MediaTailor.sessionPath + asset,
            body: String(decoding: data, as: UTF8.self),
            contentType: WireName.jsonContentType
        )
    }

    private struct SessionBody: Encodable {
        var adsParams: [String: String]?
        var insertionMode: String?
        var manifestParams: [String: String]?
        var reportingMode: String?
    }

    /// The stream id is the session id in the playlist's URL, or that URL without one.
    func session(json: UnsafeRawBufferPointer, from url: String) throws(AdServingError) -> StreamSession {
        typealias Name = WireName.MediaTailor
        let members = try JSONValue.object(in: json)
        var session = StreamSession()
        guard let manifest = members[Name.manifestURL]?.text, !manifest.isEmpty else { return session }
        try StreamSession.checkText(manifest)
        guard let contentURL = URLReference.resolve(manifest, against: url) else { return session }
        session.contentURL = contentURL
        let id = URLQuery(of: contentURL).value(of: Name.sessionIDParameter).flatMap { $0.isEmpty ? nil : $0 }
        session.streamID = StreamID(id ?? contentURL)
        guard tracksAvails, let tracking = members[Name.trackingURL]?.text, !tracking.isEmpty else { return session }
        try StreamSession.checkText(tracking)
        session.metadataURL = URLReference.resolve(tracking, against: url)
        return session
    }
}

/// Eyevinn's guided proxy (github.com/Eyevinn/sgai-ad-proxy), which distinguishes viewers by `_HLS_primary_id`.
package struct EyevinnProxyTarget: Hashable, Sendable {
    package var master: String
    /// Passed on to the ad server; values may contain `{viewer}` and `{primary_id}`.
    package var parameters: [String: String]

    package init(master: String = "", parameters: [String: String] = [:]) {
        (self.master, self.parameters) = (master, parameters)
    }

    package func masterURL(of viewer: ViewerIdentity) -> String {
        guard !parameters.isEmpty else { return master }
        let query = parameters.sorted { $0.key < $1.key }.map { name, value in
            "\(PercentEncoding.encode(name))=\(PercentEncoding.encode(viewer.filled(value)))"
        }
        return master + (master.contains("?") ? "&" : "?") + query.joined(separator: "&")
    }
}
