import AdServing
import Profile
import Values

/// After Ad Manager's; clients receive whole URLs.
struct SessionPaths: Sendable {
    private static let metadataPrefix = "/linear/pods/hls/pa/event/"
    private static let updatePrefix = "/linear/pods/v1/pa/event/"
    private static let verificationPrefix = "/view/p/service/linear/stream/"
    /// Ad Manager's location of a session; this origin has only one.
    private static let location = "TUL"

    let registration: String
    private let metadataStart: String
    private let updateStart: String
    private let verificationEnd: String

    init(_ configuration: OriginConfiguration) {
        let eventKey = Self.eventKey(configuration)
        registration =
            WireName.registrationPrefix + configuration.session.networkCode + WireName.customAsset
            + configuration.session.customAssetKey + WireName.registrationSuffix
        metadataStart = "\(Self.metadataPrefix)\(eventKey)/stream/"
        updateStart = "\(Self.updatePrefix)\(eventKey)/stream/"
        verificationEnd = "/loc/\(Self.location)/network/\(configuration.session.networkCode)/event/\(eventKey)/media/"
    }

    func metadata(streamID: StreamID) -> String { "\(metadataStart)\(streamID.percentEncoded)/metadata" }

    func update(streamID: StreamID) -> String { "\(updateStart)\(streamID.percentEncoded)/session" }

    /// Media ids are appended.
    func verification(streamID: StreamID) -> String {
        "\(Self.verificationPrefix)\(streamID.percentEncoded)\(verificationEnd)"
    }

    func route(_ path: String) -> Route? {
        if let rest = path.rest(after: Self.verificationPrefix) { return verificationRoute(rest) }
        if let streamID = Self.streamID(path, after: metadataStart, before: "/metadata") {
            return .metadata(streamID: streamID)
        }
        if let streamID = Self.streamID(path, after: updateStart, before: "/session") {
            return .sessionUpdate(streamID: streamID)
        }
        if path.rest(after: Self.metadataPrefix) != nil { return .missing(.metadata) }
        if path.rest(after: Self.updatePrefix) != nil { return .missing(.sessionUpdate) }
        return path.rest(after: WireName.registrationPrefix).map { _ in .missing(.registration) }
    }

    private func verificationRoute(_ rest: Substring) -> Route {
        guard let slash = rest.utf8.firstIndex(of: UInt8(ascii: "/")),
            let mediaID = String(rest[slash...]).rest(after: verificationEnd), !mediaID.utf8.contains(UInt8(ascii: "/"))
        else { return .missing(.verification) }
        return .verification(streamID: PercentEncoding.decode(rest[..<slash]), mediaID: PercentEncoding.decode(mediaID))
    }

    private static func streamID(_ path: String, after start: String, before end: String) -> String? {
        guard let rest = path.rest(after: start), rest.hasSuffix(end) else { return nil }
        let piece = rest[..<rest.utf8.index(rest.endIndex, offsetBy: -end.utf8.count)]
        return piece.utf8.contains(UInt8(ascii: "/")) ? nil : PercentEncoding.decode(piece)
    }

    /// Not the custom asset key, as in Ad Manager.
    private static func eventKey(_ configuration: OriginConfiguration) -> String {
        let hash = SeededHash(
            seed: configuration.seed,
            configuration.session.networkCode,
            configuration.session.customAssetKey
        )
        return String(hash.value, radix: 36)
    }
}

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
        var route = PodFile(profile: String(pieces[3]))
        if file == "init.mp4" { return .podFile(route) }
        route.number = Int(file.prefix { $0 != "." }).flatMap { $0 < 0 ? nil : $0 }
        if pieces.count == 7, let identifier = Self.identifier("\(pieces[0])/\(pieces[1])") {
            route.ad = AdInPod(identifier: identifier, folder: pieces[5])
        }
        return route.number == nil || pieces.count == 7 && route.ad == nil ? nil : .podFile(route)
    }
}

extension String {
    func rest(after prefix: String) -> Substring? {
        utf8.starts(with: prefix.utf8) ? self[utf8.index(startIndex, offsetBy: prefix.utf8.count)...] : nil
    }
}
