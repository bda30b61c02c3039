/// Whom a pod is aimed at: all sessions that registered with one value of the parameter that aims.
struct PodAim: Sendable, Hashable {
    /// Sessions that say nothing of themselves, and all of them where nothing is aimed.
    static let everybody = PodAim(number: 0)

    let number: UInt32

    init(number: UInt32) {
        self.number = number
    }

    /// The aim of a parameter's value; an empty one says nothing.
    init(value: String) {
        var hash = SeededHash(seed: 0)
        hash.combine(value)
        self.init(number: value.isEmpty ? 0 : max(1, UInt32(truncatingIfNeeded: hash.value)))
    }
}
