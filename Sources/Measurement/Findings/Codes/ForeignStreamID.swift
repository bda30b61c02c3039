extension FindingCode {
    package static let foreignStreamID = FindingCode(
        code: "foreign_stream_id",
        severity: .broken,
        meaning: "A body carries the stream id of another viewer's session.",
        rule: "A stream id names one session; RFC 9111 section 3: a shared cache keys and stores per request",
        likelyCauses: [
            "A cache in front of the ad server ignores stream_id in its key.",
            "A personalised body is marked cacheable for everyone.",
            "The manifest manipulator mixes up concurrent sessions.",
        ]
    )
}
