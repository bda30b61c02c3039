import AdServing
import Profile
import Values

/// Forms and parses the paths of a registration's URLs, after Ad Manager's; clients receive whole URLs and build none.
struct SessionPaths: Sendable {
    private static let metadataPrefix = "/linear/pods/hls/pa/event/"
    private static let updatePrefix = "/linear/pods/v1/pa/event/"
    private static let verificationPrefix = "/view/p/service/linear/stream/"
    /// Ad Manager's location of the session; this origin has only one.
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

    /// Ends in a slash; media ids are appended.
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
        guard let slash = rest.firstIndex(of: "/"),
            let mediaID = String(rest[slash...]).rest(after: verificationEnd), !mediaID.contains("/")
        else { return .missing(.verification) }
        return .verification(
            streamID: PercentEncoding.decode(rest[..<slash]),
            mediaID: PercentEncoding.decode(mediaID)
        )
    }

    private static func streamID(_ path: String, after start: String, before end: String) -> String? {
        guard let rest = path.rest(after: start), rest.hasSuffix(end) else { return nil }
        let piece = rest.dropLast(end.count)
        return piece.contains("/") ? nil : PercentEncoding.decode(piece)
    }

    /// The ad server's own key of the event, different from the custom asset key, as in Ad Manager.
    private static func eventKey(_ configuration: OriginConfiguration) -> String {
        let hash = SeededHash(
            seed: configuration.seed,
            configuration.session.networkCode,
            configuration.session.customAssetKey
        )
        return String(hash.value, radix: 36)
    }
}
