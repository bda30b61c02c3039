import HLS
import HTTPTypes

extension FaultKind {
    static let playlists: [FaultKind] =
        [
            // As from captive portals and misconfigured edges.
            .setting("not_a_playlist", \.isWebPage, to: true, of: RequestKind.playlists, byDefault: 1)
        ] + tags + timing + dateRanges + heads

    static let segments: [FaultKind] = [.status("segment_unreachable", 404, of: [.segment])]

    private static let tags: [FaultKind] = [
        // Players can ignore the tag.
        .mediaEdit("tag_malformed") { $0.insertBeforeSegments("#EXT-X-BITRATE:fast") },
        .mediaEdit("tag_repeated") { edit in
            let tag = "#EXT-X-INDEPENDENT-SEGMENTS"
            if edit.firstLine(beginningWith: tag) == nil { edit.insertInHeader(tag) }
            edit.insertInHeader(tag)
        },
        // Players refuse a media playlist without the tag.
        .mediaEdit("tag_missing") { $0.removeLines(beginningWith: "#EXT-X-TARGETDURATION:") },
        .mediaEdit("tag_misplaced") { edit in
            let end = edit.lines.lastIndex { !$0.isEmpty }.map { $0 + 1 } ?? edit.lines.count
            edit.lines.insert("#EXT-X-BYTERANGE:1000@0", at: end)
        },
        // Trailing white space.
        .mediaEdit("playlist_form_loose") { $0.insertBeforeSegments("#EXT-X-BITRATE:1000 ") },
        // The version before EXT-X-MAP and most other tags of the channel.
        .edit("version_too_low") { edit, _, _ in edit.setValue("3", of: "#EXT-X-VERSION") },
        .mediaEdit("variable_undefined") { edit in
            if let version = edit.number(of: "#EXT-X-VERSION"), version < 8 { edit.setValue("8", of: "#EXT-X-VERSION") }
            edit.insertInHeader("#EXT-X-DEFINE:IMPORT=\"podswarm-undefined\"")
        },
        .mediaEdit("encryption_invalid") { $0.insertBeforeSegments("#EXT-X-KEY:METHOD=NONE,URI=\"key\"") },
        .mediaEdit("start_offset_near_edge") { edit in
            edit.removeLines(beginningWith: "#EXT-X-START:")
            edit.insertInHeader("#EXT-X-START:TIME-OFFSET=-1")
        },
        .mediaEdit("live_playlist_typed") { $0.insertInHeader("#EXT-X-PLAYLIST-TYPE:EVENT") },
        .mediaEdit("server_control_invalid") {
            $0.replaceServerControl(beginningWith: "CAN-SKIP-", by: "CAN-SKIP-DATERANGES=YES")
        },
        .mediaEdit("partial_segment_invalid") { edit in
            guard edit.value(of: "#EXT-X-PART-INF") == nil, let target = edit.targetSeconds else {
                let others = edit.serverControl(withoutBeginning: "PART-HOLD-BACK")
                edit.setValue(others.joined(separator: ","), of: AnswerEdit.serverControlTag)
                return
            }
            edit.insertInHeader("#EXT-X-PART-INF:PART-TARGET=\(target)")
        },
        // Two part targets; playlists contradict each other while the fault begins or ends.
        .edit("part_hold_back_short", of: RequestKind.liveMedia + [.podPlaylist], byDefault: 2) { edit, _, _ in
            guard edit.isMediaPlaylist, let target = edit.targetSeconds else { return }
            let inf = "#EXT-X-PART-INF"
            var partTarget = String(target)
            if let line = edit.value(of: inf) {
                guard let named = line.split(separator: "=").last else { return }
                partTarget = String(named)
            } else {
                edit.insertInHeader("\(inf):PART-TARGET=\(partTarget)")
            }
            guard let seconds = Double(partTarget) else { return }
            edit.replaceServerControl(beginningWith: "PART-HOLD-BACK", by: "PART-HOLD-BACK=\(seconds * 2)")
        },
    ]

    /// Segments change by program date from the break's start on, equally in all versions.
    ///
    /// A plan lets faults last until the window has moved past (12 target durations by default), or forever, without `lasting`.
    private static let timing: [FaultKind] = [
        .edit("target_duration_exceeded") { edit, _, occasion in
            guard let target = edit.targetSeconds else { return }
            for (_, segment) in edit.segments(from: occasion.breakStart, offsets: 0..<1) {
                edit.setDuration(target * 1_000 + 600, of: segment)
            }
        },
        // Must not change while a playlist lives: plan it for all breaks and viewers.
        .edit("target_duration_loose", of: RequestKind.liveMedia + [.podPlaylist], byDefault: 2) { edit, _, _ in
            guard let target = edit.targetSeconds else { return }
            edit.setValue(String(target + 2), of: "#EXT-X-TARGETDURATION")
        },
        // Shorter than half the target duration, after longer ones, so that all dates fit.
        .edit("segment_duration_short") { edit, _, occasion in
            guard let target = edit.targetSeconds else { return }
            // Each longer segment still rounds to the target duration.
            let more = 450
            let longer = target * 1_000 / 2 / more + 1
            for (offset, segment) in edit.segments(from: occasion.breakStart, offsets: 0..<longer + 1) {
                edit.setDuration(target * 1_000 + (offset < longer ? more : -more * longer), of: segment)
                edit.shiftDate(by: .milliseconds(more * offset), of: segment)
            }
        },
        // Grows again from the newest segment at the break's start.
        .edit("live_window_short") { edit, _, occasion in
            guard let start = occasion.breakStart, occasion.now >= start, edit.isMediaPlaylist else { return }
            let segments = edit.segments
            let kept = segments.firstIndex { ($0.programDate?.date ?? start) >= start - occasion.targetDuration }
            guard let first = kept ?? segments.indices.last, first > 0, edit.number(of: "#EXT-X-MEDIA-SEQUENCE") != nil
            else { return }
            let removed = segments[0].lines.lowerBound...segments[first - 1].lines.upperBound
            let discontinuities = edit.lines[removed].count { $0 == "#EXT-X-DISCONTINUITY" }
            let stays = edit.lines[removed].last { $0.hasPrefix("#EXT-X-MAP:") }
            let hasOwn = edit.lines[segments[first].lines].contains { $0.hasPrefix("#EXT-X-MAP:") }
            // A key or a discontinuity may stand before the header.
            let header = edit.lines[removed].filter { !AnswerEdit.isOfSegment($0) }
            edit.lines.replaceSubrange(removed, with: header + (hasOwn ? [] : [stays].compactMap { $0 }))
            edit.add(first, to: "#EXT-X-MEDIA-SEQUENCE")
            if discontinuities > 0 { edit.add(discontinuities, to: "#EXT-X-DISCONTINUITY-SEQUENCE") }
        },
        // Date ranges need dates of segments.
        .edit("program_date_missing") { edit, _, _ in
            edit.removeLines(beginningWith: AnswerEdit.dateTag)
            edit.removeLines(beginningWith: AnswerEdit.dateRangeTag)
        },
        // Drifts by 1.5 s and back, without a jump of a second.
        .edit("program_date_inconsistent") { edit, _, occasion in
            let drift = [750, 1_500, 750]
            for (offset, segment) in edit.segments(from: occasion.breakStart, offsets: 2..<2 + drift.count) {
                edit.shiftDate(by: .milliseconds(drift[offset - 2]), of: segment)
            }
        },
    ]

    /// Years old: the ranges belong to no break or segment, and may come and go.
    private static let dateRanges: [FaultKind] = [
        dateRanges("date_range_invalid", "ID=\"planned-invalid\",\(past),DURATION=-1"),
        dateRanges(
            "date_range_conflict",
            "ID=\"planned-conflict\",\(past),DURATION=1,X-COM-PODSWARM-SIDE=\"left\"",
            "ID=\"planned-conflict\",X-COM-PODSWARM-SIDE=\"right\""
        ),
        // A range continues although the next one of its class has begun.
        dateRanges(
            "date_range_overlap",
            "ID=\"planned-overlap-1\",CLASS=\"com.podswarm.planned\",\(past),DURATION=10",
            "ID=\"planned-overlap-2\",CLASS=\"com.podswarm.planned\",START-DATE=\"2020-02-20T20:00:05.000Z\",END-ON-NEXT=YES"
        ),
        .mediaEdit("date_range_without_program_date") { edit in
            if edit.dateRangeLines.isEmpty {
                edit.insertBeforeSegments("\(AnswerEdit.dateRangeTag)ID=\"planned-undated\",\(past),DURATION=1")
            }
            edit.removeLines(beginningWith: AnswerEdit.dateTag)
        },
        dateRanges("date_range_ineffective", "ID=\"planned-class\",CLASS=\"com.apple.hls.interstitials\",\(past)"),
        dateRanges("interstitial_invalid", "ID=\"planned-asset\",CLASS=\"com.apple.hls.interstitial\",\(past)"),
        .mediaEdit("cue_unclear") { $0.insertBeforeSegments("#EXT-OATCLS-SCTE35:planned") },
        dateRanges("splice_invalid", "ID=\"planned-splice\",\(past),DURATION=1,SCTE35-CMD=0xFC301100"),
    ]

    private static let past = "START-DATE=\"2020-02-20T20:00:00.000Z\""

    private static func dateRanges(_ name: String, _ attributes: String...) -> FaultKind {
        .mediaEdit(name) { $0.insertBeforeSegments(attributes.map { AnswerEdit.dateRangeTag + $0 }) }
    }

    private static let heads: [FaultKind] = [
        .edit("content_type_wrong", of: RequestKind.liveMedia + [.multivariant], byDefault: 2) { edit, _, _ in
            if edit.isPlaylist { edit.fields[.contentType] = ContentType.web.rawValue }
        },
        // Only answers with Vary are compressed.
        .edit("compression_missing", of: RequestKind.liveMedia + [.multivariant], byDefault: 2) { edit, _, _ in
            if edit.isPlaylist { edit.fields[.vary] = nil }
        },
        // The first variant has no frame rate.
        .edit("variant_incomplete", of: [.multivariant]) { edit, _, _ in
            guard let place = edit.firstLine(beginningWith: AnswerEdit.variantTag) else { return }
            let attributes = edit.lines[place].split(separator: ",")
            edit.lines[place] = attributes.filter { !$0.hasPrefix("FRAME-RATE=") }.joined(separator: ",")
        },
        .edit("rendition_group_invalid", of: [.multivariant]) { edit, _, _ in
            guard let place = edit.firstLine(beginningWith: AnswerEdit.variantTag) else { return }
            edit.lines[place] += ",VIDEO=\"planned-missing\""
        },
    ]
}
