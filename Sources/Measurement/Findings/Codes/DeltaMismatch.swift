extension FindingCode {
    package static let deltaMismatch = FindingCode(
        code: "delta_mismatch",
        severity: .broken,
        meaning: "A delta update, put together with the playlist before it, gave another playlist than the whole one.",
        rule: "HLS (rfc8216bis) section 6.2.5.1: a delta update stands for the whole playlist",
        likelyCauses: [
            "The delta was made from another version of the playlist than the one it is served beside.",
            "A cache keys delta updates and whole playlists alike.",
            "SKIPPED-SEGMENTS or RECENTLY-REMOVED-DATERANGES counts wrongly after a removal at the front.",
        ]
    )
}
