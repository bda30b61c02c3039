import AdServing
package import Foundation
package import Origin
package import Profile
import Swarm
import Values
import Viewer

extension TargetAdapter {
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
    /// First URLs for a player or tool; empty for another target.
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

extension OriginConfiguration {
    /// Breaks, seed and protocol are those of `plan`.
    package init(_ origin: EmbeddedOriginPlan, of plan: LoadPlan, profileFolder: URL) {
        self.init()
        embedded = origin
        // Viewers' parameters may be secrets, and could fill the pipe to the child.
        embedded.session.adTagParameters = [:]
        (embedded.session.custParams, embedded.session.scte35, embedded.session.updates) = (nil, nil, nil)
        embedded.faultPlanPath = origin.faultPlanPath.map { URL(fileURLWithPath: $0, relativeTo: profileFolder).path }
        embedded.channelPlanPath = origin.channelPlanPath.map {
            URL(fileURLWithPath: $0, relativeTo: profileFolder).path
        }
        countedFields = PlannedFields(plan).counted
        breakDuration = plan.breaks.podDuration
        seed = plan.seed
        useHTTP2 = plan.connection.version == .http2 || plan.connection.version == .http2OrHTTP1 && origin.usesTLS
        if origin.usesTLS {
            certificateOutput = FileManager.default.temporaryDirectory.appending(path: "podswarm-\(getpid()).pem").path
        }
        take(plan.breaks.source)
    }

    /// Gives the channel the viewers' breaks, or its own schedule where viewers read it.
    private mutating func take(_ source: BreakPlan.Source) {
        guard source != .none, !source.readsDateRanges else { return }
        breakInterval = .zero
        for source in source.each {
            switch source {
            case .every(let interval, let offset):
                breakInterval = interval
                breakOffset = offset
            case .guideMinute: breakInterval = .seconds(60)
            case .list, .trigger, .dateRange, .several, .none: break
            }
        }
    }
}

/// Paths and times of the reference origin in a run.
package enum OriginLayout {
    package static let multivariantPath = "/live/main/multivariant.m3u8"
    package static let healthPath = "/origin/health"
    package static let truthPath = "/origin/truth.json"
    /// In virtual time, and in a bill.
    package static let answerTime = Duration.milliseconds(1)
    /// Long enough for every loop to be ready.
    static let headStart = Duration.milliseconds(500)
    /// As many digits as the system's ports, because bodies repeat it.
    static let virtualPort = 49_152
    static let virtualBase = "http://127.0.0.1:\(virtualPort)"
}
