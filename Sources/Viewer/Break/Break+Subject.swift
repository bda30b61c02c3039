import HLS

extension Break {
    package func assetSubject(_ index: UInt8) -> AssetSubject? {
        guard let assets = content?.queue?.assets, assets.indices.contains(Int(index)) else { return nil }
        let asset = assets[Int(index)]
        return AssetSubject(uri: asset.uri, listedDuration: asset.listedDuration, variant: asset.variant)
    }

    package var subject: BreakSubject {
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

    /// Whether the viewer joined in the last second of the announced duration; true without one.
    private var isJoinedNearItsEnd: Bool {
        guard let joinedAt, let length = offer.interstitial?.announcedDuration else { return true }
        return joinedAt + .seconds(1) > length
    }
}
