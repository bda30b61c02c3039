/// What is to be known of a break by whoever examines an answer to one of its requests.
package struct BreakSubject: Sendable {
    package let planned: PlannedBreak
    /// Whether all viewers are to get the same (X-CONTENT-MAY-VARY=NO, bis-22 appendix D.2).
    package let isSameForAll: Bool
    /// Whether the list was asked for from where the viewer joined on.
    package let isTrimmed: Bool
    /// Whether the viewer joined so late that no asset may be left to play.
    package let isNearlyOver: Bool
    package let isAssetList: Bool

    package init(
        planned: PlannedBreak,
        isSameForAll: Bool,
        isTrimmed: Bool,
        isNearlyOver: Bool,
        isAssetList: Bool
    ) {
        self.planned = planned
        self.isSameForAll = isSameForAll
        self.isTrimmed = isTrimmed
        self.isNearlyOver = isNearlyOver
        self.isAssetList = isAssetList
    }

    /// Whether the break is a pod of the viewer's own.
    package var isOwn: Bool { planned.isOwn }

    /// Whether a request is the first that the break's content needs: of it bursts are made.
    package func isContentRequest(_ role: ViewerRole, index: UInt8) -> Bool {
        switch role {
        case .podManifest, .assetList: true
        case .assetManifest: !isAssetList && index == 0
        default: false
        }
    }
}

/// What is to be known of one asset of a break.
package struct AssetSubject: Sendable {
    package let uri: String
    /// As the asset list or the tag says; nil where neither does.
    package let listedDuration: Duration?
    /// Index in its manifest of the variant that is asked for; nil where none is.
    package let variant: Int?

    package init(uri: String, listedDuration: Duration?, variant: Int? = nil) {
        self.uri = uri
        self.listedDuration = listedDuration
        self.variant = variant
    }
}
