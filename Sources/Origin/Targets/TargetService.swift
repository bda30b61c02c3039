import AdServing
import HLS
import HTTPTypes
import NIOCore

/// Simulates other ad insertion services: their sessions, commands and playlists.
final class TargetService: Sendable {
    private let channelName: String
    private let sessions: SessionRegistry
    private let slots: ProxySlots
    private let shapes: TargetShapes

    init(channelName: String, sessions: SessionRegistry, slots: ProxySlots, shapes: TargetShapes) {
        self.channelName = channelName
        self.sessions = sessions
        self.slots = slots
        self.shapes = shapes
    }

    func answer(_ route: TargetRoute, _ exchange: Exchange, body: ByteBuffer) -> Answer {
        switch route {
        case .tailorSession(let base): return tailorSession(exchange, base: base, body: body)
        case .tailorMultivariant(let base): return tailorMultivariant(exchange, base: base)
        case .tailorMedia(let base, let profile):
            if let refusal = tailorRefusal(exchange) { return refusal }
            let reporting = TailorReporting(exchange.query)
            return shapes.tailorMedia(
                base: base,
                profile: profile,
                reporting,
                at: exchange.now,
                gzip: exchange.acceptsGzip
            )
        case .proxyCommand:
            guard slots.command(exchange.query, at: exchange.now) else { return .empty(.badRequest) }
            return Answer(contentType: .plain, caching: .none, body: "ok\n".utf8)
        case .proxyStatus: return Answer(contentType: .json, caching: .none, body: slots.status)
        // A list without an ID; with one the route is an interstitial's.
        case .proxyList: return .empty(.notFound)
        case .proxyMultivariant:
            return shapes.multivariant(gzip: exchange.acceptsGzip) {
                "/proxied/live/\(channelName)/\($0.rawValue)/media.m3u8"
            }
        case .proxyMedia(let profile):
            return shapes.proxyMedia(profile: profile, at: exchange.now, gzip: exchange.acceptsGzip)
        case .templateSession: return templateSession(exchange)
        case .templateContent(let session):
            if session != nil, let refusal = sessions.refusal(of: exchange) { return refusal }
            return shapes.multivariant(gzip: exchange.acceptsGzip, uri: shapes.ownMedia)
        }
    }

    /// An explicit session: JSON with the multivariant playlist's URL.
    ///
    /// Guided sessions have no tracking URL: the server reports, or asset lists contain the beacons (MediaTailor user guide,
    /// "Server-side tracking with server-guided ad insertion" and "Ad tracking with SGAI").
    private func tailorSession(_ exchange: Exchange, base: String, body: ByteBuffer) -> Answer {
        let fields = RegistrationBody.fields(body, isJSON: true)
        let mode = fields?["insertionMode"] ?? exchange.query["aws.insertionMode"]
        guard mode == "GUIDED" else { return .empty(.badRequest) }
        let reporting = TailorReporting(exchange.query, body: fields)
        let query = ["\(Self.tailorSessionParameter)=\(tailorSession(exchange))"] + reporting.parameters
        let url = "/v1/master/\(base)/index.m3u8?\(query.joined(separator: "&"))"
        let body = exchange.effects?.hidesStreamID == true ? "{}" : #"{"manifestUrl":"\#(url)"}"#
        return Answer(contentType: .json, caching: .none, body: body.utf8)
    }

    /// The multivariant playlist of an explicit or implicit session.
    ///
    /// Sessions share media playlists unless these must name the session, for an explicit one or for prefetch.
    private func tailorMultivariant(_ exchange: Exchange, base: String) -> Answer {
        var session = exchange.query[Self.tailorSessionParameter]
        if session == nil {
            guard exchange.query["aws.insertionMode"] == "GUIDED" else { return .empty(.badRequest) }
            if exchange.query["aws.guidedPrefetchMode"] == "MANIFEST" { session = tailorSession(exchange) }
        } else if let refusal = tailorRefusal(exchange) {
            return refusal
        }
        let own = session.map { ["\(Self.tailorSessionParameter)=\($0)"] } ?? []
        let query = own + TailorReporting(exchange.query).parameters
        let suffix = query.isEmpty ? "" : "?\(query.joined(separator: "&"))"
        return shapes.multivariant(gzip: exchange.acceptsGzip) { "/v1/i-media/\(base)/\($0.rawValue).m3u8\(suffix)" }
    }

    private static let tailorSessionParameter = "aws.sessionId"
    /// End of this origin's session ids that MediaTailor's do not have.
    private static let location = ":TUL"

    private func newSession(_ exchange: Exchange) -> String {
        sessions.register(for: exchange.viewerHash, isGiven: exchange.givesSession, at: exchange.now).streamID
    }

    private func tailorSession(_ exchange: Exchange) -> String {
        let streamID = newSession(exchange)
        return streamID.hasSuffix(Self.location) ? String(streamID.dropLast(Self.location.count)) : streamID
    }

    /// 400 for an unknown or expired session, as from MediaTailor.
    private func tailorRefusal(_ exchange: Exchange) -> Answer? {
        guard let session = exchange.query[Self.tailorSessionParameter] else { return nil }
        return sessions.noteRequest(session + Self.location, at: exchange.now) == .active ? nil : .empty(.badRequest)
    }

    private func templateSession(_ exchange: Exchange) -> Answer {
        let streamID = newSession(exchange)
        let isNamed = exchange.effects?.hidesStreamID != true
        let body = isNamed ? #"{"session":{"id":"\#(streamID)"}}"# : #"{"session":{}}"#
        return Answer(contentType: .json, caching: .none, body: body.utf8)
    }
}

extension Route {
    /// The interstitial's list if the query names one, otherwise the route itself.
    func resolved(_ query: FormFields) -> Route {
        guard case .target(.proxyList) = self else { return self }
        return query[InterstitialName.interstitialParameter].map { .interstitial(.list(identifier: $0)) } ?? self
    }
}
