import HLS

struct ListedSegment {
    /// From its first tag to its URI.
    var lines: ClosedRange<Int>
    var extinf: Int
    var programDate: (line: Int, date: WallTime)?
}

extension AnswerEdit {
    /// False for the text of an error.
    var isPlaylist: Bool { lines.first == "#EXTM3U" }

    var isMediaPlaylist: Bool { isPlaylist && firstLine(beginningWith: "#EXT-X-TARGETDURATION:") != nil }

    /// Nil without the tag.
    var targetSeconds: Int? { value(of: "#EXT-X-TARGETDURATION").flatMap { Int($0) } }

    var firstSegmentLine: Int? {
        lines.indices.first { Self.isOfSegment(lines[$0]) }
    }

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

    /// Segments with their offsets in target durations from a break's start, by program date.
    ///
    /// A change that depends on the segment's date alone lasts as long as the segment is listed, so that no version contradicts
    /// another.
    func segments(from start: WallTime?, offsets: Range<Int>) -> [(offset: Int, segment: ListedSegment)] {
        guard let start, let target = targetSeconds, target > 0 else { return [] }
        return segments.compactMap { segment in
            guard let date = segment.programDate?.date else { return nil }
            let since = date.duration(since: start).wholeMicroseconds
            let offset = Int((Double(since) / Double(target) / 1_000_000).rounded(.down))
            return offsets.contains(offset) ? (offset, segment) : nil
        }
    }

    mutating func setDuration(_ milliseconds: Int, of segment: ListedSegment) {
        let title = lines[segment.extinf].drop { $0 != "," }.dropFirst()
        let seconds = "\(milliseconds / 1_000).\(String(milliseconds % 1_000).leftPadded(to: 3))"
        lines[segment.extinf] = "#EXTINF:\(seconds),\(title)"
    }

    mutating func shiftDate(by milliseconds: Int, of segment: ListedSegment) {
        guard let (line, date) = segment.programDate else { return }
        lines[line] = "#EXT-X-PROGRAM-DATE-TIME:\((date + .milliseconds(milliseconds)).iso8601)"
    }

    mutating func insertBeforeSegments(_ new: String...) {
        guard let place = firstSegmentLine else { return }
        lines.insert(contentsOf: new, at: place)
    }

    /// Inserts a line after the last one that is not empty.
    mutating func appendLine(_ line: String) {
        let end = lines.lastIndex { !$0.isEmpty }.map { $0 + 1 } ?? lines.count
        lines.insert(line, at: end)
    }

    /// Whether a line is a segment's address or tag.
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
