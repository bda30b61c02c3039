/// Faults of date ranges in a live media playlist.
///
/// The added ranges are years old and constant, so that they belong to no break and no listed segment, and may come and go
/// freely.
enum PlaylistDateRangeFaults {
    private static let past = "START-DATE=\"2020-02-20T20:00:00.000Z\""

    private static func dateRanges(_ name: String, _ attributes: String...) -> FaultKind {
        FaultKind(name, kinds: RequestKind.liveMedia) { edit, _, _ in
            guard edit.isMediaPlaylist, let place = edit.firstSegmentLine else { return }
            edit.lines.insert(contentsOf: attributes.map { "#EXT-X-DATERANGE:\($0)" }, at: place)
        }
    }

    /// A negative duration.
    static let dateRangeInvalid = dateRanges("date_range_invalid", "ID=\"planned-invalid\",\(past),DURATION=-1")

    static let dateRangeConflict = dateRanges(
        "date_range_conflict",
        "ID=\"planned-conflict\",\(past),DURATION=1,X-COM-PODSWARM-SIDE=\"left\"",
        "ID=\"planned-conflict\",X-COM-PODSWARM-SIDE=\"right\""
    )

    /// A range that continues although the next one of its class has begun.
    static let dateRangeOverlap = dateRanges(
        "date_range_overlap",
        "ID=\"planned-overlap-1\",CLASS=\"com.podswarm.planned\",\(past),DURATION=10",
        "ID=\"planned-overlap-2\",CLASS=\"com.podswarm.planned\",START-DATE=\"2020-02-20T20:00:05.000Z\",END-ON-NEXT=YES"
    )

    static let interstitialInvalid = dateRanges(
        "interstitial_invalid",
        "ID=\"planned-interstitial\",CLASS=\"com.apple.hls.interstitial\",\(past),DURATION=1"
    )

    static let spliceInvalid = dateRanges(
        "splice_invalid",
        "ID=\"planned-splice\",\(past),DURATION=1,SCTE35-CMD=0xFC301100"
    )

    static let dateRangeWithoutProgramDate = FaultKind(
        "date_range_without_program_date",
        kinds: RequestKind.liveMedia
    ) { edit, _, _ in
        guard edit.isMediaPlaylist else { return }
        if edit.firstLine(beginningWith: "#EXT-X-DATERANGE:") == nil {
            edit.insertBeforeSegments("#EXT-X-DATERANGE:ID=\"planned-undated\",\(past),DURATION=1")
        }
        edit.removeLines(beginningWith: "#EXT-X-PROGRAM-DATE-TIME:")
    }
}
