enum ResetFault {
    static let reset = FaultKind("reset", kinds: RequestKind.known) { _, _, effects in
        effects.delivery = .reset
    }
}
