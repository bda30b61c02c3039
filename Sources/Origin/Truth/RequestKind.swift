/// What a request asks for; the names are those that a client's own counts use, so that the two can be reconciled.
enum RequestKind: UInt8, CaseIterable, Sendable {
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
    /// A path that the origin does not know, or a method that the path does not take.
    case other

    /// The name in ground truth and fault plans.
    var name: String {
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
        case .other: "other"
        }
    }

    init?(name: some StringProtocol) {
        guard let kind = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = kind
    }
}
