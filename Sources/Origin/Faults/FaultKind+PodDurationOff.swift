extension FaultKind {
    /// The pod is longer than asked for, or shorter when `shift` is negative; two seconds shorter unless told otherwise.
    static let podDurationOff = FaultKind(
        "pod_duration_off",
        kinds: [.podPlaylist],
        parameters: [.shift]
    ) { fault, _, effects in
        effects.podDurationShift = fault.shift ?? .seconds(-2)
    }
}
