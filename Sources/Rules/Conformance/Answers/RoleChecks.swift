package import HLS

/// Checks an answer against the request that it answers.
package enum RoleChecks {
    package static let misplaced = Violation(
        .tagMisplaced,
        expected: "a media playlist, as a multivariant playlist names them",
        observed: "a multivariant playlist"
    )

    static let offeredDelta = "CAN-SKIP-UNTIL beside EXT-X-SKIP, for a server without it gives no delta updates"
    static let lostOffer = "EXT-X-SERVER-CONTROL, or its CAN-SKIP-UNTIL, was lost on the way."

    /// A delta update of a server that offers none (bis-22 section 6.2.5.1).
    package static func unofferedDelta(_ playlist: MediaPlaylist) -> Violation? {
        guard playlist.serverControl?.canSkipUntilSeconds == nil else { return nil }
        return Violation(.serverControlInvalid, expected: offeredDelta, observed: shown(playlist), likely: lostOffer)
    }

    private static func shown(_ playlist: MediaPlaylist) -> String {
        "#EXT-X-SKIP:SKIPPED-SEGMENTS=\(playlist.skippedSegments)"
    }

    /// A delta update for a request without `_HLS_skip` (bis-22 section 6.2.5.1).
    package static func unaskedDelta(_ playlist: MediaPlaylist) -> Violation {
        let expected = "the whole playlist: the request had no _HLS_skip"
        return Violation(.deltaMismatch, expected: expected, observed: shown(playlist))
    }

    /// An answer without what the request at `url` waits for, of a server that offers to wait (bis-22 section 6.2.5.2).
    package static func ignoredBlocking(
        in url: String,
        by playlist: MediaPlaylist,
        after waited: Duration
    ) -> Violation? {
        guard let end = DeliveryDirectives.next(after: playlist), let asked = try? DeliveryDirectives(in: url),
            !asked.areMet(by: playlist)
        else { return nil }
        return Violation(
            .blockingReloadIgnored,
            expected: "held until \(place(asked)) is there, or an error",
            observed: "after \(waited.wholeMicroseconds / 1_000) ms a playlist that ends before \(place(end))"
        )
    }

    private static func place(_ directives: DeliveryDirectives) -> String {
        (directives.part.map { "part \($0) of " } ?? "") + "segment \(directives.mediaSequence ?? 0)"
    }
}
