enum SessionFaults {
    /// Requests that are a session's own, metadata first: a session that is lost shows there even without a break.
    private static let personal: [RequestKind] = [.metadata, .podManifest, .podPlaylist]

    /// Says of sessions that hold that they are gone: 410 to their metadata unless `kinds` names other requests.
    static let sessionExpired = FaultKind("session_expired", kinds: personal, defaultCount: 1) { _, _, effects in
        effects.status = 410
    }

    /// Refuses metadata, or what `kinds` names, with 403 unless told otherwise.
    static let accessRefused = FaultKind(
        "access_refused",
        kinds: personal + [.multivariant, .playlist, .blockingPlaylist, .assetList, .assetManifest],
        defaultCount: 1,
        parameters: [.status]
    ) { fault, _, effects in
        effects.status = fault.status ?? 403
    }
}
