extension FindingCode {
    /// The rows of their group, in the order of the codes.
    static let playlistTable: [FindingCode] = [
        .notAPlaylist
    ]

    package static let notAPlaylist = FindingCode(
        "not_a_playlist",
        .playlist,
        .broken,
        meaning: "A playlist request answered with success, but the body is no playlist.",
        rule: "RFC 8216 section 4.1: a playlist begins with #EXTM3U",
        likelyCauses: [
            "An error page with status 200, from a gateway or the CDN.",
            "The body was cut off or is empty.",
            "A content encoding that was not asked for.",
        ],
        whereToLook: "The body that the URL answers with, and who sent it: Server, Via and X-Cache fields."
    )
}
