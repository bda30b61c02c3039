import HLS
import HTTPTypes
import Values

extension FaultKind {
    static let playlists: [FaultKind] =
        [
            // As from captive portals and misconfigured edges.
            .setting("not_a_playlist", \.isWebPage, to: true, of: RequestKind.playlists, byDefault: 1)
        ] + tags + timing + dateRanges + heads

    static let segments: [FaultKind] = [.status("segment_unreachable", 404, of: [.segment])]

    private static let tags: [FaultKind] = [
        // Players can ignore the tag.
        .mediaEdit("tag_malformed") { $0.insertBeforeSegments(["#EXT-X-BITRATE:fast"]) },
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
        .mediaEdit("playlist_form_loose") { $0.insertBeforeSegments(["#EXT-X-BITRATE:1000 "]) },
        // The version before EXT-X-MAP and most other tags of the channel.
        .edit("version_too_low") { edit, _, _ in edit.setValue("3", of: "#EXT-X-VERSION") },
        .mediaEdit("variable_undefined") { edit in
            if let version = edit.number(of: "#EXT-X-VERSION"), version < 8 { edit.setValue("8", of: "#EXT-X-VERSION") }
            edit.insertInHeader("#EXT-X-DEFINE:IMPORT=\"podswarm-undefined\"")
        },
        .mediaEdit("encryption_invalid") { $0.insertBeforeSegments(["#EXT-X-KEY:METHOD=NONE,URI=\"key\""]) },
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
                edit.insertBeforeSegments(["\(AnswerEdit.dateRangeTag)ID=\"planned-undated\",\(past),DURATION=1"])
            }
            edit.removeLines(beginningWith: AnswerEdit.dateTag)
        },
        dateRanges("date_range_ineffective", "ID=\"planned-class\",CLASS=\"com.apple.hls.interstitials\",\(past)"),
        dateRanges("interstitial_invalid", "ID=\"planned-asset\",CLASS=\"com.apple.hls.interstitial\",\(past)"),
        .mediaEdit("cue_unclear") { $0.insertBeforeSegments(["#EXT-OATCLS-SCTE35:planned"]) },
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

    /// Most act for some updates from the break's start.
    static let versions: [FaultKind] =
        [
            // Keeps playlists as at the break's start (or the origin's), by default for six target durations.
            //
            // After 1.5 target durations a client may conclude that the server misbehaves (bis-22 6.3.4).
            .effect("stale_playlist", parameters: [.delay]) { fault, occasion, effects in
                guard let start = occasion.breakStart, occasion.now >= start else { return }
                guard occasion.now < start + (fault.delay ?? occasion.targetDuration * 6) else { return }
                effects.playlistFrozenAt = start
            },
            .setting("delta_wrong", \.isDeltaWrong, to: true, of: [.blockingPlaylist, .playlist]),
        ] + sequences + changedSegments + changedBreaks + changedAttributes + steering + [
            .setting("blocking_reload_ignored", \.ignoresBlocking, to: true, of: [.blockingPlaylist]),
            .status("steering_unavailable", 503, of: [.steering]),
        ]

    private static let sequences: [FaultKind] = [
        .status("playlist_unavailable", 500, of: RequestKind.liveMedia, when: FaultMoment.targets(0, 2.5)),
        // As of a channel that restarted later.
        .versionEdit("media_sequence_backwards") { $0.add(-1_000, to: "#EXT-X-MEDIA-SEQUENCE") },
        .versionEdit("media_sequence_jump") { $0.add(1_000, to: "#EXT-X-MEDIA-SEQUENCE") },
        // For two target durations: after three, the list would continue the one before.
        .versionEdit("playlist_shrunk", targets: 2) { edit in
            let segments = edit.uriLines
            guard segments.count > 1 else { return }
            let kept = max(1, segments.count - min(3, segments.count / 2))
            let end = segments[segments.count - 1]
            edit.lines.removeSubrange((segments[kept - 1] + 1)...end)
        },
        .versionEdit("window_explosion") { edit in
            guard let last = edit.uriLines.last else { return }
            let name = edit.lines[last]
            guard let number = Int64(name.prefix { $0.isNumber }),
                let duration = edit.lastLine(beginningWith: "#EXTINF:").map({ edit.lines[$0] })
            else { return }
            let rest = name.drop { $0.isNumber }
            let added = (1...10).flatMap { [duration, "\(number &+ Int64($0))\(rest)"] }
            edit.lines.insert(contentsOf: added, at: last + 1)
        },
        .versionEdit("endlist_on_live") { edit in
            guard let last = edit.uriLines.last else { return }
            edit.lines.insert("#EXT-X-ENDLIST", at: last + 1)
        },
        .versionEdit("target_duration_changed") { $0.add(1, to: "#EXT-X-TARGETDURATION") },
    ]

    private static let changedSegments: [FaultKind] = [
        .versionEdit("segment_changed") { edit in
            let lines = edit.uriLines
            guard lines.count > 2 else { return }
            edit.lines[lines[lines.count / 2]] = edit.lines[lines[lines.count / 2 - 1]]
        },
        .versionEdit("segment_duration_changed") { edit in
            guard let middle = edit.middleSegment, let seconds = edit.seconds(of: middle), seconds < 1e6 else { return }
            edit.setDuration(Int((seconds * 750).rounded()), of: middle)
        },
        .versionEdit("discontinuity_changed") { $0.insertBeforeMiddleSegment("#EXT-X-DISCONTINUITY") },
        .versionEdit("discontinuity_sequence_wrong") { $0.add(1, to: "#EXT-X-DISCONTINUITY-SEQUENCE") },
        .versionEdit("program_date_jump") { $0.moveDates(by: .milliseconds(2_500)) },
    ]

    private static let changedBreaks: [FaultKind] = [
        .versionEdit("date_range_changed") { edit in
            for place in edit.dateRangeLines { edit.removeAttribute("PLANNED-DURATION", inLine: place) }
        },
        .edit("date_range_vanished", when: FaultMoment.targets(1.5, 4.5)) { edit, _, occasion in
            guard edit.isLiveMedia else { return }
            edit.removeDateRanges { $0 < occasion.now }
        },
        // A range of another class before the break, and another range with its ID after the break's start.
        //
        // Both start hours ahead, so that their removal loses nothing. A plan's `from` replaces the first moment.
        .edit("date_range_reused") { edit, fault, occasion in
            let target = occasion.targetDuration
            guard edit.isLiveMedia, edit.firstLine(beginningWith: AnswerEdit.dateTag) != nil,
                let start = occasion.breakStart
            else { return }
            let since = occasion.now.duration(since: start + (fault.from ?? .zero - target * 4))
            let ahead: Duration
            if since >= .zero, since < target * 2 {
                ahead = .seconds(3_600)
            } else if since >= target * 5, since < target * 7 {
                ahead = .seconds(7_200)
            } else {
                return
            }
            let date = (start + ahead).iso8601
            edit.insertDateRange("ID=\"reused\",CLASS=\"com.podswarm.reused\",START-DATE=\"\(date)\"")
        },
        // Withdrawn while its segment is listed; a length would differ from that of the break's date range.
        .edit("splice_orphaned", when: FaultMoment.targets(0, 5)) { edit, fault, occasion in
            guard edit.isLiveMedia, let start = occasion.breakStart.map({ $0 + (fault.from ?? .zero) }),
                let first = edit.segments.first(where: { $0.programDate.map { $0.date >= start } ?? false })
            else { return }
            edit.insert("#EXT-X-CUE-OUT", before: first)
        },
        // Playheads have reached the break by then.
        .edit("break_announced_late", when: FaultMoment.untilAfterBreak(targets: 4)) { edit, _, occasion in
            guard edit.isLiveMedia, let wanted = occasion.breakStart else { return }
            edit.removeDateRanges { start in
                start.duration(since: wanted) < .seconds(1) && wanted.duration(since: start) < .seconds(1)
            }
        },
        // Moves dates back by six target durations at the end of the break's date range, for two updates.
        .edit("break_exit_update_wrong") { edit, _, occasion in
            let target = occasion.targetDuration
            let isExit = edit.dateRangeLines.contains { place in
                guard let end = edit.end(ofRangeInLine: place) else { return false }
                let since = occasion.now.duration(since: end)
                return since >= .zero - target / 2 && since < target * 1.5
            }
            guard edit.isLiveMedia, isExit else { return }
            edit.moveDates(by: .zero - target * 6)
        },
    ]

    private static let changedAttributes: [FaultKind] = [
        // Three target durations, and four in the fault's second half.
        .edit("header_changed", when: FaultMoment.targets(0, 3)) { edit, fault, occasion in
            guard edit.isLiveMedia, let target = edit.targetSeconds, let since = FaultMoment.since(fault, occasion)
            else { return }
            let half = fault.lasting.map { $0 / 2 } ?? occasion.targetDuration * 1.5
            let held = target.multipliedReportingOverflow(by: since < half ? 3 : 4).partialValue
            edit.replaceServerControl(beginningWith: "HOLD-BACK=", by: "HOLD-BACK=\(held)")
        },
        .versionEdit("segment_attributes_changed") { $0.insertBeforeMiddleSegment("#EXT-X-GAP") },
        // Not counted when it leaves the window; a plan must not give `lasting`.
        .edit("discontinuity_sequence_missing") { edit, _, occasion in
            guard edit.isLiveMedia else { return }
            edit.removeLines(beginningWith: "#EXT-X-DISCONTINUITY-SEQUENCE:")
            edit.insert("#EXT-X-DISCONTINUITY", atSegmentsFrom: occasion.breakStart)
        },
    ]

    /// Steering manifests, signed addresses, and date ranges that leave too early.
    private static let steering: [FaultKind] = [
        .setting("steering_manifest_invalid", \.steering, to: .withoutTimeToLive, of: [.steering]),
        .setting("steering_pathway_unknown", \.steering, to: .withStrangePathway, of: [.steering]),
        .edit("date_range_signed_anew", when: FaultMoment.targets(0, 3)) { edit, _, occasion in
            guard edit.isLiveMedia else { return }
            for place in edit.dateRangeLines { edit.signAssetList(inLine: place, at: occasion.now) }
        },
        // The range is listed until its end has passed viewers at the live edge.
        .edit("date_range_removed_early", when: FaultMoment.targets(0, 5)) { edit, fault, occasion in
            guard edit.isLiveMedia, edit.firstLine(beginningWith: AnswerEdit.dateTag) != nil,
                let start = occasion.breakStart.map({ $0 + (fault.from ?? .zero) })
            else { return }
            edit.insertDateRange(
                "ID=\"early\",CLASS=\"com.podswarm.early\",START-DATE=\"\(start.iso8601)\",DURATION=0.5"
            )
        },
    ]

    /// `path` selects one playlist; faults that would also change versions are planned without a window.
    static let renditions: [FaultKind] = [
        .mediaEdit("rendition_target_duration_differs") { $0.add(1, to: "#EXT-X-TARGETDURATION") },
        .mediaEdit("rendition_discontinuity_differs") { $0.add(5, to: "#EXT-X-DISCONTINUITY-SEQUENCE") },
        // Stays while its date is listed: the window must be shorter than half the interval between breaks.
        .edit("rendition_date_range_differs") { edit, _, occasion in
            let dates = edit.segments.compactMap(\.programDate)
            // The last segment's beginning.
            guard let start = occasion.breakStart, let first = dates.first, let last = dates.last,
                start >= first.date, start < last.date
            else { return }
            edit.lines.insert(
                "\(AnswerEdit.dateRangeTag)ID=\"rendition-\(start.epochSeconds)\",CLASS=\"com.podswarm.rendition\","
                    + "START-DATE=\"\(start.iso8601)\",DURATION=0.5",
                at: first.line
            )
        },
        // Stays while its segment is listed: a plan must not give `lasting`.
        .edit("rendition_cue_differs") { $0.insert("#EXT-X-CUE-OUT:2", atSegmentsFrom: $2.breakStart) },
        // Later by `shift`, by default half a target duration.
        .edit("rendition_program_date_differs", parameters: [.shift]) { edit, fault, occasion in
            edit.moveDates(by: fault.shift ?? occasion.targetDuration / 2)
        },
        // Without date ranges, which would come and go by the true dates.
        .edit("rendition_edge_lags") { edit, _, occasion in
            edit.removeLines(beginningWith: AnswerEdit.dateRangeTag)
            edit.moveDates(by: .zero - occasion.targetDuration * 5)
        },
        .edit("rendition_encryption_differs") { edit, _, _ in
            edit.insertInHeader("#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"key\"")
        },
    ]
}
