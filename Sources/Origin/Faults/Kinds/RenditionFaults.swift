import HLS

// Faults of one playlist of the channel; `path` selects it, such as 180p/. Faults that would also be changes between versions
// of the playlist are planned without a window, so that they are constant.
enum RenditionFaults {
    /// One second longer.
    static let renditionTargetDurationDiffers = FaultKind(
        "rendition_target_duration_differs",
        kinds: RequestKind.liveMedia
    ) { edit, _, _ in
        let seconds = edit.value(of: "#EXT-X-TARGETDURATION").flatMap { Int($0) } ?? 1
        edit.setValue(String(min(seconds, 3_600) + 1), of: "#EXT-X-TARGETDURATION")
    }

    /// Five higher.
    static let renditionDiscontinuityDiffers = FaultKind(
        "rendition_discontinuity_differs",
        kinds: RequestKind.liveMedia
    ) { edit, _, _ in
        let tag = "#EXT-X-DISCONTINUITY-SEQUENCE"
        guard let number = edit.value(of: tag).flatMap({ UInt32($0) }) else {
            edit.insertInHeader("\(tag):5")
            return
        }
        edit.setValue(String(UInt64(number) + 5), of: tag)
    }

    /// A date range of half a second at the break's start in this playlist only.
    ///
    /// It remains as long as its date is listed: the window must be shorter than half the interval between breaks.
    static let renditionDateRangeDiffers = FaultKind(
        "rendition_date_range_differs",
        kinds: RequestKind.liveMedia
    ) { edit, _, occasion in
        guard let start = occasion.breakStart, let listed = edit.listedDates, listed.contains(start) else { return }
        guard let place = edit.firstLine(beginningWith: "#EXT-X-PROGRAM-DATE-TIME:") else { return }
        edit.lines.insert(
            "#EXT-X-DATERANGE:ID=\"rendition-\(start.epochSeconds)\",CLASS=\"com.podswarm.rendition\","
                + "START-DATE=\"\(start.iso8601)\",DURATION=0.5",
            at: place
        )
    }

    /// Program dates that are later by `shift`, by default half a target duration.
    static let renditionProgramDateDiffers = FaultKind(
        "rendition_program_date_differs",
        kinds: RequestKind.liveMedia,
        parameters: [.shift]
    ) { edit, fault, occasion in
        edit.moveDates(by: fault.shift ?? occasion.targetDuration / 2)
    }

    /// Segments that end five target durations earlier, without date ranges, which would come and go by the true dates.
    static let renditionEdgeLags = FaultKind("rendition_edge_lags", kinds: RequestKind.liveMedia) { edit, _, occasion in
        edit.removeLines(beginningWith: "#EXT-X-DATERANGE:")
        edit.moveDates(by: .zero - occasion.targetDuration * 5)
    }

    static let renditionEncryptionDiffers = FaultKind("rendition_encryption_differs", kinds: RequestKind.liveMedia) {
        edit,
        _,
        _ in
        edit.insertInHeader("#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"key\"")
    }
}

extension AnswerEdit {
    private static let dateTag = "#EXT-X-PROGRAM-DATE-TIME:"

    private func date(at place: Int) -> WallTime? {
        WallTime(iso8601: String(lines[place].dropFirst(Self.dateTag.count)))
    }

    /// From the first program date to the last, which begins the last segment of a live channel.
    fileprivate var listedDates: Range<WallTime>? {
        guard let first = firstLine(beginningWith: Self.dateTag), let last = lastLine(beginningWith: Self.dateTag),
            let start = date(at: first), let end = date(at: last), start < end
        else { return nil }
        return start..<end
    }
}
