/// Kind of a request; names are those of a client's own counts, for comparison.
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
    case assetList
    /// The first playlist of an interstitial's asset.
    case assetManifest
    /// A playlist that the server holds until it has news: its time includes the hold.
    case blockingPlaylist
    case part
    case steering
    case beacon
    case sessionUpdate
    /// An unknown path, or a method that the path does not allow.
    case other

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
}
