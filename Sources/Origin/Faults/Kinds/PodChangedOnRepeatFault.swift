enum PodChangedOnRepeatFault {
    /// Decides anew when a session asks for a pod that it asked for before.
    static let podChangedOnRepeat = FaultKind("pod_changed_on_repeat", kinds: [.podManifest]) { _, occasion, effects in
        guard occasion.repetition > 0 else { return }
        effects.decisionSalt = UInt8(clamping: 1 + occasion.repetition)
    }
}
