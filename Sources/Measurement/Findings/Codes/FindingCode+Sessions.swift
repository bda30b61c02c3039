extension FindingCode {
    /// The rows of their group, in the order of the codes.
    static let sessionsTable: [FindingCode] = [
        .registrationWithoutStreamID
    ]

    package static let registrationWithoutStreamID = FindingCode(
        "registration_without_stream_id",
        .sessions,
        .broken,
        meaning: "A stream registration succeeded without giving a stream id, so the viewer skips every break.",
        rule: "Google Ad Manager, pod serving: the response of stream registration carries stream_id",
        likelyCauses: [
            "The custom asset key is unknown or its event has ended.",
            "The answer is an error document with a success status.",
            "The field was renamed by a proxy.",
        ],
        whereToLook: "The answer of the registration, and whether the event is live."
    )
}
