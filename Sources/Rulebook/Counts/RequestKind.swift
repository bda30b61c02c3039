/// What a request was for: the first word of every request metric's name.
///
/// The origin's ground truth spells its kinds the same way, which is what makes reconciliation possible.
///
/// Public, because the compiler inlines nothing of a `package` type into other targets, and this is met at every sample.
public enum RequestKind: UInt8, CaseIterable, Sendable {
    case registration
    case multivariant
    case playlist
    case segment
    case podManifest
    case podPlaylist
    case podSegment
    case metadata
    case verification
    /// The list of an interstitial's assets.
    case assetList
    /// The first playlist of an interstitial's asset.
    case assetManifest
    /// A playlist that the server holds back until it has news: its time includes the hold.
    case blockingPlaylist
    /// A partial segment, or one that was hinted at.
    case part
    /// A content steering manifest.
    case steering
    /// A tracking ping of ad creative signalling.
    case beacon
    /// New targeting parameters of a session that goes on.
    case sessionUpdate

    /// The stable name used in thresholds, results and the origin's ground truth.
    public var name: String {
        switch self {
        case .registration: "registration"
        case .multivariant: "multivariant"
        case .playlist: "playlist"
        case .segment: "segment"
        case .podManifest: "pod_manifest"
        case .podPlaylist: "pod_playlist"
        case .podSegment: "pod_segment"
        case .metadata: "metadata"
        case .verification: "verification"
        case .assetList: "asset_list"
        case .assetManifest: "asset_manifest"
        case .blockingPlaylist: "blocking_playlist"
        case .part: "part"
        case .steering: "steering"
        case .beacon: "beacon"
        case .sessionUpdate: "session_update"
        }
    }

    /// Whether a viewer begins a break with such a request, so that all viewers may send theirs at one instant.
    @inlinable public var beginsBreak: Bool {
        switch self {
        case .podManifest, .assetList: true
        default: false
        }
    }

    /// Whether the server holds the answer back on purpose, so that its time says nothing of how fast the server is.
    public var isHeldBack: Bool { self == .blockingPlaylist }

    /// The kind of that name, or nil where no kind has it.
    ///
    /// - Parameter name: A name as `name` spells it.
    public init?(name: String) {
        guard let kind = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = kind
    }
}

extension RequestKind: Codable {
    /// Reads the kind by its name.
    ///
    /// - Throws: `DecodingError` for a name that no kind has.
    public init(from decoder: any Decoder) throws {
        let name = try String(from: decoder)
        guard let kind = Self(name: name) else {
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: name))
        }
        self = kind
    }

    /// Writes the kind's name.
    public func encode(to encoder: any Encoder) throws { try name.encode(to: encoder) }
}
