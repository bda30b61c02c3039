enum ErrorStatusFault {
    /// Answers with a status, 503 unless told otherwise, and no body.
    static let errorStatus = FaultKind(
        "error_status",
        kinds: RequestKind.known,
        parameters: [.status]
    ) { fault, _, effects in
        effects.status = fault.status ?? 503
    }
}
