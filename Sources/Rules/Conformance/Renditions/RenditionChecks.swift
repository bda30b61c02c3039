package import HLS

package enum RenditionKind: Hashable, Sendable {
    case variant, audio, subtitles
    /// Named by EXT-X-I-FRAME-STREAM-INF.
    case keyFrames
}

/// Compares two playlists of one channel (bis-22 section 6.2.4), by program date and discontinuity number.
///
/// Only the common time counts: the window may move between two requests.
package struct RenditionChecks {
    private let playlist: MediaPlaylist
    private let kind: RenditionKind
    private let reference: MediaPlaylist
    private let hasEnded: Bool
    /// Nil unless both have dates.
    private let timelines: (own: RenditionTimeline, other: RenditionTimeline)?
    /// Microseconds by which the playlist is longer.
    private let apart: Int64

    private init(_ playlist: MediaPlaylist, as kind: RenditionKind, beside reference: MediaPlaylist) {
        (self.playlist, self.kind, self.reference) = (playlist, kind, reference)
        hasEnded = playlist.hasEndList && reference.hasEndList
        timelines = RenditionTimeline(playlist).flatMap { own in RenditionTimeline(reference).map { (own, $0) } }
        apart = playlist.durationMicroseconds.subtractingClamped(reference.durationMicroseconds)
    }

    /// At most one violation of each code; `reference` is a variant, loaded less than about two target durations before.
    ///
    /// `comparesEnded` also compares recordings, whose live edge has no meaning.
    package static func violations(
        of playlist: MediaPlaylist,
        as kind: RenditionKind,
        beside reference: MediaPlaylist,
        addresses: RenditionAddresses? = nil,
        tolerance: Duration = .announcementTolerance,
        comparesEnded: Bool = false
    ) -> [Violation] {
        guard comparesEnded || !playlist.hasEndList || !reference.hasEndList else { return [] }
        let checks = RenditionChecks(playlist, as: kind, beside: reference)
        let found = kind == .keyFrames ? [checks.keyFrames] : checks.violations(addresses, tolerance)
        return found.compactMap(\.self)
    }

    private func violations(_ addresses: RenditionAddresses?, _ tolerance: Duration) -> [Violation?] {
        let report = RenditionReportCheck.violation(of: playlist, as: kind, beside: reference, at: addresses)
        var found = [targetDuration, serverControl, report]
        if hasEnded { found += recording }
        guard let (own, other) = timelines else { return found + [missingDates, cues] }
        found += [ending(own, other), lag(own, other)]
        // Different dates cannot align anything else.
        if let shift = own.shift(from: other) { return found + [shift] }
        if !found.contains(where: { $0?.code == .renditionDiscontinuityDiffers }) {
            found.append(own.renumbering(beside: other))
        }
        if kind == .variant { found.append(encryption(own, other)) }
        let ranges = DateRangeAgreement(own: own, other: other, tolerance: tolerance, addresses: addresses)
        return found + [ranges.violation(of: playlist, as: kind, beside: reference), cues]
    }

    private func difference(_ code: FindingCode, _ text: (MediaPlaylist) -> String) -> Violation {
        Violation(code, expected: text(reference), observed: text(playlist))
    }

    private var targetDuration: Violation? {
        // Subtitles of a recording may have a target duration of their own (bis-22 section 6.2.4).
        guard playlist.targetDurationSeconds != reference.targetDurationSeconds, !hasEnded || kind != .subtitles else {
            return nil
        }
        return difference(.renditionTargetDurationDiffers) { "#EXT-X-TARGETDURATION:\($0.targetDurationSeconds)" }
    }

    private var serverControl: Violation? {
        guard playlist.serverControl != reference.serverControl else { return nil }
        return difference(.renditionServerControlDiffers) { Self.text(of: $0.serverControl) }
    }

    private var cues: Violation? {
        CueAgreement(playlist, as: kind, beside: reference, isDated: timelines != nil)?.violation
    }

    /// Equal lengths and discontinuity numbers (bis-22 section 6.2.4).
    private var recording: [Violation?] {
        var found: [Violation?] = []
        // The difference may be at most the smallest target duration.
        let margin = UInt64(min(reference.targetDurationSeconds, playlist.targetDurationSeconds)) &* 1_000_000
        if apart.magnitude > margin {
            let wanted = SecondsText.shortest(reference.durationMicroseconds)
            let difference = SecondsText.shortest(Int64(clamping: apart.magnitude))
            let length = SecondsText.shortest(playlist.durationMicroseconds)
            let expected = "\(wanted) s of media, as in the first variant"
            let observed = "\(length) s, \(difference) s \(apart < 0 ? "less" : "more")"
            found.append(Violation(.renditionEdgeLags, expected: expected, observed: observed))
        }
        if timelines == nil { found.append(playlistType) }
        let areComplete = timelines.map { $0.own.isComplete && $0.other.isComplete } ?? false
        return areComplete || apart.magnitude > margin ? found : found + [count]
    }

    private var count: Violation? {
        let (own, wanted) = (Self.discontinuities(of: playlist), Self.discontinuities(of: reference))
        guard own != wanted else { return nil }
        let expected = "discontinuities \(wanted.lowerBound) to \(wanted.upperBound)"
        let observed = "\(own.lowerBound) to \(own.upperBound)"
        return Violation(.renditionDiscontinuityDiffers, expected: expected, observed: observed)
    }

    /// Key frames have a variant's discontinuities; their lengths, dates and ranges are their own.
    private var keyFrames: Violation? {
        let isComparable = hasEnded && apart.magnitude <= UInt64(reference.targetDurationSeconds) &* 1_000_000
        let found =
            if let (own, other) = timelines { own.renumbering(beside: other) } else { isComparable ? count : nil }
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
        let attributes = [
            control.canBlockReload ? "CAN-BLOCK-RELOAD=YES" : nil,
            control.canSkipUntilSeconds.map { "CAN-SKIP-UNTIL=\($0)" },
            control.canSkipDateRanges ? "CAN-SKIP-DATERANGES=YES" : nil,
            control.holdBackSeconds.map { "HOLD-BACK=\($0)" },
            control.partHoldBackSeconds.map { "PART-HOLD-BACK=\($0)" },
        ]
        return "#EXT-X-SERVER-CONTROL:" + attributes.compactMap(\.self).joined(separator: ",")
    }

    private var missingDates: Violation? {
        guard !playlist.segments.isEmpty, !reference.segments.isEmpty,
            (playlist.programDate(at: 0) == nil) != (reference.programDate(at: 0) == nil)
        else { return nil }
        return difference(.renditionProgramDateMissing) {
            $0.programDate(at: 0) == nil ? "no EXT-X-PROGRAM-DATE-TIME" : "program dates"
        }
    }

    /// Ignores an end that reaches the two at different moments.
    private func ending(_ own: RenditionTimeline, _ other: RenditionTimeline) -> Violation? {
        if playlist.hasEndList == reference.hasEndList { return playlistType }
        guard own.isWhole, other.isWhole, own.isNear(other) else { return nil }
        let margin = Int64(playlist.targetDurationSeconds) &* 500_000
        let (ended, lasting) = playlist.hasEndList ? (own.end, other.end) : (other.end, own.end)
        guard lasting > ended.addingClamped(margin) else { return nil }
        let live = "a live playlist, now up to \(max(own.end, other.end).dateText)"
        return difference(.renditionTypeDiffers) { playlist in
            guard playlist.hasEndList else { return live }
            return "#EXT-X-ENDLIST" + (self.playlist.hasEndList ? " at \(own.end.dateText)" : "")
        }
    }

    private var playlistType: Violation? {
        guard playlist.playlistType != reference.playlistType else { return nil }
        return difference(.renditionTypeDiffers) {
            $0.playlistType.map { "#EXT-X-PLAYLIST-TYPE:\($0.rawValue)" } ?? "no EXT-X-PLAYLIST-TYPE"
        }
    }

    private func lag(_ own: RenditionTimeline, _ other: RenditionTimeline) -> Violation? {
        guard !playlist.hasEndList, !reference.hasEndList, own.isWhole, other.isWhole else { return nil }
        let target = Int64(max(playlist.targetDurationSeconds, reference.targetDurationSeconds))
        let apart = own.end.subtractingClamped(other.end)
        // The other one was loaded before.
        let isBehind = apart < target &* -3_000_000
        let isAhead = apart > max(target &* 5_000_000, 20_000_000)
        guard isBehind || isAhead, own.isNear(other) else { return nil }
        let expected = "an end within \(target * 3) s of \(other.end.dateText)"
        let observed = "\(own.end.dateText), \(apart.shiftText)"
        let likely =
            apart.isZoneShift
            ? "The dates of the two are written with different time zones."
            : isAhead ? "The encoder or packager of the first variant falls behind, or the clocks disagree." : nil
        return Violation(.renditionEdgeLags, expected: expected, observed: observed, likely: likely)
    }

    private func encryption(_ own: RenditionTimeline, _ other: RenditionTimeline) -> Violation? {
        let (ownKeys, otherKeys) = (KeyLines(playlist), KeyLines(reference))
        guard !ownKeys.isEmpty || !otherKeys.isEmpty else { return nil }
        for (place, match) in own.matches(in: other) {
            let (index, otherIndex) = (own.spans[place].index, other.spans[match].index)
            guard ownKeys.isEncrypted(at: index) != otherKeys.isEncrypted(at: otherIndex) else { continue }
            let expected = otherKeys.line(at: otherIndex) ?? "no EXT-X-KEY"
            let observed = "\(ownKeys.line(at: index) ?? "no EXT-X-KEY") at \(own.spans[place].start.dateText)"
            return Violation(.renditionEncryptionDiffers, expected: expected, observed: observed)
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
        let found = violations.map(\.code)
        if version == reference, !codes.isEmpty {
            // Without a reload of the other one, nothing more is confirmed. A confirmed difference holds for every version
            // since, such as those of several edges.
            codes.removeAll { !found.contains($0) }
            lasting.removeAll { !codes.contains($0) }
        } else {
            lasting = found.filter(codes.contains)
            (codes, reference) = (found, version)
        }
        return violations.filter { lasting.contains($0.code) }
    }

    package mutating func forget() {
        codes = []
        lasting = []
    }
}
