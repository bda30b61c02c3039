enum RegistrationWithoutStreamIDFault {
    /// Registers the session, with status 201, and does not say its id.
    static let registrationWithoutStreamID = FaultKind(
        "registration_without_stream_id",
        kinds: [.registration]
    ) { _, _, effects in
        effects.streamID = .missing
    }
}
