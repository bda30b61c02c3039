// Faults of announced content that does not arrive.
enum UnreachableFault {
    /// A status without a body; 404 by default.
    static let segmentUnreachable = FaultKind(
        "segment_unreachable",
        kinds: [.segment],
        parameters: [.status]
    ) { fault, _, effects in
        effects.status = fault.status ?? 404
    }

    /// A status without a body for every request; 503 by default.
    static let channelUnavailable = FaultKind(
        "channel_unavailable",
        kinds: [.multivariant],
        parameters: [.status]
    ) { fault, _, effects in
        effects.status = fault.status ?? 503
    }

    /// A status without a body for every request; 503 by default.
    static let podUnavailable = FaultKind(
        "pod_unavailable",
        kinds: [.podManifest, .assetList],
        defaultCount: 1,
        parameters: [.status]
    ) { fault, _, effects in
        effects.status = fault.status ?? 503
    }
}
