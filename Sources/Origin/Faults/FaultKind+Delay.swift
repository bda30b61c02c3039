extension FaultKind {
    /// Gives the true answer late.
    static let delay = FaultKind("delay", kinds: RequestKind.known, required: [.delay]) { fault, _, effects in
        effects.delay += fault.delay ?? .zero
    }
}
