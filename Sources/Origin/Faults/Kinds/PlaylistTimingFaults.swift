import HLS

/// Faults of durations, dates and the window of a live media playlist.
///
/// They change segments by their program dates, counted from the break's start, so that a segment is equal in all versions that
/// list it. A plan lets them last from the break's start until the window has moved past (12 target durations with the origin's
/// default window), or forever, without `lasting`.
enum PlaylistTimingFaults {
    static let targetDurationExceeded = FaultKind(
        "target_duration_exceeded",
        kinds: RequestKind.liveMedia
    ) { edit, _, occasion in
        guard let target = edit.targetSeconds else { return }
        for (_, segment) in edit.segments(from: occasion.breakStart, offsets: 0..<1) {
            edit.setDuration(target * 1_000 + 600, of: segment)
        }
    }

    /// A target duration far above all segments.
    ///
    /// It must not change while a playlist lives, so that it must be planned for all breaks and viewers.
    static let targetDurationLoose = FaultKind(
        "target_duration_loose",
        kinds: RequestKind.liveMedia + [.podPlaylist],
        defaultCount: 2
    ) { edit, _, _ in
        guard let target = edit.targetSeconds else { return }
        edit.setValue(String(target + 2), of: "#EXT-X-TARGETDURATION")
    }

    /// One segment after the break's start shorter than half the target duration, after longer ones, so that all dates fit.
    static let segmentDurationShort = FaultKind(
        "segment_duration_short",
        kinds: RequestKind.liveMedia
    ) { edit, _, occasion in
        guard let target = edit.targetSeconds else { return }
        // Each longer segment still rounds to the target duration.
        let more = 450
        let longer = target * 1_000 / 2 / more + 1
        for (offset, segment) in edit.segments(from: occasion.breakStart, offsets: 0..<longer + 1) {
            edit.setDuration(target * 1_000 + (offset < longer ? more : -more * longer), of: segment)
            edit.shiftDate(by: more * offset, of: segment)
        }
    }

    /// Only the newest segment at the break's start, and a window that grows again from there.
    static let liveWindowShort = FaultKind("live_window_short", kinds: RequestKind.liveMedia) { edit, _, occasion in
        guard let start = occasion.breakStart, occasion.now >= start, edit.isMediaPlaylist else { return }
        let segments = edit.segments
        let kept = segments.firstIndex { ($0.programDate?.date ?? start) >= start - occasion.targetDuration }
        guard let first = kept ?? segments.indices.last, first > 0,
            let number = edit.value(of: "#EXT-X-MEDIA-SEQUENCE").flatMap({ UInt64($0) })
        else { return }
        let removed = segments[0].lines.lowerBound...segments[first - 1].lines.upperBound
        let discontinuities = edit.lines[removed].count { $0 == "#EXT-X-DISCONTINUITY" }
        let stays = edit.lines[removed].last { $0.hasPrefix("#EXT-X-MAP:") }
        let hasOwn = edit.lines[segments[first].lines].contains { $0.hasPrefix("#EXT-X-MAP:") }
        // A key or a discontinuity may stand before the header.
        let header = edit.lines[removed].filter { !AnswerEdit.isOfSegment($0) }
        edit.lines.replaceSubrange(removed, with: header + (hasOwn ? [] : [stays].compactMap { $0 }))
        edit.setValue(String(number &+ UInt64(first)), of: "#EXT-X-MEDIA-SEQUENCE")
        guard discontinuities > 0 else { return }
        let tag = "#EXT-X-DISCONTINUITY-SEQUENCE"
        let sequence = (edit.value(of: tag).flatMap { Int($0) } ?? 0) + discontinuities
        edit.removeLines(beginningWith: tag)
        edit.insertInHeader("\(tag):\(sequence)")
    }

    /// Without dates of segments, date ranges are removed too.
    static let programDateMissing = FaultKind("program_date_missing", kinds: RequestKind.liveMedia) { edit, _, _ in
        edit.removeLines(beginningWith: "#EXT-X-PROGRAM-DATE-TIME:")
        edit.removeLines(beginningWith: "#EXT-X-DATERANGE:")
    }

    /// Dates that drift by 1.5 s from the durations after the break's start, and back within two segments, without a jump of a
    /// second.
    static let programDateInconsistent = FaultKind(
        "program_date_inconsistent",
        kinds: RequestKind.liveMedia
    ) { edit, _, occasion in
        let drift = [750, 1_500, 750]
        for (offset, segment) in edit.segments(from: occasion.breakStart, offsets: 2..<2 + drift.count) {
            edit.shiftDate(by: drift[offset - 2], of: segment)
        }
    }
}
