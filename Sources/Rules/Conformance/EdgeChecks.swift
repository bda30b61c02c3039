import AdServing
package import HLS

/// Compares versions of one playlist that may come from different edges.
///
/// A difference of one update is allowed: bis-22 section 6.2.1 lets a copy be as old as its cache lifetime.
package enum EdgeChecks {
    /// Age of a version relative to the viewer's present one.
    package enum Step: Equatable, Sendable {
        /// Equal, later, or incomparable.
        case forward
        /// One update at most.
        case slightlyOlder
        case older(Violation)
    }

    /// Whole segments, then parts of the next one.
    package struct Edge: Comparable, Sendable {
        /// Number of the first incomplete segment.
        package let mediaSequence: UInt64
        private let parts: UInt64

        package init() { (mediaSequence, parts) = (0, 0) }

        package init(of playlist: MediaPlaylist) {
            mediaSequence = playlist.endMediaSequence
            parts = playlist.trailingPartCount
        }

        package static func < (left: Edge, right: Edge) -> Bool {
            (left.mediaSequence, left.parts) < (right.mediaSequence, right.parts)
        }
    }

    /// A version with lower numbers and different segments is not an older copy: the playlist itself went back.
    package static func step(from previous: MediaPlaylist, to next: MediaPlaylist) -> Step {
        let updates = updates(from: next, to: previous)
        guard updates > 0 else { return .forward }
        guard !VersionPair(next, previous).overlap.isEmpty, disagreement(next, previous) == nil else { return .forward }
        guard updates > 1 else { return .slightlyOlder }
        let expected = "a playlist that goes up to media sequence \(lastSequence(of: previous)) or further, as before"
        let observed = "one of \(updates) updates earlier, up to media sequence \(lastSequence(of: next))"
        return .older(Violation(.edgeTimeTravel, expected: expected, observed: observed))
    }

    private static func updates(from earlier: MediaPlaylist, to later: MediaPlaylist) -> Int {
        let segments = Int(
            clamping: Int64(clamping: later.endMediaSequence) &- Int64(clamping: earlier.endMediaSequence)
        )
        guard segments >= 0, earlier.mediaSequence <= later.mediaSequence else { return 0 }
        // With parts each of them is an update; parts of a complete segment are no longer all listed.
        guard segments == 0 else { return segments }
        return Int(later.trailingPartCount) - Int(earlier.trailingPartCount)
    }

    private static let comparedSegments = 256

    private static func lastSequence(of playlist: MediaPlaylist) -> UInt64 {
        playlist.endMediaSequence == 0 ? 0 : playlist.endMediaSequence - 1
    }

    package struct Disagreement: Equatable, Sendable {
        package let mediaSequence: UInt64
        package let first: SegmentFacts
        package let second: SegmentFacts
    }

    /// Facts that must be equal in every playlist that lists the segment.
    package struct SegmentFacts: Hashable, Sendable {
        /// Hosts and queries may be an edge's or a viewer's own.
        package let path: String
        /// Nil if EXT-X-DISCONTINUITY-SEQUENCE is missing or 0: the number may then fall as the window moves.
        package let discontinuitySequence: UInt64?
        /// Packagers round; nil without a date on its side of each discontinuity.
        package let programMilliseconds: Int64?

        package init(_ playlist: MediaPlaylist, at index: Int) {
            // Limited, since an address may have megabytes.
            let uri = playlist.uri(of: playlist.segments[index]).utf8.prefix(4_096)
            path = String(Substring(uri.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }.withoutAuthority))
            let isCounted = playlist.discontinuitySequence > 0
            discontinuitySequence = isCounted ? playlist.segments[index].discontinuitySequence : nil
            programMilliseconds = playlist.ownProgramDate(at: index).map { $0.microseconds / 1_000 }
        }

        private var unsignedPath: String { PlayedAddress.unsigned(path[...]) }

        /// Whether both can describe the same segment; facts that only one has are ignored.
        package func agrees(with other: SegmentFacts) -> Bool {
            guard path == other.path || unsignedPath == other.unsignedPath else { return false }
            if let own = discontinuitySequence, let others = other.discontinuitySequence, own != others { return false }
            guard let own = programMilliseconds, let others = other.programMilliseconds else { return true }
            return own.subtractingReportingOverflow(others).partialValue.magnitude <= 1
        }

        /// Equal on every loop and machine.
        package var fingerprint: UInt64 {
            var hash = FNV1a()
            hash.add(unsignedPath.utf8)
            // Some versions lack the discontinuity number.
            hash.add(UInt64(bitPattern: (programMilliseconds ?? 0) / 100))
            return hash.value
        }

        package var text: String {
            let date = programMilliseconds.map { WallTime(microseconds: $0 &* 1_000).iso8601 } ?? "no date"
            return "\(path), \(discontinuitySequence.map { "discontinuity \($0), " } ?? "")\(date)"
        }
    }

    package static func facts(of mediaSequence: UInt64, in playlist: MediaPlaylist) -> SegmentFacts? {
        let first = playlist.mediaSequence(at: 0)
        guard mediaSequence >= first, mediaSequence - first < UInt64(playlist.segments.count) else { return nil }
        return SegmentFacts(playlist, at: Int(mediaSequence - first))
    }

    /// The first segment that both list and describe differently.
    package static func disagreement(
        _ first: MediaPlaylist,
        _ second: MediaPlaylist,
        except exempt: Set<UInt64> = []
    ) -> Disagreement? {
        let pair = VersionPair(first, second)
        for number in pair.overlap.suffix(comparedSegments) where !exempt.contains(number) {
            let (before, after) = pair.segments(number)
            let (one, two) = (SegmentFacts(pair.previous, at: before), SegmentFacts(pair.next, at: after))
            if !one.agrees(with: two) { return Disagreement(mediaSequence: number, first: one, second: two) }
        }
        return nil
    }
}
