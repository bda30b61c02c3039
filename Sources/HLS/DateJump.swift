/// A jump of program dates at a discontinuity.
package struct DateJump: Hashable, Sendable {
    /// Index of the first segment that is dated anew.
    package let segmentIndex: Int
    package let mediaSequence: UInt64
    package let discontinuitySequence: UInt64
    /// The segment's own date less the one that the segments before it carry on to it.
    package let microseconds: Int64
}

extension MediaPlaylist {
    /// Jumps at discontinuities, in order.
    ///
    /// Less than a second is the rounding of EXTINF: dates may overlap by that (bis-22 section 6.2.1), and Shaka ignores as
    /// much (5.2.7 lib/hls/hls_parser.js:5123).
    package var dateJumps: [DateJump] {
        guard let first = segments.first, let last = segments.last,
            first.discontinuitySequence != last.discontinuitySequence
        else { return [] }
        return segments.indices.dropFirst().compactMap(dateJump)
    }

    private func dateJump(at index: Int) -> DateJump? {
        let (before, segment) = (segments[index - 1], segments[index])
        guard let own = segment.programDate, segments.indices.contains(before.dateAnchor),
            segments[before.dateAnchor].discontinuitySequence != segment.discontinuitySequence,
            let carried = programDate(at: index - 1)
        else { return nil }
        let end = carried.microseconds.addingClamped(before.durationMicroseconds)
        let jump = own.microseconds.subtractingClamped(end)
        guard jump.magnitude >= 1_000_000 else { return nil }
        return DateJump(
            segmentIndex: index,
            mediaSequence: mediaSequence(at: index),
            discontinuitySequence: segment.discontinuitySequence,
            microseconds: jump
        )
    }

    /// The segment whose date the live edge's is derived from.
    package var lastDatedSegment: (mediaSequence: UInt64, discontinuitySequence: UInt64)? {
        guard let index = segments.last?.dateAnchor, segments.indices.contains(index) else { return nil }
        return (mediaSequence(at: index), segments[index].discontinuitySequence)
    }
}
