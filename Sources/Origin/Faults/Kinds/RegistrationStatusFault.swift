enum RegistrationStatusFault {
    /// Refuses a registration, by default with 429; 429 and 503 have a Retry-After (RFC 9110 10.2.3).
    static let registrationStatus = FaultKind(
        "registration_status",
        kinds: [.registration],
        parameters: [.status]
    ) { fault, _, effects in
        let status = fault.status ?? 429
        effects.status = status
        if status == 429 || status == 503 { effects.retryAfterSeconds = 1 }
    }
}
