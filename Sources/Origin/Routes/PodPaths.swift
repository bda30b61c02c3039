import AdServing
import Profile

struct PodPaths: Sendable {
    /// Live pod serving API, "segment".
    static let segmentPrefix = "/linear/pods/v1/seg/network/"

    /// Ad Manager's own names have at most 63 characters.
    private static let maximumIdentifierBytes = 256

    let manifests: String
    private let segments: String
    private let namesAds: Bool

    init(_ configuration: OriginConfiguration) {
        namesAds = configuration.mediaIDs == .prefixes
        let event =
            "\(configuration.session.networkCode)\(WireName.customAsset)\(configuration.session.customAssetKey)/"
        manifests = WireName.podManifestPrefix + event
        segments = Self.segmentPrefix + event
    }

    /// The decision keeps the playlist unchanged when the pod is requested again.
    func playlist(_ decision: PodDecision, profile: ClipProfile, podMicroseconds: Int64) -> String {
        "\(manifests)\(decision.identifier)/\(decision.token)/\(profile.rawValue)\(WireName.playlistSuffix)"
            + "?\(WireName.streamIDParameter)=\(SessionTemplate.placeholder)"
            + "&\(WireName.podDurationParameter)=\(podMicroseconds / 1_000)"
    }

    /// Documented form of pod segments; media ids need a folder for each position.
    func creative(
        _ decision: PodDecision,
        profile: ClipProfile,
        name: String,
        place: Int,
        microseconds: Int64
    ) -> String {
        let folder = "\(segments)\(decision.identifier)/profile/\(profile.rawValue)/\(name)"
        guard namesAds else { return folder }
        let ad = AdInPod(
            identifier: decision.identifier,
            token: decision.token,
            place: place,
            milliseconds: Int(max(1, microseconds / 1_000))
        )
        return "\(folder)/\(ad.folder)"
    }

    func route(_ path: String) -> Route? {
        if let rest = path.rest(after: manifests) { return playlistRoute(rest) ?? .missing(.podManifest) }
        if let rest = path.rest(after: segments) { return segmentRoute(rest) ?? .missing(.podSegment) }
        if path.rest(after: WireName.podManifestPrefix) != nil { return .missing(.podManifest) }
        return path.rest(after: Self.segmentPrefix).map { _ in .missing(.podSegment) }
    }

    private func playlistRoute(_ rest: Substring) -> Route? {
        guard rest.hasSuffix(WireName.playlistSuffix) else { return nil }
        let stem = rest.dropLast(WireName.playlistSuffix.count)
        let pieces = stem.pieces(between: "/")
        switch pieces.count {
        case 2: return Self.identifier(stem).map { .podManifest(identifier: $0) }
        case 4:
            guard let identifier = Self.identifier("\(pieces[0])/\(pieces[1])") else { return .missing(.podPlaylist) }
            return .podPlaylist(identifier: identifier, token: String(pieces[2]), profile: String(pieces[3]))
        default: return nil
        }
    }

    /// Nil for number 0 and for a long or invalid identifier.
    static func identifier(_ path: some StringProtocol) -> String? {
        guard path.utf8.count <= maximumIdentifierBytes, let identifier = PodIdentifier(path: path),
            identifier != .sequence(0)
        else { return nil }
        return identifier.pathComponent
    }

    private func segmentRoute(_ rest: Substring) -> Route? {
        let pieces = rest.pieces(between: "/")
        guard pieces.count == 6 || pieces.count == 7, pieces[2] == "profile" || pieces[2] == "slate",
            let file = pieces.last, [".mp4", ".ts"].contains(where: { file.hasSuffix($0) })
        else { return nil }
        let profile = String(pieces[3])
        if file == "init.mp4" { return .podInitialization(profile: profile) }
        guard let number = Int(file.prefix { $0 != "." }), number >= 0 else { return nil }
        guard pieces.count == 7 else { return .podSegment(profile: profile, number: number) }
        guard let identifier = Self.identifier("\(pieces[0])/\(pieces[1])"),
            let ad = AdInPod(identifier: identifier, folder: pieces[5])
        else { return nil }
        return .adSegment(ad, profile: profile, number: number)
    }
}

extension String {
    func rest(after prefix: String) -> Substring? {
        utf8.starts(with: prefix.utf8) ? self[utf8.index(startIndex, offsetBy: prefix.utf8.count)...] : nil
    }
}
