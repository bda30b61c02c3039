package struct BreakSubject: Sendable {
    package let planned: PlannedBreak
    /// X-CONTENT-MAY-VARY=NO: all viewers must get the same (bis-22 appendix D.2).
    package let isSameForAll: Bool
    /// Whether the list was requested from the viewer's join on.
    package let isTrimmed: Bool
    /// Whether the viewer joined so late that no asset may be left to play.
    package let isNearlyOver: Bool
    package let isAssetList: Bool

    package var isOwn: Bool { planned.isOwn }

    /// Whether a request is the first that the break's content needs; bursts consist of these.
    package func isContentRequest(_ role: ViewerRole, index: UInt8) -> Bool {
        switch role {
        case .podManifest, .assetList: true
        case .assetManifest: !isAssetList && index == 0
        default: false
        }
    }
}

package struct AssetSubject: Sendable {
    package let uri: String
    /// From the asset list or the tag.
    package let listedDuration: Duration?
    /// Index in its manifest of the requested variant.
    package var variant: Int?
}
