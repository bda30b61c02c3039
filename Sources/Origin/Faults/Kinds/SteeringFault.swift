enum SteeringFault {
    /// The steering manifest answers with a status, 503 unless told otherwise, and no body.
    static let steeringUnavailable = FaultKind(
        "steering_unavailable",
        kinds: [.steering],
        parameters: [.status]
    ) { fault, _, effects in
        effects.status = fault.status ?? 503
    }
}
