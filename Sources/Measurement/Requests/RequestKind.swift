/// What a request was for: the first word of every request metric's name.
///
/// The origin's ground truth spells its kinds the same way, which is what makes reconciliation possible.
package enum RequestKind: UInt8, CaseIterable, Sendable {
    case registration
    case multivariant
    case playlist
    case segment
    case podManifest
    case podPlaylist
    case podSegment
    case metadata
    case verification

    /// The stable name used in thresholds, results and the origin's ground truth.
    package var name: String {
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
        }
    }

    /// The kind of that name, or nil where no kind has it.
    ///
    /// - Parameter name: A name as `name` spells it.
    package init?(name: String) {
        guard let kind = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = kind
    }
}
