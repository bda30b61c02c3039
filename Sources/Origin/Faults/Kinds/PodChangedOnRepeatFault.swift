enum PodChangedOnRepeatFault {
    /// A new decision when a session requests a pod again.
    ///
    /// With `signatures: kept`, the addresses in pod manifests and their playlists keep their signature: a comparison by
    /// signature finds no change.
    static let podChangedOnRepeat = FaultKind(
        "pod_changed_on_repeat",
        kinds: [.podManifest],
        parameters: [.signatures]
    ) { _, occasion, effects in
        guard occasion.repetition > 0 else { return }
        effects.decisionSalt = UInt8(clamping: 1 + occasion.repetition)
    }
}
