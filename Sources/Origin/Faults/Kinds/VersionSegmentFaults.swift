import HLS

// Faults of segments that were listed before. All act for some updates from the break's start, unless the plan says when.
enum VersionSegmentFaults {
    static let segmentChanged = FaultKind(ofVersions: "segment_changed") { edit in
        guard let middle = edit.middleURI, let before = edit.uriLines.last(where: { $0 < middle })
        else { return }
        edit.lines[middle] = edit.lines[before]
    }

    /// A duration shorter by a quarter for the segment in the middle.
    static let segmentDurationChanged = FaultKind(ofVersions: "segment_duration_changed") { edit in
        guard let middle = edit.middleURI else { return }
        let tag = "#EXTINF:"
        let tags = edit.firstTag(ofSegmentAt: middle)..<middle
        guard let place = tags.last(where: { edit.lines[$0].hasPrefix(tag) }) else { return }
        let text = edit.lines[place].dropFirst(tag.count).prefix { $0 != "," }
        guard let seconds = Double(text), seconds < 1e6 else { return }
        let milliseconds = Int((seconds * 750).rounded())
        let rest = String(milliseconds % 1_000 + 1_000).dropFirst()
        edit.lines[place] = "\(tag)\(milliseconds / 1_000).\(rest),"
    }

    /// A new discontinuity in the middle.
    static let discontinuityChanged = FaultKind(ofVersions: "discontinuity_changed") { edit in
        edit.insertBeforeMiddleSegment("#EXT-X-DISCONTINUITY")
    }

    static let discontinuitySequenceWrong = FaultKind(ofVersions: "discontinuity_sequence_wrong") { edit in
        edit.add(1, to: "#EXT-X-DISCONTINUITY-SEQUENCE")
    }

    static let programDateJump = FaultKind(ofVersions: "program_date_jump") { edit in
        edit.moveDates(by: .milliseconds(2_500))
    }
}
