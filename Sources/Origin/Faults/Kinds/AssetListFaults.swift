enum AssetListFaults {
    /// Answers an asset list with a status and no body; 503 by default.
    static let assetListStatus = FaultKind(
        "asset_list_status",
        kinds: [.assetList],
        parameters: [.status]
    ) { fault, _, effects in
        effects.status = fault.status ?? 503
    }

    /// A well-formed asset list without assets, the answer of ad servers without demand (bis-22 D.5).
    static let assetListEmpty = FaultKind("asset_list_empty", kinds: [.assetList]) { _, _, effects in
        effects.assetList = .empty
    }

    /// Status 200 and a JSON text that ends in the middle.
    static let assetListGarbage = FaultKind("asset_list_garbage", kinds: [.assetList]) { _, _, effects in
        effects.assetList = .garbage
    }

    static let assetDurationMissing = FaultKind("asset_duration_missing", kinds: [.assetList]) { _, _, effects in
        effects.assetList = .withoutDurations
    }

    /// A list with too long durations, by two seconds each unless `shift` is given.
    static let assetDurationWrong = FaultKind(
        "asset_duration_wrong",
        kinds: [.assetList],
        parameters: [.shift]
    ) { fault, _, effects in
        effects.assetDurationShift = fault.shift ?? .seconds(2)
    }

    /// Answers 404 for one asset of every list: index `asset`, by default the first.
    static let assetFailed = FaultKind(
        "asset_failed",
        kinds: [.assetManifest],
        parameters: [.asset, .status]
    ) { fault, occasion, effects in
        guard occasion.asset == fault.asset else { return }
        effects.status = fault.status ?? 404
    }
}
