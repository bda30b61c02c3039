enum ResetFault {
    /// Resets the connection (the stream, with HTTP/2) before a byte of the answer is sent.
    static let reset = FaultKind("reset", kinds: RequestKind.known) { _, _, effects in
        effects.delivery = .reset
    }
}
