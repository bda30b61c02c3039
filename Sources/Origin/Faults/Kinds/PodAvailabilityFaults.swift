import HTTPTypes

enum PodAvailabilityFaults {
    /// What a pod lists answers with a status, 503 unless told otherwise, and no body.
    static let podPartUnreachable = FaultKind(
        "pod_part_unreachable",
        kinds: [.podPlaylist, .podSegment, .assetManifest],
        defaultCount: 1,
        parameters: [.status]
    ) { fault, _, effects in
        effects.status = fault.status ?? 503
    }

    /// A pod manifest or asset list is never found.
    static let podNotFound = FaultKind(
        "pod_not_found",
        kinds: [.podManifest, .assetList],
        defaultCount: 1
    ) { _, _, effects in
        effects.status = 404
    }

    /// The sessions in the share do not find, at their first two tries, what the rest find: give a share.
    static let podNotFoundHealed = FaultKind(
        "pod_not_found_healed",
        kinds: [.podManifest, .assetList, .podPlaylist],
        defaultCount: 1
    ) { _, occasion, effects in
        guard occasion.repetition < 2 else { return }
        effects.status = 404
    }

    /// A pod manifest or asset list is not found, and the answer says that it comes from a cache.
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
