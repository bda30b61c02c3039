enum PodMismatchFault {
    /// Gives the sessions in the share another creative order than the others get for the same pod identifier.
    static let podMismatch = FaultKind(
        "pod_mismatch",
        kinds: [.podManifest, .assetList],
        defaultCount: 1
    ) { _, _, effects in
        effects.decisionSalt = 1
    }
}
