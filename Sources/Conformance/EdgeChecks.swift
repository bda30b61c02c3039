package import HLS
import Rulebook

/// What versions of one playlist tell of the edges that they came from.
///
/// Versions of one URL need not come one after the other: edges of a CDN hold copies of different age, and one update
/// apart is as it should be (bis-22 section 6.2.1 lets a copy be as old as its cache lifetime).
package enum EdgeChecks {
    /// How a version relates to the one that a viewer has.
    package enum Step: Equatable, Sendable {
        /// The same moment of the channel or a later one, or none that can be compared.
        case forward
        /// An earlier version of the same playlist, one update at the most.
        case slightlyOlder
        /// An earlier version of the same playlist by more than one update.
        case older(Violation)

        package var isForward: Bool { self == .forward }
    }

    /// How far a version takes a channel: whole segments, then parts of the next one.
    package struct Edge: Comparable, Sendable {
        /// Of the first segment that is not whole yet.
        package let mediaSequence: UInt64
        private let parts: Int

        package init() { (mediaSequence, parts) = (0, 0) }

        package init(of playlist: MediaPlaylist) {
            mediaSequence = playlist.endMediaSequence
            parts = trailingParts(of: playlist)
        }

        package static func < (left: Edge, right: Edge) -> Bool {
            (left.mediaSequence, left.parts) < (right.mediaSequence, right.parts)
        }
    }

    /// How a version stands to the one before it.
    ///
    /// A version can count lower and still be no older copy, because its segments are different ones. Then the playlist
    /// itself went back.
    ///
    /// - Parameters:
    ///   - previous: What the viewer has.
    ///   - next: What it was given now.
    /// - Returns: Forward, or how it is older.
    package static func step(from previous: MediaPlaylist, to next: MediaPlaylist) -> Step {
        let updates = updates(from: next, to: previous)
        guard updates > 0 else { return .forward }
        guard let overlap = overlap(next, previous), disagreement(next, previous, in: overlap) == nil else {
            return .forward
        }
        guard updates > 1 else { return .slightlyOlder }
        return .older(
            Violation(
                .edgeTimeTravel,
                expected:
                    "a playlist that goes up to media sequence \(lastSequence(of: previous)) or further, as before",
                observed: "one of \(updates) updates earlier, up to media sequence \(lastSequence(of: next))"
            )
        )
    }

    /// How many updates lie between an earlier version and a later one; 0 or less where it is not earlier.
    private static func updates(from earlier: MediaPlaylist, to later: MediaPlaylist) -> Int {
        let segments = Int(
            clamping: Int64(clamping: later.endMediaSequence) &- Int64(clamping: earlier.endMediaSequence)
        )
        guard segments >= 0, earlier.mediaSequence <= later.mediaSequence else { return 0 }
        // With parts each of them is an update; a segment's own parts are no longer all listed once it is whole.
        guard segments == 0 else { return segments }
        return trailingParts(of: later) - trailingParts(of: earlier)
    }

    /// Segments that are compared at the most, the newest.
    private static let comparedSegments = 256

    private static func trailingParts(of playlist: MediaPlaylist) -> Int {
        playlist.parts.reduce(0) { $0 + ($1.segmentIndex == playlist.segments.count ? 1 : 0) }
    }

    private static func lastSequence(of playlist: MediaPlaylist) -> UInt64 {
        playlist.endMediaSequence == 0 ? 0 : playlist.endMediaSequence - 1
    }
}

extension EdgeChecks {
    /// A segment about which two playlists say different things.
    package struct Disagreement: Equatable, Sendable {
        package let mediaSequence: UInt64
        /// What each of them says of it.
        package let first: SegmentFacts
        package let second: SegmentFacts
    }

    /// What must be the same wherever a segment is listed.
    package struct SegmentFacts: Hashable, Sendable {
        /// The path of the URI: hosts and queries may be an edge's or a viewer's own.
        package let path: String
        /// Nil where the playlist does not count the discontinuities that left it: then the number falls as it slides.
        package let discontinuitySequence: UInt64?
        /// In milliseconds, for packagers round; nil where the playlist has no dates.
        package let programMilliseconds: Int64?

        package init(_ playlist: MediaPlaylist, at index: Int) {
            path = Self.path(of: playlist.uri(of: playlist.segments[index]))
            let isCounted = playlist.discontinuitySequence > 0
            discontinuitySequence = isCounted ? playlist.segments[index].discontinuitySequence : nil
            programMilliseconds = playlist.programDate(at: index).map { $0.microseconds / 1_000 }
        }

        /// Over bytes, and of no more of them than tell segments apart: an address may have megabytes.
        private static func path(of uri: String) -> String {
            let path = uri.utf8.prefix(4_096).prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
            var rest = path
            while let colon = rest.firstIndex(of: UInt8(ascii: ":")) {
                rest = path[colon...].dropFirst()
                guard rest.starts(with: "//".utf8) else { continue }
                return String(decoding: rest.dropFirst(2).drop { $0 != UInt8(ascii: "/") }, as: UTF8.self)
            }
            return String(decoding: path, as: UTF8.self)
        }

        /// Whether both can describe the same segment.
        ///
        /// What only one of them says is no difference.
        package func agrees(with other: SegmentFacts) -> Bool {
            guard path == other.path else { return false }
            if let own = discontinuitySequence, let others = other.discontinuitySequence, own != others { return false }
            guard let own = programMilliseconds, let others = other.programMilliseconds else { return true }
            return own.subtractingReportingOverflow(others).partialValue.magnitude <= 1
        }

        /// The same on every loop and machine.
        package var fingerprint: UInt64 {
            var hash: UInt64 = 0xCBF2_9CE4_8422_2325
            for byte in path.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
            // Not the discontinuity number, which not all versions know. Coarsely, so that what rounding makes of a date is no other segment.
            return (hash ^ UInt64(bitPattern: (programMilliseconds ?? 0) / 100)) &* 0x100_0000_01B3
        }

        package var text: String {
            let date = programMilliseconds.map { WallTime(microseconds: $0 &* 1_000).iso8601 } ?? "no date"
            return "\(path), \(discontinuitySequence.map { "discontinuity \($0), " } ?? "")\(date)"
        }
    }

    /// The first segment that both list and describe differently.
    ///
    /// - Parameters:
    ///   - first: A version of a playlist.
    ///   - second: Another version of the same.
    ///   - exempt: Media sequence numbers that are not looked at.
    /// - Returns: The segment; nil where they agree or have none in common.
    package static func disagreement(
        _ first: MediaPlaylist,
        _ second: MediaPlaylist,
        except exempt: Set<UInt64> = []
    ) -> Disagreement? {
        overlap(first, second).flatMap { disagreement(first, second, in: $0, except: exempt) }
    }

    /// What a playlist says about a segment; nil for a segment that it does not list.
    ///
    /// - Parameters:
    ///   - mediaSequence: The segment's number.
    ///   - playlist: A version of the playlist.
    /// - Returns: What it says.
    package static func facts(of mediaSequence: UInt64, in playlist: MediaPlaylist) -> SegmentFacts? {
        guard let index = index(of: mediaSequence, in: playlist) else { return nil }
        return SegmentFacts(playlist, at: index)
    }

    private static func index(of mediaSequence: UInt64, in playlist: MediaPlaylist) -> Int? {
        let first = playlist.mediaSequence(at: 0)
        guard mediaSequence >= first, mediaSequence - first < UInt64(playlist.segments.count) else { return nil }
        return Int(mediaSequence - first)
    }

    /// The media sequence numbers of segments that both list.
    private static func overlap(_ first: MediaPlaylist, _ second: MediaPlaylist) -> Range<UInt64>? {
        let lower = max(first.mediaSequence(at: 0), second.mediaSequence(at: 0))
        let upper = min(first.endMediaSequence, second.endMediaSequence)
        return lower < upper ? lower..<upper : nil
    }

    private static func disagreement(
        _ first: MediaPlaylist,
        _ second: MediaPlaylist,
        in overlap: Range<UInt64>,
        except exempt: Set<UInt64> = []
    ) -> Disagreement? {
        for mediaSequence in overlap.suffix(comparedSegments) where !exempt.contains(mediaSequence) {
            guard let own = index(of: mediaSequence, in: first), let other = index(of: mediaSequence, in: second) else {
                continue
            }
            let (one, two) = (SegmentFacts(first, at: own), SegmentFacts(second, at: other))
            if !one.agrees(with: two) {
                return Disagreement(mediaSequence: mediaSequence, first: one, second: two)
            }
        }
        return nil
    }
}
