enum RegistrationWithoutStreamIDFault {
    static let registrationWithoutStreamID = FaultKind(
        "registration_without_stream_id",
        kinds: [.registration]
    ) { _, _, effects in
        effects.streamID = .missing
    }
}
