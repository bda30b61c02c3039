import Rules

/// Content of a break, compared between viewers or with an earlier observation.
package enum ComparedContent: Hashable, Codable, Sendable, Comparable {
    case pod(String)
    /// Played content of a rendition.
    case rendition(String, ofPod: String)
    /// Named by its interstitial.
    case assetList(String)
    /// Rendition of the channel, because ad segments have no identifier.
    case stitchedAds(rendition: String?)
    case ladder(ofPod: String)
    /// The fingerprint is that of a ``PodShape``.
    case renditions(ofPod: String)
    /// Pod manifest or asset list; the fingerprint is an ``Availability``.
    case manifestNotFound(String)
    /// Playlist listed by a pod; the fingerprint is an ``Availability``.
    case partNotFound(String)
    /// Content that only viewers of one cohort must get alike.
    indirect case ofCohort(String, ComparedContent)

    package var parts: (cohort: String?, content: ComparedContent) {
        switch self {
        case .ofCohort(let cohort, let content): (cohort, content.parts.content)
        default: (nil, self)
        }
    }

    /// Content of which this is a rendition; otherwise itself.
    package var whole: ComparedContent {
        switch self {
        case .rendition(_, let identifier): .pod(identifier)
        case .stitchedAds: .stitchedAds(rendition: nil)
        default: self
        }
    }

    /// Fingerprint of content that was not found.
    package enum Availability: UInt64, Sendable {
        case missing = 0
        case foundLater = 1
    }

    package var text: String {
        switch self {
        case .pod(let identifier): identifier
        case .rendition(let rendition, let identifier): "\(identifier) in \(rendition)"
        case .assetList(let name): "asset list \(name)"
        case .stitchedAds(nil): "stitched"
        case .stitchedAds(let rendition?): "stitched in \(rendition)"
        case .ladder(let pod): "ladder of \(pod)"
        case .renditions(let pod): "renditions of \(pod)"
        case .manifestNotFound(let name): "not found \(name)"
        case .partNotFound(let name): "part not found \(name)"
        case .ofCohort(let cohort, let content): "cohort \(cohort): \(content.text)"
        }
    }

    var codeIfDifferent: FindingCode? {
        switch self {
        case .pod, .rendition: .podMismatch
        case .ladder: .podLadderDiffers
        case .assetList: .assetListMismatch
        case .stitchedAds: .stitchedMismatch
        case .renditions: .podRenditionMismatch
        case .ofCohort(_, let content): content.codeIfDifferent
        case .manifestNotFound, .partNotFound: nil
        }
    }

    var codeIfMissing: FindingCode? {
        if case .manifestNotFound = self { return .podNotFound }
        if case .partNotFound = self { return .podPartUnreachable }
        return nil
    }

    package static func < (lhs: ComparedContent, rhs: ComparedContent) -> Bool { lhs.text < rhs.text }
}
