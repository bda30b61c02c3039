/// Audience of a pod: all sessions that registered with one value of the aiming parameter.
struct PodAim: Sendable, Hashable {
    /// Sessions without the parameter, and all sessions without aiming.
    static let everybody = PodAim(number: 0)

    let number: UInt32

    init(number: UInt32) {
        self.number = number
    }

    /// An empty value counts as missing.
    init(value: String) {
        var hash = SeededHash(seed: 0)
        hash.combine(value)
        self.init(number: value.isEmpty ? 0 : max(1, UInt32(truncatingIfNeeded: hash.value)))
    }
}
