enum PodDurationFaults {
    /// The magnitude of `shift` counts; the default is two seconds.
    static let podUnderfilled = FaultKind(
        "pod_underfilled",
        kinds: [.podPlaylist],
        parameters: [.shift]
    ) { fault, _, effects in
        effects.podDurationShift = .zero - magnitude(fault.shift)
    }

    /// The magnitude of `shift` counts; the default is two seconds.
    static let podOverfilled = FaultKind(
        "pod_overfilled",
        kinds: [.podPlaylist],
        parameters: [.shift]
    ) { fault, _, effects in
        effects.podDurationShift = magnitude(fault.shift)
    }

    private static func magnitude(_ shift: Duration?) -> Duration {
        guard let shift else { return .seconds(2) }
        return shift < .zero ? .zero - shift : shift
    }
}
