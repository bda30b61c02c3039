extension FindingCode {
    package static let stitchedMismatch = FindingCode(
        code: "stitched_mismatch",
        severity: .wrong,
        meaning: "Viewers of one stitched break were given different ad segments.",
        rule: "HLS (rfc8216bis) section 6.2.1: every client that loads a playlist at one time sees the same segments",
        likelyCauses: [
            "The ad decision is made for each session where one for the whole channel was asked for.",
            "Packagers behind one address stitch on their own and decided apart.",
            "An edge serves an earlier version of the break.",
        ]
    )
}
