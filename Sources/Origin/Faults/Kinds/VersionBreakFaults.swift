import HLS

enum VersionBreakFaults {
    /// Removes PLANNED-DURATION from date ranges, from the break's start on.
    static let dateRangeChanged = FaultKind(ofVersions: "date_range_changed") { edit in
        for place in edit.dateRangeLines {
            guard let planned = edit.attribute("PLANNED-DURATION", inLine: place) else { continue }
            edit.lines[place] = edit.lines[place].replacing(",PLANNED-DURATION=\(planned)", with: "")
        }
    }

    /// Removes date ranges that have started, from one and a half target durations into the break.
    static let dateRangeVanished = FaultKind(
        "date_range_vanished",
        kinds: RequestKind.liveMedia,
        when: FaultMoment.targets(1.5, 4.5)
    ) { edit, _, occasion in
        guard edit.isLiveMedia else { return }
        let gone = edit.dateRangeLines.filter { place in
            edit.start(ofRangeInLine: place).map { $0 < occasion.now } ?? false
        }
        for place in gone.reversed() { edit.lines.remove(at: place) }
    }

    /// A range of another class from four to two target durations before the break, and another range with its ID from one to
    /// three after the break's start.
    ///
    /// Both start hours ahead, so that their removal loses nothing; playlists without dates are left alone. A plan's `from`
    /// replaces the first moment.
    static let dateRangeReused = FaultKind("date_range_reused", kinds: RequestKind.liveMedia) { edit, fault, occasion in
        let target = occasion.targetDuration
        guard edit.isLiveMedia, edit.firstLine(beginningWith: "#EXT-X-PROGRAM-DATE-TIME:") != nil,
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
        edit.lines.insert("#EXT-X-DATERANGE:\(attributes)", at: place + 1)
    }

    /// A splice out before the first segment of the break, withdrawn while the segment is listed.
    static let spliceOrphaned = FaultKind(
        "splice_orphaned",
        kinds: RequestKind.liveMedia,
        when: FaultMoment.targets(0, 5)
    ) { edit, fault, occasion in
        guard edit.isLiveMedia, let start = occasion.breakStart.map({ $0 + (fault.from ?? .zero) }) else { return }
        let first = edit.uriLines.first { uri in edit.date(ofSegmentAt: uri).map { $0 >= start } ?? false }
        guard let first else { return }
        edit.lines.insert("#EXT-X-CUE-OUT:30", at: edit.firstTag(ofSegmentAt: first))
    }

    /// Announces the break when the live edge is four target durations past its start, after playheads have reached it.
    static let breakAnnouncedLate = FaultKind(
        "break_announced_late",
        kinds: RequestKind.liveMedia,
        when: FaultMoment.untilAfterBreak(targets: 4)
    ) { edit, _, occasion in
        guard edit.isLiveMedia, let wanted = occasion.breakStart else { return }
        let hidden = edit.dateRangeLines.filter { place in
            guard let start = edit.start(ofRangeInLine: place) else { return false }
            return start.duration(since: wanted) < .seconds(1) && wanted.duration(since: start) < .seconds(1)
        }
        for place in hidden.reversed() { edit.lines.remove(at: place) }
    }

    /// Moves all dates back by six target durations at the end of the break's date range, for two updates.
    static let breakExitUpdateWrong = FaultKind("break_exit_update_wrong", kinds: RequestKind.liveMedia) {
        edit,
        _,
        occasion in
        let target = occasion.targetDuration
        let isExit = edit.dateRangeLines.contains { place in
            guard let end = edit.end(ofRangeInLine: place) else { return false }
            let since = occasion.now.duration(since: end)
            return since >= .zero - target / 2 && since < target * 1.5
        }
        guard edit.isLiveMedia, isExit else { return }
        edit.moveDates(by: .zero - target * 6)
    }
}
