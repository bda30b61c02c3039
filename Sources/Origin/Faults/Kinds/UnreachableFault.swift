// Faults of what was announced and does not come.
enum UnreachableFault {
    /// A segment of the channel answers with a status, 404 unless told otherwise, and no body.
    static let segmentUnreachable = FaultKind(
        "segment_unreachable",
        kinds: [.segment],
        parameters: [.status]
    ) { fault, _, effects in
        effects.status = fault.status ?? 404
    }

    /// The channel answers a viewer that joins with a status, 503 unless told otherwise, and no body, however often it is
    /// asked for.
    static let channelUnavailable = FaultKind(
        "channel_unavailable",
        kinds: [.multivariant],
        parameters: [.status]
    ) { fault, _, effects in
        effects.status = fault.status ?? 503
    }

    /// A pod manifest or asset list answers with a status, 503 unless told otherwise, and no body, however often it is
    /// asked for.
    static let podUnavailable = FaultKind(
        "pod_unavailable",
        kinds: [.podManifest, .assetList],
        defaultCount: 1,
        parameters: [.status]
    ) { fault, _, effects in
        effects.status = fault.status ?? 503
    }
}
