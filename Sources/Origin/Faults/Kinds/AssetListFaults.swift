enum AssetListFaults {
    /// Answers an asset list with a status and no body, 503 unless told otherwise.
    static let assetListStatus = FaultKind(
        "asset_list_status",
        kinds: [.assetList],
        parameters: [.status]
    ) { fault, _, effects in
        effects.status = fault.status ?? 503
    }

    /// A well-formed asset list without assets, as ad servers without demand answer (bis-22 D.5).
    static let assetListEmpty = FaultKind("asset_list_empty", kinds: [.assetList]) { _, _, effects in
        effects.assetList = .empty
    }

    /// Status 200 and a JSON text that ends in the middle.
    static let assetListGarbage = FaultKind("asset_list_garbage", kinds: [.assetList]) { _, _, effects in
        effects.assetList = .garbage
    }

    /// A list whose assets lack their DURATION, which bis-22 D.2 requires.
    static let assetDurationMissing = FaultKind("asset_duration_missing", kinds: [.assetList]) { _, _, effects in
        effects.assetList = .withoutDurations
    }

    /// A list that promises longer assets than there are, by two seconds each unless `shift` says otherwise.
    static let assetDurationWrong = FaultKind(
        "asset_duration_wrong",
        kinds: [.assetList],
        parameters: [.shift]
    ) { fault, _, effects in
        effects.assetDurationShift = fault.shift ?? .seconds(2)
    }

    /// One asset of every list answers 404; the first unless `asset` names another, counted from 0.
    static let assetFailed = FaultKind(
        "asset_failed",
        kinds: [.assetManifest],
        parameters: [.asset, .status]
    ) { fault, occasion, effects in
        guard occasion.asset == fault.asset else { return }
        effects.status = fault.status ?? 404
    }
}
