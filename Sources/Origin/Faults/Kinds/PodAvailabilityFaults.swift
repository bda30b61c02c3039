import HTTPTypes

enum PodAvailabilityFaults {
    /// A status without a body for a pod's contents; 503 by default.
    static let podPartUnreachable = FaultKind(
        "pod_part_unreachable",
        kinds: [.podPlaylist, .podSegment, .assetManifest],
        defaultCount: 1,
        parameters: [.status]
    ) { fault, _, effects in
        effects.status = fault.status ?? 503
    }

    static let podNotFound = FaultKind(
        "pod_not_found",
        kinds: [.podManifest, .assetList],
        defaultCount: 1
    ) { _, _, effects in
        effects.status = 404
    }

    /// 404 for the first two tries of the sessions in the share, which must be below 1.
    static let podNotFoundHealed = FaultKind(
        "pod_not_found_healed",
        kinds: [.podManifest, .assetList, .podPlaylist],
        defaultCount: 1
    ) { _, occasion, effects in
        guard occasion.repetition < 2 else { return }
        effects.status = 404
    }

    /// 404 with an Age field.
    static let podNotFoundCached = FaultKind(
        "pod_not_found_cached",
        kinds: [.podManifest, .assetList, .podPlaylist],
        defaultCount: 1,
        editing: { edit, _, _ in
            edit.status = .notFound
            edit.lines = []
            edit.fields[.age] = "7"
            edit.fields[.contentType] = nil
        }
    )
}
