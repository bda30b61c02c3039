enum SessionFaults {
    /// Requests of a session, metadata first: there a lost session shows even without a break.
    private static let personal: [RequestKind] = [.metadata, .podManifest, .podPlaylist]

    /// 410 for valid sessions; by default for metadata.
    static let sessionExpired = FaultKind("session_expired", kinds: personal, defaultCount: 1) { _, _, effects in
        effects.status = 410
    }

    /// The default is 403 for metadata.
    static let accessRefused = FaultKind(
        "access_refused",
        kinds: personal + [.multivariant, .playlist, .blockingPlaylist, .assetList, .assetManifest],
        defaultCount: 1,
        parameters: [.status]
    ) { fault, _, effects in
        effects.status = fault.status ?? 403
    }
}
