/// Finds routes: the live playlists' by one look into a dictionary, all others piece by piece.
struct RouteTable: Sendable {
    private let fixed: [String: Route]
    private let channel: Substring
    private let networkCode: Substring
    private let customAssetKey: Substring
    private let eventKey: Substring
    private let profiles: [ClipProfile]

    /// What the target of an own redirect begins with.
    static let movedPrefix = "/origin/moved"

    init(_ configuration: OriginConfiguration, profiles: [ClipProfile]) {
        channel = configuration.channel[...]
        networkCode = configuration.networkCode[...]
        customAssetKey = configuration.customAssetKey[...]
        eventKey = RegistrationResponse.eventKey(configuration)[...]
        self.profiles = profiles
        var fixed: [String: Route] = ["/origin/health": .health, "/origin/truth.json": .truth]
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
        let pieces = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map { $0 }
        switch pieces.first {
        case "live": return live(pieces)
        case "linear": return linear(pieces)
        case "ssai": return registration(pieces)
        case "view": return verification(pieces)
        default: return .unknown
        }
    }

    private func live(_ pieces: [Substring]) -> Route {
        guard pieces.count == 4 else {
            return pieces.count == 3 && pieces[2].hasSuffix(".m3u8") ? .missing(.multivariant) : .unknown
        }
        let file = pieces[3]
        if file.hasSuffix(".m3u8") { return .missing(.playlist) }
        guard file.hasSuffix(".m4s") || file.hasSuffix(".mp4") else { return .unknown }
        guard pieces[1] == channel, let variant = profiles.firstIndex(where: { $0.rawValue == pieces[2] }),
            file.hasSuffix(".m4s"), let number = UInt64(file.dropLast(4))
        else { return .missing(.segment) }
        return .liveSegment(variant: variant, number: number)
    }

    private func registration(_ pieces: [Substring]) -> Route {
        guard pieces.count == 9, pieces[1] == "pods", pieces[2] == "api", pieces[3] == "v1", pieces[8] == "stream"
        else {
            return .unknown
        }
        return isEvent(pieces[4...7]) ? .registration : .missing(.registration)
    }

    private func verification(_ pieces: [Substring]) -> Route {
        guard pieces.count == 14, pieces[1] == "p", pieces[2] == "service", pieces[3] == "linear",
            pieces[4] == "stream", pieces[6] == "loc", pieces[12] == "media"
        else { return .unknown }
        guard pieces[8] == "network", pieces[9] == networkCode, pieces[10] == "event", pieces[11] == eventKey else {
            return .missing(.verification)
        }
        return .verification(
            streamID: FormFields.decodePath(pieces[5]),
            mediaID: FormFields.decodePath(pieces[13])
        )
    }

    private func linear(_ pieces: [Substring]) -> Route {
        guard pieces.count >= 9, pieces[1] == "pods" else { return .unknown }
        if pieces.count == 9, pieces[3] == "pa", pieces[4] == "event", pieces[6] == "stream" {
            let streamID = FormFields.decodePath(pieces[7])
            switch (pieces[2], pieces[8]) {
            case ("hls", "metadata"): return pieces[5] == eventKey ? .metadata(streamID: streamID) : .missing(.metadata)
            case ("v1", "session") where pieces[5] == eventKey: return .sessionUpdate(streamID: streamID)
            default: return .unknown
            }
        }
        guard pieces[2] == "v1", pieces.count >= 10, pieces[8] == "pod" || pieces[8] == "ad_break_id" else {
            return .unknown
        }
        return pieces[3] == "hls" ? podPlaylist(pieces) : podSegment(pieces)
    }

    private func podPlaylist(_ pieces: [Substring]) -> Route {
        let isManifest = pieces.count == 10
        guard isManifest || pieces.count == 12, pieces[pieces.count - 1].hasSuffix(".m3u8") else { return .unknown }
        let name = isManifest ? pieces[9].dropLast(5) : pieces[9]
        let isIdentifier = pieces[8] == "pod" ? Int(name).map { $0 > 0 } ?? false : !name.isEmpty
        guard isEvent(pieces[4...7]), isIdentifier else { return .missing(isManifest ? .podManifest : .podPlaylist) }
        let identifier = "\(pieces[8])/\(name)"
        guard !isManifest else { return .podManifest(identifier: identifier) }
        return .podPlaylist(
            identifier: identifier,
            token: String(pieces[10]),
            profile: String(pieces[11].dropLast(5))
        )
    }

    private func podSegment(_ pieces: [Substring]) -> Route {
        guard pieces[3] == "seg", pieces.count == 14, pieces[10] == "profile", pieces[13].hasSuffix(".mp4") else {
            return .unknown
        }
        guard isEvent(pieces[4...7]) else { return .missing(.podSegment) }
        let profile = String(pieces[11])
        if pieces[13] == "init.mp4" { return .podInitialization(profile: profile) }
        guard let number = Int(pieces[13].dropLast(4)), number >= 0 else { return .missing(.podSegment) }
        return .podSegment(profile: profile, number: number)
    }

    /// Whether four pieces are `network/{code}/custom_asset/{key}` of the event served here.
    private func isEvent(_ pieces: ArraySlice<Substring>) -> Bool {
        pieces.elementsEqual(["network", networkCode, "custom_asset", customAssetKey])
    }
}
