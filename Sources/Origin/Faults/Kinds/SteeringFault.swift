enum SteeringFault {
    /// A status without a body; 503 by default.
    static let steeringUnavailable = FaultKind(
        "steering_unavailable",
        kinds: [.steering],
        parameters: [.status]
    ) { fault, _, effects in
        effects.status = fault.status ?? 503
    }
}
