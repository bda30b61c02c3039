/// Finds routes: the live playlists' by one look into a dictionary, all others piece by piece.
struct RouteTable: Sendable {
    private let fixed: [String: Route]
    private let channel: Substring
    private let profiles: [ClipProfile]
    private let sessions: SessionPaths
    private let pods: PodPaths

    /// What the target of an own redirect begins with.
    static let movedPrefix = "/origin/moved"

    init(_ configuration: OriginConfiguration, profiles: [ClipProfile]) {
        channel = configuration.channel[...]
        sessions = SessionPaths(configuration)
        pods = PodPaths(configuration)
        self.profiles = profiles
        var fixed: [String: Route] = [
            "/origin/health": .health, "/origin/truth.json": .truth, sessions.registration: .registration,
        ]
        let base = "/live/\(configuration.channel)"
        fixed["\(base)/multivariant.m3u8"] = .multivariant
        for (variant, profile) in profiles.enumerated() {
            fixed["\(base)/\(profile.rawValue)/media.m3u8"] = .livePlaylist(variant: variant)
            fixed["\(base)/\(profile.rawValue)/init.mp4"] = .liveInitialization(variant: variant)
        }
        self.fixed = fixed
    }

    /// The route of a path without its query.
    func route(_ path: String) -> Route {
        if let known = fixed[path] { return known }
        if let rest = path.rest(after: "/live/") { return live(rest) }
        return pods.route(path) ?? sessions.route(path) ?? .unknown
    }

    private func live(_ rest: Substring) -> Route {
        let pieces = rest.split(separator: "/", omittingEmptySubsequences: false)
        guard pieces.count == 3 else {
            return pieces.count == 2 && rest.hasSuffix(".m3u8") ? .missing(.multivariant) : .unknown
        }
        let file = pieces[2]
        if file.hasSuffix(".m3u8") { return .missing(.playlist) }
        guard file.hasSuffix(".m4s") || file.hasSuffix(".mp4") else { return .unknown }
        guard pieces[0] == channel, let variant = profiles.firstIndex(where: { $0.rawValue == pieces[1] }),
            file.hasSuffix(".m4s"), let number = UInt64(file.dropLast(4))
        else { return .missing(.segment) }
        return .liveSegment(variant: variant, number: number)
    }
}
