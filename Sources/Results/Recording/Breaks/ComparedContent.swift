/// Content of a break, compared between viewers or with an earlier observation.
package enum ComparedContent: Hashable, Sendable {
    /// Identifier in its path.
    case pod(String)
    /// Played content of a rendition.
    case rendition(String, ofPod: String)
    /// Named by its interstitial.
    case assetList(String)
    /// Rendition of the channel, because ad segments have no identifier.
    case stitchedAds(rendition: String?)
    /// Renditions that a pod offers.
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
}

// Spelling in journals: a prefix that no identifier in a URL's path can have, and a name.
extension ComparedContent {
    private static let assetListFront = "asset list "
    private static let stitchedName = "stitched"
    private static let ladderFront = "ladder of "
    private static let renditionsFront = "renditions of "
    private static let manifestNotFoundFront = "not found "
    private static let partNotFoundFront = "part not found "
    private static let renditionMark = " in "
    private static let cohortFront = "cohort "
    private static let cohortEnd = ": "

    package var text: String {
        switch self {
        case .pod(let identifier): identifier
        case .rendition(let rendition, let identifier): identifier + Self.renditionMark + rendition
        case .assetList(let name): Self.assetListFront + name
        case .stitchedAds(nil): Self.stitchedName
        case .stitchedAds(let rendition?): Self.stitchedName + Self.renditionMark + rendition
        case .ladder(let pod): Self.ladderFront + pod
        case .renditions(let pod): Self.renditionsFront + pod
        case .manifestNotFound(let name): Self.manifestNotFoundFront + name
        case .partNotFound(let name): Self.partNotFoundFront + name
        case .ofCohort(let cohort, let content): Self.cohortFront + cohort + Self.cohortEnd + content.text
        }
    }

    /// Any other text is the identifier of a pod.
    package init(text: String) {
        func name(after front: String) -> String? {
            text.hasPrefix(front) ? String(text.dropFirst(front.count)) : nil
        }
        self =
            if text == Self.stitchedName {
                .stitchedAds(rendition: nil)
            } else if let rendition = name(after: Self.stitchedName + Self.renditionMark) {
                .stitchedAds(rendition: rendition)
            } else if let name = name(after: Self.assetListFront) {
                .assetList(name)
            } else if let pod = name(after: Self.ladderFront) {
                .ladder(ofPod: pod)
            } else if let pod = name(after: Self.renditionsFront) {
                .renditions(ofPod: pod)
            } else if let name = name(after: Self.manifestNotFoundFront) {
                .manifestNotFound(name)
            } else if let name = name(after: Self.partNotFoundFront) {
                .partNotFound(name)
            } else if let rest = name(after: Self.cohortFront), let end = rest.firstRange(of: Self.cohortEnd) {
                .ofCohort(String(rest[..<end.lowerBound]), ComparedContent(text: String(rest[end.upperBound...])))
            } else if let mark = text.firstRange(of: Self.renditionMark) {
                .rendition(String(text[mark.upperBound...]), ofPod: String(text[..<mark.lowerBound]))
            } else {
                .pod(text)
            }
    }
}

extension ComparedContent: Comparable {
    package static func < (lhs: ComparedContent, rhs: ComparedContent) -> Bool { lhs.text < rhs.text }
}
