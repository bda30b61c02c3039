package import HLS

/// Checks an answer against the request that it answers.
package enum RoleChecks {
    /// A multivariant playlist at the address of a media playlist.
    package static let misplaced = Violation(
        .tagMisplaced,
        expected: "a media playlist, as a multivariant playlist names them",
        observed: "a multivariant playlist"
    )

    /// A delta update for a request without `_HLS_skip` (bis-22 section 6.2.5.1: only a client that asks gets one).
    package static func unaskedDelta(_ playlist: MediaPlaylist) -> Violation {
        Violation(
            .deltaMismatch,
            expected: "the whole playlist: the request had no _HLS_skip",
            observed: "#EXT-X-SKIP:SKIPPED-SEGMENTS=\(playlist.skippedSegments)"
        )
    }
}
