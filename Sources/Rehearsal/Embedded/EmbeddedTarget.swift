import AdServing
import Profile
import Swarm
import Viewer

extension TargetAdapter {
    /// The adapter for one shape of the embedded origin, which always serves all of them from one channel.
    init(_ embedded: EmbeddedOriginPlan, at server: String) throws {
        switch embedded.shape {
        case .podServing: self = .podServing
        case .mediaTailorImplicit, .mediaTailorExplicit:
            self = .mediaTailor(
                MediaTailorTarget(
                    server: server,
                    asset: "podswarm/live/index.m3u8",
                    session: embedded.shape == .mediaTailorImplicit ? .implicit : .explicit,
                    reporting: embedded.reporting
                )
            )
        case .eyevinnProxy:
            self = .eyevinnProxy(EyevinnProxyTarget(master: server + "/proxied" + OriginLayout.multivariantPath))
        case .urlTemplates:
            var session = URLTemplatesPlan.Session.usual
            session.url = server + "/templates/session"
            session.streamID = "/session/id"
            var plan = URLTemplatesPlan.usual
            plan.session = session
            plan.content = server + "/templates/content/{stream_id}/index.m3u8"
            plan.pod = server + "/templates/pod/{break}.m3u8?session={stream_id}&duration_ms={duration_ms}"
            guard let target = URLTemplateTarget(plan) else {
                throw CommandFailure(.ownDefect, "the templates of the embedded origin cannot be read")
            }
            self = .urlTemplates(target)
        }
    }
}

extension TargetEndpoints {
    init(_ embedded: EmbeddedOriginPlan, at server: String) throws {
        self.init(
            contentURL: server + OriginLayout.multivariantPath,
            adServers: [server],
            session: embedded.session,
            identifiesViewers: true,
            adapter: try TargetAdapter(embedded, at: server)
        )
    }
}

extension LoadPlan {
    /// Lines with the first URL of a player or tool for the embedded origin in this plan's shape; empty for another target.
    package func entrances(at server: String) -> [String] {
        guard case .embedded(let embedded) = target, let endpoints = try? TargetEndpoints(embedded, at: server) else {
            return []
        }
        let first = AudienceTraits(audience, seed: seed).identity(ofViewer: 0)
        let adapter = endpoints.adapter
        var lines: [String] = []
        if !adapter.contentNeedsSession, let channel = adapter.contentURL(of: first, streamID: nil) {
            lines.append("Channel in the shape of the profile: \(channel)")
        }
        if case .podServing = adapter {
            let event = NetworkEvent(
                networkCode: embedded.session.networkCode,
                customAssetKey: embedded.session.customAssetKey
            )
            lines.append("Sessions: POST \(server)\(RegistrationRequest(event: event).path())")
        } else if let request = adapter.sessionRequest(of: first) {
            lines.append("Sessions: \(request.method.rawValue.uppercased()) \(request.url)")
        }
        return lines
    }
}
