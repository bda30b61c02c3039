import HLS

/// Compares the breaks that cue tags mark in two playlists of one channel, over their common time.
///
/// No specification defines cue tags. Like date ranges (bis-22 section 6.2.4), they must mark the same breaks in all playlists
/// that have any.
struct CueAgreement {
    private struct Break {
        /// In microseconds of program time, or from the start of a recording.
        let start: Int64
        let duration: Int64?
        /// Room for a rendition that is not cut at the break.
        let slack: Int64

        var text: String { "a break" + (duration.map { " of \(SecondsText.shortest($0)) s" } ?? "") }
    }

    private let own: [Break]
    private let other: [Break]
    private let common: Range<Int64>
    private let isDated: Bool

    /// Places and lengths differ by the rounding to frames and segments.
    private static let tolerance = SpliceChecks.tolerance.wholeMicroseconds
    /// Breaks further apart are not the same one at another place.
    private static let nearby: Int64 = 30_000_000
    /// More breaks are not compared.
    private static let kept = 256

    /// Nil if neither has cue tags; or one has none, and need not.
    init?(_ playlist: MediaPlaylist, as kind: RenditionKind, beside reference: MediaPlaylist, isDated: Bool) {
        guard kind != .subtitles, playlist.isIFramesOnly == reference.isIFramesOnly else { return nil }
        self.isDated = isDated
        own = Self.breaks(in: playlist, as: kind, isDated)
        other = Self.breaks(in: reference, as: .variant, isDated)
        // Renditions that are played beside a variant need not repeat its tags.
        guard kind == .variant ? !own.isEmpty || !other.isEmpty : !own.isEmpty && !other.isEmpty else { return nil }
        let (ownSpan, otherSpan) = (Self.span(of: playlist, isDated), Self.span(of: reference, isDated))
        let lower = max(ownSpan.lowerBound, otherSpan.lowerBound).addingClamped(Self.tolerance)
        var upper = min(ownSpan.upperBound, otherSpan.upperBound).subtractingClamped(Self.tolerance)
        for last in [own, other].filter({ $0.count == Self.kept }).compactMap(\.last) {
            upper = min(upper, last.start.subtractingClamped(Self.nearby))
        }
        common = lower..<max(lower, upper)
    }

    /// The first break that only one of them has, or that begins elsewhere or has another length.
    var violation: Violation? {
        for wanted in other where common.contains(wanted.start) {
            guard let match = Self.nearest(to: wanted, in: own) else {
                return Violation(
                    .renditionCueDiffers,
                    expected: "\(wanted.text) by a cue tag (EXT-X-CUE-OUT) \(place(wanted)), as in the first variant",
                    observed: "no cue tag for it"
                )
            }
            if let difference = difference(of: match, from: wanted) { return difference }
        }
        for found in own where common.contains(found.start) && Self.nearest(to: found, in: other) == nil {
            return Violation(
                .renditionCueDiffers,
                expected: "no cue tag (EXT-X-CUE-OUT) \(place(found)), as in the first variant",
                observed: "\(found.text) by a cue tag"
            )
        }
        return nil
    }

    private func difference(of found: Break, from wanted: Break) -> Violation? {
        let apart = found.start.subtractingClamped(wanted.start)
        if apart.magnitude > UInt64(max(found.slack, wanted.slack)) {
            let seconds = SecondsText.shortest(Int64(clamping: apart.magnitude))
            return Violation(
                .renditionCueDiffers,
                expected: "\(wanted.text) by a cue tag (EXT-X-CUE-OUT) \(place(wanted)), as in the first variant",
                observed: "the break begins \(seconds) s \(apart < 0 ? "earlier" : "later")"
            )
        }
        guard let length = found.duration, let other = wanted.duration,
            length.subtractingClamped(other).magnitude > UInt64(Self.tolerance)
        else { return nil }
        return Violation(
            .renditionCueDiffers,
            expected: "\(wanted.text) by a cue tag (EXT-X-CUE-OUT) \(place(wanted)), as in the first variant",
            observed: found.text
        )
    }

    private func place(_ found: Break) -> String {
        isDated ? "at \(found.start.dateText)" : "after \(SecondsText.shortest(found.start)) s"
    }

    private static func nearest(to wanted: Break, in breaks: [Break]) -> Break? {
        breaks.min {
            $0.start.subtractingClamped(wanted.start).magnitude < $1.start.subtractingClamped(wanted.start).magnitude
        }
        .flatMap { $0.start.subtractingClamped(wanted.start).magnitude <= UInt64(nearby) ? $0 : nil }
    }

    /// Tags of several syntaxes before one segment mark one break.
    private static func breaks(in playlist: MediaPlaylist, as kind: RenditionKind, _ isDated: Bool) -> [Break] {
        var breaks: [Break] = []
        var last: Int?
        for (tag, index) in playlist.cues where tag.kind == .out {
            guard playlist.segments.indices.contains(index), let start = time(of: index, in: playlist, isDated) else {
                continue
            }
            let segment = playlist.segments[index]
            let isCut = kind == .variant || segment.isDiscontinuity
            let slack = isCut ? tolerance : max(tolerance, segment.durationMicroseconds)
            let isSame = last == index && !breaks.isEmpty
            let known = isSame ? breaks.removeLast().duration : nil
            // An ad that begins with its break is shorter, and its tag may come first.
            let duration = [known, tag.length.duration?.wholeMicroseconds].compactMap(\.self).max()
            breaks.append(Break(start: start, duration: duration, slack: slack))
            last = index
            guard breaks.count < kept else { break }
        }
        return breaks
    }

    private static func time(of index: Int, in playlist: MediaPlaylist, _ isDated: Bool) -> Int64? {
        isDated
            ? playlist.programDate(at: index)?.microseconds : playlist.segments[index].startOffsetMicroseconds
    }

    /// The time that may be compared: it ends where dates would be carried over a discontinuity (bis-22 section 6.2.1).
    ///
    /// A break at that discontinuity still has the date at which the segment before it ends.
    private static func span(of playlist: MediaPlaylist, _ isDated: Bool) -> Range<Int64> {
        let start = isDated ? playlist.programDate(at: 0)?.microseconds ?? 0 : 0
        var end = start.addingClamped(playlist.durationMicroseconds)
        if isDated, let carried = playlist.segments.indices.first(where: { playlist.ownProgramDate(at: $0) == nil }) {
            end = time(of: carried, in: playlist, isDated)?.addingClamped(2 * tolerance) ?? start
        }
        return start..<max(start, end)
    }
}
