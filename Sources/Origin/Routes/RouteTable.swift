import AdServing

/// Finds routes: live playlists by one dictionary look-up, others piece by piece.
struct RouteTable: Sendable {
    private let fixed: [String: Route]
    private let channel: Substring
    private let renditions: [LiveRendition]
    private let sessions: SessionPaths
    private let pods: PodPaths

    init(_ configuration: OriginConfiguration, renditions: [LiveRendition], isSteered: Bool = false) {
        channel = configuration.channel[...]
        sessions = SessionPaths(configuration)
        pods = PodPaths(configuration)
        self.renditions = renditions
        var fixed: [String: Route] = [
            "/origin/health": .health, "/origin/truth.json": .truth, sessions.registration: .registration,
        ]
        let base = "/live/\(configuration.channel)"
        fixed["\(base)/multivariant.m3u8"] = .multivariant
        for (place, rendition) in renditions.enumerated() {
            fixed["\(base)/\(rendition.name)/media.m3u8"] = .livePlaylist(rendition: place)
            fixed["\(base)/\(rendition.name)/init.mp4"] = .liveInitialization(rendition: place)
        }
        if isSteered { fixed[SteeringService.path(channel: configuration.channel)] = .steering }
        self.fixed = fixed
    }

    func route(_ path: String) -> Route {
        if let known = fixed[path] { return known }
        if let rest = path.rest(after: "/live/") { return live(rest) }
        return pods.route(path) ?? sessions.route(path) ?? InterstitialPaths.route(path)
            ?? TargetRoute.route(path) ?? .unknown
    }

    private func live(_ rest: Substring) -> Route {
        let pieces = rest.pieces(between: "/")
        if pieces.count == 6, pieces[0] == channel {
            let place = renditions.firstIndex { $0.name == pieces[1] }
            return place.flatMap { StitchedRoute(pieces[2...], rendition: $0) }.map(Route.stitched)
                ?? StitchedRoute.missing(pieces[2...])
        }
        guard pieces.count == 3 else {
            return pieces.count == 2 && rest.hasSuffix(".m3u8") ? .missing(.multivariant) : .unknown
        }
        let file = pieces[2]
        if file.hasSuffix(".m3u8") { return .missing(.playlist) }
        guard [".m4s", ".mp4", ".vtt"].contains(where: { file.hasSuffix($0) }) else { return .unknown }
        let part = PartName(file: file)
        guard pieces[0] == channel, let place = renditions.firstIndex(where: { $0.name == pieces[1] }) else {
            return .missing(part == nil ? .segment : .part)
        }
        if let part { return .livePart(rendition: place, name: part) }
        guard file.hasSuffix(renditions[place].segmentSuffix), let number = UInt64(file.dropLast(4)) else {
            return .missing(.segment)
        }
        return .liveSegment(rendition: place, number: number)
    }
}
