import HLS

/// Where a segment stands in a media playlist's text.
struct ListedSegment {
    /// From its first tag to its URI.
    var lines: ClosedRange<Int>
    var extinf: Int
    var programDate: (line: Int, date: WallTime)?
}

extension AnswerEdit {
    /// Whether the text is a playlist at all, and not what an error says.
    var isPlaylist: Bool { lines.first == "#EXTM3U" }

    var isMediaPlaylist: Bool { isPlaylist && firstLine(beginningWith: "#EXT-X-TARGETDURATION:") != nil }

    /// Length of a target duration; nil where the text says none.
    var targetSeconds: Int? { value(of: "#EXT-X-TARGETDURATION").flatMap { Int($0) } }

    /// Index of the first line that belongs to a segment.
    var firstSegmentLine: Int? {
        lines.indices.first { Self.isOfSegment(lines[$0]) }
    }

    /// The segments in order.
    var segments: [ListedSegment] {
        guard let first = firstSegmentLine else { return [] }
        var segments: [ListedSegment] = []
        var start = first
        var extinf: Int?
        var date: (line: Int, date: WallTime)?
        for place in first..<lines.count {
            let line = lines[place]
            if line.hasPrefix("#EXTINF:") {
                extinf = place
            } else if line.hasPrefix("#EXT-X-PROGRAM-DATE-TIME:") {
                let text = line.drop { $0 != ":" }.dropFirst()
                date = WallTime(iso8601: String(text)).map { (place, $0) }
            } else if !line.isEmpty, !line.hasPrefix("#"), let duration = extinf {
                segments.append(ListedSegment(lines: start...place, extinf: duration, programDate: date))
                (start, extinf, date) = (place + 1, nil, nil)
            }
        }
        return segments
    }

    /// Segments whose program dates lie from a break's start on, counted in target durations from there.
    ///
    /// A change that depends on the segment's date alone stays as long as the segment is listed, so no version
    /// contradicts another.
    func segments(from start: WallTime?, offsets: Range<Int>) -> [(offset: Int, segment: ListedSegment)] {
        guard let start, let target = targetSeconds, target > 0 else { return [] }
        return segments.compactMap { segment in
            guard let date = segment.programDate?.date else { return nil }
            let since = date.duration(since: start).wholeMicroseconds
            let offset = Int((Double(since) / Double(target) / 1_000_000).rounded(.down))
            return offsets.contains(offset) ? (offset, segment) : nil
        }
    }

    /// Gives a segment another duration, its title kept.
    mutating func setDuration(_ milliseconds: Int, of segment: ListedSegment) {
        let title = lines[segment.extinf].drop { $0 != "," }.dropFirst()
        let seconds = "\(milliseconds / 1_000).\(String(milliseconds % 1_000).leftPadded(to: 3))"
        lines[segment.extinf] = "#EXTINF:\(seconds),\(title)"
    }

    /// Moves a segment's program date.
    mutating func shiftDate(by milliseconds: Int, of segment: ListedSegment) {
        guard let (line, date) = segment.programDate else { return }
        lines[line] = "#EXT-X-PROGRAM-DATE-TIME:\((date + .milliseconds(milliseconds)).iso8601)"
    }

    /// Puts lines in before the first segment.
    mutating func insertBeforeSegments(_ new: String...) {
        guard let place = firstSegmentLine else { return }
        lines.insert(contentsOf: new, at: place)
    }

    /// Puts a line in after the last line that says anything.
    mutating func appendLine(_ line: String) {
        let end = lines.lastIndex { !$0.isEmpty }.map { $0 + 1 } ?? lines.count
        lines.insert(line, at: end)
    }

    /// Whether a line is a segment's address, or a tag of it.
    static func isOfSegment(_ line: String) -> Bool {
        guard line.hasPrefix("#") else { return !line.isEmpty }
        let name = line.prefix { $0 != ":" }
        return segmentTags.contains(String(name))
    }

    private static let segmentTags: Set<String> = [
        "#EXTINF", "#EXT-X-BYTERANGE", "#EXT-X-DISCONTINUITY", "#EXT-X-KEY", "#EXT-X-MAP", "#EXT-X-PROGRAM-DATE-TIME",
        "#EXT-X-GAP", "#EXT-X-PART", "#EXT-X-BITRATE", "#EXT-X-CUE-OUT", "#EXT-X-CUE-OUT-CONT", "#EXT-X-CUE-IN",
        "#EXT-OATCLS-SCTE35",
    ]
}
