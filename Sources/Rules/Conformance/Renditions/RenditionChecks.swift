package import HLS

package enum RenditionKind: Hashable, Sendable {
    case variant
    case audio
    case subtitles
    /// Named by EXT-X-I-FRAME-STREAM-INF.
    case keyFrames
}

/// Compares two playlists of one channel (bis-22 section 6.2.4), by program date and discontinuity number.
///
/// Only the common time counts: the window may move between two requests.
package enum RenditionChecks {
    /// At most one violation of each code; `reference` is a variant, loaded less than about two target durations before.
    ///
    /// `comparesEnded` also compares recordings, whose live edge has no meaning.
    package static func violations(
        of playlist: MediaPlaylist,
        as kind: RenditionKind,
        beside reference: MediaPlaylist,
        addresses: RenditionAddresses? = nil,
        tolerance: AnnouncementTolerance = .usual,
        comparesEnded: Bool = false
    ) -> [Violation] {
        let hasEnded = playlist.hasEndList && reference.hasEndList
        guard comparesEnded || !hasEnded else { return [] }
        if kind == .keyFrames {
            return discontinuityViolation(of: playlist, beside: reference, hasEnded: hasEnded).map { [$0] } ?? []
        }
        var found = headerViolations(of: playlist, beside: reference)
        if let report = RenditionReportCheck.violation(of: playlist, as: kind, beside: reference, at: addresses) {
            found.append(report)
        }
        if hasEnded {
            // Subtitles of a recording may have a target duration of their own (bis-22 section 6.2.4).
            if kind == .subtitles { found.removeAll { $0.code == .renditionTargetDurationDiffers } }
            found += recordingViolations(of: playlist, beside: reference)
        }
        guard let own = RenditionTimeline(playlist), let other = RenditionTimeline(reference) else {
            if let missing = missingDates(playlist, beside: reference) { found.append(missing) }
            let cues = CueAgreement(playlist, as: kind, beside: reference, isDated: false)
            if let cue = cues?.violation { found.append(cue) }
            return found
        }
        if let type = typeViolation(of: playlist, own, beside: reference, other) { found.append(type) }
        if let lag = lag(of: playlist, own, beside: reference, other) { found.append(lag) }
        if let shift = own.shift(from: other) {
            // Different dates cannot align anything else.
            found.append(shift)
            return found
        }
        if !found.contains(where: { $0.code == .renditionDiscontinuityDiffers }),
            let renumbered = own.renumbering(beside: other)
        {
            found.append(renumbered)
        }
        if kind == .variant, let key = encryptionViolation(of: playlist, own, beside: reference, other) {
            found.append(key)
        }
        let ranges = DateRangeAgreement(own: own, other: other, tolerance, addresses)
        if let range = ranges.violation(of: playlist, as: kind, beside: reference) { found.append(range) }
        let cues = CueAgreement(playlist, as: kind, beside: reference, isDated: true)
        if let cue = cues?.violation { found.append(cue) }
        return found
    }

    private static func headerViolations(of playlist: MediaPlaylist, beside reference: MediaPlaylist) -> [Violation] {
        var found: [Violation] = []
        if playlist.targetDurationSeconds != reference.targetDurationSeconds {
            found.add(
                .renditionTargetDurationDiffers,
                expected: "#EXT-X-TARGETDURATION:\(reference.targetDurationSeconds)",
                observed: "#EXT-X-TARGETDURATION:\(playlist.targetDurationSeconds)"
            )
        }
        if playlist.serverControl != reference.serverControl {
            found.add(
                .renditionServerControlDiffers,
                expected: text(of: reference.serverControl),
                observed: text(of: playlist.serverControl)
            )
        }
        return found
    }

    /// Equal lengths and discontinuity numbers (bis-22 section 6.2.4).
    private static func recordingViolations(
        of playlist: MediaPlaylist,
        beside reference: MediaPlaylist
    ) -> [Violation] {
        var found: [Violation] = []
        // The difference may be at most the smallest target duration.
        let margin = Int64(min(reference.targetDurationSeconds, playlist.targetDurationSeconds)) &* 1_000_000
        let apart = playlist.durationMicroseconds.subtractingClamped(reference.durationMicroseconds)
        if apart.magnitude > UInt64(margin) {
            found.add(
                .renditionEdgeLags,
                expected:
                    "\(SecondsText.shortest(reference.durationMicroseconds)) s of media, as in the first variant",
                observed: "\(SecondsText.shortest(playlist.durationMicroseconds)) s, "
                    + "\(SecondsText.shortest(Int64(clamping: apart.magnitude))) s \(apart < 0 ? "less" : "more")"
            )
        }
        let timelines = (RenditionTimeline(playlist), RenditionTimeline(reference))
        if timelines.0 == nil || timelines.1 == nil, let type = typeViolation(of: playlist, beside: reference) {
            found.append(type)
        }
        guard timelines.0?.isComplete != true || timelines.1?.isComplete != true else { return found }
        if apart.magnitude <= UInt64(margin), let count = countViolation(of: playlist, beside: reference) {
            found.append(count)
        }
        return found
    }

    private static func countViolation(of playlist: MediaPlaylist, beside reference: MediaPlaylist) -> Violation? {
        let counts = (discontinuities(of: playlist), discontinuities(of: reference))
        guard counts.0 != counts.1 else { return nil }
        return Violation(
            .renditionDiscontinuityDiffers,
            expected: "discontinuities \(counts.1.lowerBound) to \(counts.1.upperBound)",
            observed: "\(counts.0.lowerBound) to \(counts.0.upperBound)"
        )
    }

    /// Key frames have a variant's discontinuities; their lengths, dates and ranges are their own.
    private static func discontinuityViolation(
        of playlist: MediaPlaylist,
        beside reference: MediaPlaylist,
        hasEnded: Bool
    ) -> Violation? {
        let found: Violation?
        if let own = RenditionTimeline(playlist), let other = RenditionTimeline(reference) {
            found = own.renumbering(beside: other)
        } else {
            let apart = playlist.durationMicroseconds.subtractingClamped(reference.durationMicroseconds)
            let margin = Int64(reference.targetDurationSeconds) &* 1_000_000
            found =
                hasEnded && apart.magnitude <= UInt64(margin) ? countViolation(of: playlist, beside: reference) : nil
        }
        return found.map {
            let likely = "The I-frame playlist is written without the discontinuities of its content."
            return Violation($0.code, expected: $0.expected, observed: $0.observed, likely: likely)
        }
    }

    private static func discontinuities(of playlist: MediaPlaylist) -> ClosedRange<UInt64> {
        let first = playlist.discontinuitySequence
        return first...max(first, playlist.segments.last?.discontinuitySequence ?? first)
    }

    private static func text(of control: MediaPlaylist.ServerControl?) -> String {
        guard let control else { return "no EXT-X-SERVER-CONTROL" }
        var attributes: [String] = []
        if control.canBlockReload { attributes.append("CAN-BLOCK-RELOAD=YES") }
        if let seconds = control.canSkipUntilSeconds { attributes.append("CAN-SKIP-UNTIL=\(seconds)") }
        if control.canSkipDateRanges { attributes.append("CAN-SKIP-DATERANGES=YES") }
        if let seconds = control.holdBackSeconds { attributes.append("HOLD-BACK=\(seconds)") }
        if let seconds = control.partHoldBackSeconds { attributes.append("PART-HOLD-BACK=\(seconds)") }
        return "#EXT-X-SERVER-CONTROL:" + attributes.joined(separator: ",")
    }

    private static func missingDates(_ playlist: MediaPlaylist, beside reference: MediaPlaylist) -> Violation? {
        guard !playlist.segments.isEmpty, !reference.segments.isEmpty else { return nil }
        let isDated = playlist.programDate(at: 0) != nil
        guard isDated != (reference.programDate(at: 0) != nil) else { return nil }
        let with = "program dates"
        let without = "no EXT-X-PROGRAM-DATE-TIME"
        return Violation(
            .renditionProgramDateMissing,
            expected: isDated ? without : with,
            observed: isDated ? with : without
        )
    }

    /// Ignores an end that reaches the two at different moments.
    private static func typeViolation(
        of playlist: MediaPlaylist,
        _ own: RenditionTimeline,
        beside reference: MediaPlaylist,
        _ other: RenditionTimeline
    ) -> Violation? {
        if playlist.hasEndList == reference.hasEndList { return typeViolation(of: playlist, beside: reference) }
        guard own.isWhole, other.isWhole, own.isNear(other) else { return nil }
        let margin = Int64(playlist.targetDurationSeconds) &* 500_000
        let wentOn =
            playlist.hasEndList
            ? other.end > own.end.addingClamped(margin) : own.end > other.end.addingClamped(margin)
        guard wentOn else { return nil }
        let ended = "#EXT-X-ENDLIST"
        let live = "a live playlist, now up to \(max(own.end, other.end).dateText)"
        return Violation(
            .renditionTypeDiffers,
            expected: playlist.hasEndList ? live : ended,
            observed: playlist.hasEndList ? "\(ended) at \(own.end.dateText)" : live
        )
    }

    private static func typeViolation(of playlist: MediaPlaylist, beside reference: MediaPlaylist) -> Violation? {
        guard playlist.playlistType != reference.playlistType else { return nil }
        func text(_ type: MediaPlaylist.PlaylistType?) -> String {
            type.map { "#EXT-X-PLAYLIST-TYPE:\($0.rawValue)" } ?? "no EXT-X-PLAYLIST-TYPE"
        }
        return Violation(
            .renditionTypeDiffers,
            expected: text(reference.playlistType),
            observed: text(playlist.playlistType)
        )
    }

    private static func lag(
        of playlist: MediaPlaylist,
        _ own: RenditionTimeline,
        beside reference: MediaPlaylist,
        _ other: RenditionTimeline
    ) -> Violation? {
        guard !playlist.hasEndList, !reference.hasEndList, own.isWhole, other.isWhole else { return nil }
        let target = Int64(max(playlist.targetDurationSeconds, reference.targetDurationSeconds))
        let limit = target &* 3_000_000
        guard other.end > own.end.addingClamped(limit), own.isNear(other) else { return nil }
        return Violation(
            .renditionEdgeLags,
            expected: "an end within \(target * 3) s of \(other.end.dateText)",
            observed: "\(own.end.dateText), \(own.end.subtractingClamped(other.end).shiftText)"
        )
    }

    private static func encryptionViolation(
        of playlist: MediaPlaylist,
        _ own: RenditionTimeline,
        beside reference: MediaPlaylist,
        _ other: RenditionTimeline
    ) -> Violation? {
        let ownKeys = KeyLines(playlist)
        let otherKeys = KeyLines(reference)
        guard !ownKeys.isEmpty || !otherKeys.isEmpty else { return nil }
        for (place, match) in own.matches(in: other) {
            let (index, otherIndex) = (own.spans[place].index, other.spans[match].index)
            guard ownKeys.isEncrypted(at: index) != otherKeys.isEncrypted(at: otherIndex) else { continue }
            let line = ownKeys.line(at: index)
            let wanted = otherKeys.line(at: otherIndex)
            return Violation(
                .renditionEncryptionDiffers,
                expected: wanted ?? "no EXT-X-KEY",
                observed: "\(line ?? "no EXT-X-KEY") at \(own.spans[place].start.dateText)"
            )
        }
        return nil
    }
}

/// Differences last found between a playlist and another.
///
/// A change reaches one of them first: a difference counts once it is found against two consecutive versions of the other.
package struct RenditionDeviations: Sendable {
    private var codes: [FindingCode] = []
    /// Also found beside an earlier version of the other playlist.
    private var lasting: [FindingCode] = []
    /// Version of the other playlist at that time.
    private var reference = 0

    package init() {}

    /// Returns differences found against an earlier version as well; `version` is any number that identifies the other's.
    package mutating func confirmed(_ violations: [Violation], beside version: Int) -> [Violation] {
        guard version != reference || codes.isEmpty else {
            // Without a reload of the other one, nothing more is confirmed. A confirmed difference holds for every version
            // since, such as those of several edges.
            codes.removeAll { code in !violations.contains { $0.code == code } }
            lasting.removeAll { !codes.contains($0) }
            return violations.filter { lasting.contains($0.code) }
        }
        let found = violations.map(\.code)
        lasting = found.filter(codes.contains)
        codes = found
        reference = version
        return violations.filter { lasting.contains($0.code) }
    }

    package mutating func forget() {
        codes = []
        lasting = []
    }
}
