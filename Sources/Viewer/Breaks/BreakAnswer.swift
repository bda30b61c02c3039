package import AdServing
import HLS

/// What came of a request of a break.
package struct BreakAnswer: Sendable {
    package enum Content: Sendable {
        case list(AssetList)
        case multivariant(SharedMultivariant)
        case media(LoadedPod)
        case segment
        case failed(BreakLoadFailure)
        /// Counted and not read: the break is over, or the request was made to see whether it is answered alike.
        case unread
    }

    package let role: ViewerRole
    /// Of the break, as the request had it.
    package let serial: UInt16
    /// Of the asset; of an asset list, which attempt it was.
    package let index: UInt8
    package let content: Content

    package init(_ role: ViewerRole, serial: UInt16, index: UInt8 = 0, _ content: Content) {
        self.role = role
        self.serial = serial
        self.index = index
        self.content = content
    }
}

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
}

extension Break {
    func assetSubject(_ index: UInt8) -> AssetSubject? {
        guard let assets = content?.queue?.assets, assets.indices.contains(Int(index)) else { return nil }
        return AssetSubject(uri: assets[Int(index)].uri, listedDuration: assets[Int(index)].listedDuration)
    }

    /// What an answer to one of its requests is examined by.
    var subject: BreakSubject {
        let isTrimmed: Bool
        switch content {
        case .list(let list): isTrimmed = list.startOffset != nil
        case .assets(let queue): isTrimmed = queue.isTrimmed
        case .inProgramme, nil: isTrimmed = false
        }
        return BreakSubject(
            planned: planned,
            isSameForAll: offer.isSameForAll,
            isTrimmed: isTrimmed,
            isNearlyOver: isTrimmed && isJoinedNearItsEnd,
            isAssetList: offer.content?.isAssetList ?? false
        )
    }

    /// Whether the viewer joined in the last second of what is announced; true where no length is.
    private var isJoinedNearItsEnd: Bool {
        guard let joinedAt, let length = offer.interstitial?.announcedDuration else { return true }
        return joinedAt + .seconds(1) > length
    }
}
