enum ErrorStatusFault {
    /// A status without a body; 503 by default.
    static let errorStatus = FaultKind(
        "error_status",
        kinds: RequestKind.known,
        parameters: [.status]
    ) { fault, _, effects in
        effects.status = fault.status ?? 503
    }
}
