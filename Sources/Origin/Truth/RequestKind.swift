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
        case .other: "other"
        }
    }

    init?(name: some StringProtocol) {
        guard let kind = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = kind
    }
}
