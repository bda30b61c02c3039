/// What of one break is held against what other viewers got, or against what was there before.
package enum ComparedContent: Hashable, Sendable {
    /// A pod's body, by the identifier in its path.
    case pod(String)
    /// What is played of one rendition of a pod, by its name and the pod's identifier.
    case rendition(String, ofPod: String)
    /// An asset list, by its interstitial.
    case assetList(String)
    /// The ad segments of a stitched break, of one rendition of the channel: nobody asks for them by a name.
    case stitchedAds(rendition: String?)
    /// The renditions that a pod offers, by its identifier.
    case ladder(ofPod: String)
    /// The shapes of one pod's renditions: the fingerprint is that of a ``PodShape``.
    case renditions(ofPod: String)
    /// A pod manifest or asset list that was not found: the fingerprint is an ``Availability``.
    case manifestNotFound(String)
    /// A playlist that a pod lists and that was not found: the fingerprint is an ``Availability``.
    case partNotFound(String)
    /// What only the viewers of one cohort are to be given alike.
    indirect case ofCohort(String, ComparedContent)

    /// Whose it is and what; no cohort where it is everybody's.
    package var parts: (cohort: String?, content: ComparedContent) {
        switch self {
        case .ofCohort(let cohort, let content): (cohort, content.parts.content)
        default: (nil, self)
        }
    }

    /// What it is a rendition of; itself where it is none.
    package var whole: ComparedContent {
        switch self {
        case .rendition(_, let identifier): .pod(identifier)
        case .stitchedAds: .stitchedAds(rendition: nil)
        default: self
        }
    }

    /// What became of content that was not found, as the fingerprint of an observation.
    package enum Availability: UInt64, Sendable {
        case missing = 0
        /// Not found at first, and found later.
        case foundLater = 1
    }
}

// The only place where journals' spelling is known: a front that no identifier in a URL's path can have, and a name.
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

    /// As journals and results spell it.
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

    /// Reads what ``text`` spells; everything else is the identifier of a pod.
    ///
    /// - Parameter text: From a journal.
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
