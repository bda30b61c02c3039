extension FindingCode {
    /// The rows of their group, in the order of the codes.
    static let versionsTable: [FindingCode] = [
        .deltaMismatch
    ]

    package static let deltaMismatch = FindingCode(
        "delta_mismatch",
        .versions,
        .broken,
        meaning: "A delta update, put together with the playlist before it, gave another playlist than the whole one.",
        rule: "HLS (rfc8216bis) section 6.2.5.1: a delta update stands for the whole playlist",
        likelyCauses: [
            "The delta was made from another version of the playlist than the one it is served beside.",
            "A cache keys delta updates and whole playlists alike.",
            "SKIPPED-SEGMENTS or RECENTLY-REMOVED-DATERANGES counts wrongly after a removal at the front.",
        ],
        whereToLook: "The delta update and the whole playlist of the same instant, line by line from EXT-X-SKIP.",
        fault: "delta_wrong"
    )
}
