import HLS

// Faults of headers and segment attributes in versions of a playlist. They act for some updates from the break's start, unless
// the plan says when.
enum VersionAttributeFaults {
    private static let control = "#EXT-X-SERVER-CONTROL"
    private static let holdBack = "HOLD-BACK="

    /// A hold-back of three target durations, and of four in the fault's second half.
    static let headerChanged = FaultKind(
        "header_changed",
        kinds: RequestKind.liveMedia,
        when: FaultMoment.targets(0, 3)
    ) { edit, fault, occasion in
        guard edit.isLiveMedia, let target = edit.targetSeconds, let since = FaultMoment.since(fault, occasion) else {
            return
        }
        let half = fault.lasting.map { $0 / 2 } ?? occasion.targetDuration * 1.5
        let targets = since < half ? 3 : 4
        let others = (edit.value(of: control) ?? "").split(separator: ",").filter { !$0.hasPrefix(holdBack) }
        edit.removeLines(beginningWith: control + ":")
        let attributes =
            others.map(String.init) + ["\(holdBack)\(target.multipliedReportingOverflow(by: targets).partialValue)"]
        edit.insertInHeader("\(control):\(attributes.joined(separator: ","))")
    }

    /// A gap in place of the segment in the middle, which was listed without.
    static let segmentAttributesChanged = FaultKind(ofVersions: "segment_attributes_changed") { edit in
        edit.insertBeforeMiddleSegment("#EXT-X-GAP")
    }

    /// A discontinuity before the segment at the break's start that is not counted when it leaves the window.
    ///
    /// It is equal in all versions that list the segment: a plan must not give `lasting`.
    static let discontinuitySequenceMissing = FaultKind(
        "discontinuity_sequence_missing",
        kinds: RequestKind.liveMedia
    ) { edit, _, occasion in
        guard edit.isLiveMedia else { return }
        edit.removeLines(beginningWith: "#EXT-X-DISCONTINUITY-SEQUENCE:")
        for (_, segment) in edit.segments(from: occasion.breakStart, offsets: 0..<1) {
            edit.lines.insert("#EXT-X-DISCONTINUITY", at: edit.firstTag(ofSegmentAt: segment.lines.upperBound))
        }
    }
}
