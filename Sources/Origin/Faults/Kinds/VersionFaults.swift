import HLS
import Values

extension FaultKind {
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
            let attributes = "ID=\"reused\",CLASS=\"com.podswarm.reused\",START-DATE=\"\((start + ahead).iso8601)\""
            let place = edit.firstLine(beginningWith: "#EXT-X-TARGETDURATION:") ?? 0
            edit.lines.insert(AnswerEdit.dateRangeTag + attributes, at: place + 1)
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
            let attributes = "ID=\"early\",CLASS=\"com.podswarm.early\",START-DATE=\"\(start.iso8601)\",DURATION=0.5"
            let place = edit.firstLine(beginningWith: "#EXT-X-TARGETDURATION:") ?? 0
            edit.lines.insert(AnswerEdit.dateRangeTag + attributes, at: place + 1)
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
