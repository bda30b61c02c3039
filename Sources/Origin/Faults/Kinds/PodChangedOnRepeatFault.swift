enum PodChangedOnRepeatFault {
    /// Decides anew when a session asks for a pod that it asked for before.
    ///
    /// With `signatures: kept` its addresses are signed as before, and so are those in the playlists that they lead to: who
    /// takes a signature for the pod sees no change.
    static let podChangedOnRepeat = FaultKind(
        "pod_changed_on_repeat",
        kinds: [.podManifest],
        parameters: [.signatures]
    ) { _, occasion, effects in
        guard occasion.repetition > 0 else { return }
        effects.decisionSalt = UInt8(clamping: 1 + occasion.repetition)
    }
}
