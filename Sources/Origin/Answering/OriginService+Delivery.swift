import HLS
import HTTPTypes

extension OriginService {
    /// Target durations (bis-22 section 6.2.5.2).
    private static let longestHoldTargets = 3

    /// Nil for an immediate answer.
    func release(of exchange: Exchange) -> WallTime? {
        guard exchange.effects?.status == nil, exchange.effects?.isWebPage != true, exchange.kind != .preflight else {
            return nil
        }
        switch exchange.route {
        case .livePlaylist(let rendition): return playlistRelease(exchange, rendition: rendition)
        case .live(let route):
            let part = route.ad == nil ? route.file.part : stitched?.part(of: route)
            return part.flatMap { partRelease(exchange, rendition: route.rendition, name: $0) }
        default: return nil
        }
    }

    private func playlistRelease(_ exchange: Exchange, rendition: Int) -> WallTime? {
        guard exchange.effects?.ignoresBlocking != true, tokenRefusal(exchange) == nil,
            let asked = exchange.directives, let segment = asked.segment, let edge = edge(exchange),
            !asked.isTooFar(beyond: edge, timeline: channel.timeline)
        else { return nil }
        let part = part(asked, rendition: rendition)
        guard !edge.includes(segment: segment, part: part) else { return nil }
        let latest = exchange.now + channel.targetDuration * Self.longestHoldTargets
        // The segment will not appear in time.
        guard exchange.effects?.playlistFrozenAt == nil else { return latest }
        return min(channel.timeline.completion(ofSegment: segment, part: part), latest)
    }

    /// A part that never comes has the instant of the one in its place.
    private func partRelease(_ exchange: Exchange, rendition: Int, name: PartName) -> WallTime? {
        guard channelPlan.lowLatency?.hintsParts == true, tokenRefusal(exchange) == nil,
            channel.isPart(name, of: rendition), let edge = channel.timeline.edge(at: exchange.now),
            name.segment == edge.newest &+ 1, name.part == edge.parts,
            name.isGone == channel.playlist.isHintGone(after: edge)
        else { return nil }
        return channel.timeline.completion(ofSegment: name.segment, part: name.part)
    }

    private func edge(_ exchange: Exchange) -> LiveEdge? {
        channel.timeline.edge(at: min(exchange.now, exchange.effects?.playlistFrozenAt ?? exchange.now))
    }

    private func part(_ asked: PlaylistDirectives, rendition: Int) -> Int? {
        channel.playlist.renditions[rendition].isText ? nil : asked.part
    }

    func livePlaylist(_ exchange: Exchange, rendition: Int) -> Answer {
        guard let asked = exchange.directives else { return refused(.badRequest) }
        guard let edge = edge(exchange) else { return .empty(.notFound) }
        if let segment = asked.segment, exchange.effects?.ignoresBlocking != true {
            guard !asked.isTooFar(beyond: edge, timeline: channel.timeline) else { return refused(.badRequest) }
            guard edge.includes(segment: segment, part: part(asked, rendition: rendition)) else {
                ledger.count(\.timedOut)
                return lasting(.serviceUnavailable)
            }
            if exchange.heldFor == nil { ledger.count(\.immediate) }
        }
        var version = PlaylistVersion(edge: edge, rendition: channel.playlist.renditions[rendition])
        version.delta = asked.delta
        version.delta?.isWrong = exchange.effects?.isDeltaWrong ?? false
        if let stitched = channel.playlist.stitched {
            let viewer = exchange.viewerHash
            version.view = stitched.view(
                viewer: viewer,
                aim: { sessions.aim(ofViewer: viewer) },
                effects: exchange.effects
            )
        }
        let isBlocking = asked.segment != nil
        let (answer, isShortened) = channel.media(version, isBlocking: isBlocking, gzip: exchange.acceptsGzip)
        if asked.delta != nil { ledger.count(isShortened ? \.deltaUpdates : \.deltaUpdatesWhole) }
        return answer
    }

    func liveFile(_ route: LiveRoute, at now: WallTime) -> Answer {
        guard route.ad == nil else { return stitched?.answer(route, at: now) ?? .empty(.notFound) }
        if let part = route.file.part, part.isGone, channel.isPart(part, of: route.rendition) {
            ledger.count(\.hintsGone)
        }
        return channel.answer(route.file, of: route.rendition, at: now)
    }

    func steeringManifest(_ exchange: Exchange) -> Answer {
        guard let steering else { return .empty(.notFound) }
        let form = exchange.effects?.steering ?? .own
        let answer = steering.answer(viewer: exchange.viewerHash, at: exchange.now, form: form)
        ledger.steering(isRefused: answer.status != .ok, pathway: exchange.query["_HLS_pathway"])
        return answer
    }

    /// 403 without the token, if playlists carry one.
    func tokenRefusal(_ exchange: Exchange) -> Answer? {
        guard let name = channelPlan.variables.token, exchange.query[name] != channel.playlist.tokenValue else {
            return nil
        }
        return .empty(.forbidden)
    }

    private func refused(_ status: HTTPResponse.Status) -> Answer {
        ledger.count(\.refused)
        return lasting(status)
    }

    /// Caches may keep the error for four target durations (bis-22 appendix B.1).
    private func lasting(_ status: HTTPResponse.Status) -> Answer {
        .empty(status, caching: .seconds(4 * channel.timeline.segmentSeconds))
    }
}
