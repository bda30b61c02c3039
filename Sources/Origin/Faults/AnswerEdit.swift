import HLS
import HTTPTypes
import NIOCore
import Values

struct AnswerEdit {
    var status: HTTPResponse.Status
    var fields: HTTPFields
    /// Without line ends.
    var lines: [String]

    static let dateTag = "#EXT-X-PROGRAM-DATE-TIME:"
    static let dateRangeTag = "#EXT-X-DATERANGE:"
    static let serverControlTag = "#EXT-X-SERVER-CONTROL"
    static let variantTag = "#EXT-X-STREAM-INF:"

    func firstLine(beginningWith prefix: String) -> Int? { lines.firstIndex { $0.hasPrefix(prefix) } }

    func lastLine(beginningWith prefix: String) -> Int? { lines.lastIndex { $0.hasPrefix(prefix) } }

    var uriLines: [Int] { lines.indices.filter { !lines[$0].isEmpty && !lines[$0].hasPrefix("#") } }

    func value(of tag: String) -> String? {
        firstLine(beginningWith: tag + ":").map { String(lines[$0].dropFirst(tag.count + 1)) }
    }

    func number(of tag: String) -> Int? { value(of: tag).flatMap { Int($0) } }

    var targetSeconds: Int? { number(of: "#EXT-X-TARGETDURATION") }

    /// Changes nothing if the tag is missing.
    mutating func setValue(_ value: String, of tag: String) {
        guard let place = firstLine(beginningWith: tag + ":") else { return }
        lines[place] = "\(tag):\(value)"
    }

    /// A missing tag counts as 0 and is inserted.
    mutating func add(_ number: Int, to tag: String) {
        let value = self.number(of: tag)
        let sum = max(0, (value ?? 0).addingReportingOverflow(number).partialValue)
        if value == nil { insertInHeader("\(tag):\(sum)") } else { setValue(String(sum), of: tag) }
    }

    /// After `#EXTM3U`.
    mutating func insertInHeader(_ line: String) { lines.insert(line, at: min(1, lines.count)) }

    /// In playlists, and in the JSON of asset lists.
    private static let addressOpenings = [#"URI=""#, #""URI":""#]

    mutating func changeAddresses(by replacement: (String) -> String) {
        for place in lines.indices where !lines[place].isEmpty {
            guard lines[place].hasPrefix("#") || lines[place].hasPrefix("{") else {
                lines[place] = replacement(lines[place])
                continue
            }
            var (written, rest) = ("", lines[place][...])
            while let opening = Self.addressOpenings.compactMap({ rest.firstRange(of: $0) })
                .min(by: { $0.upperBound < $1.upperBound }),
                let end = rest[opening.upperBound...].firstIndex(of: "\"")
            {
                written += rest[..<opening.upperBound] + replacement(String(rest[opening.upperBound..<end]))
                rest = rest[end...]
            }
            lines[place] = written + rest
        }
    }

    mutating func removeLines(beginningWith prefix: String) { lines.removeAll { $0.hasPrefix(prefix) } }

    /// False for an error's text.
    var isPlaylist: Bool { lines.first == "#EXTM3U" }

    var isMediaPlaylist: Bool { isPlaylist && firstLine(beginningWith: "#EXT-X-TARGETDURATION:") != nil }

    /// Not a delta update, which lacks the lines that it is merged with.
    var isLiveMedia: Bool {
        firstLine(beginningWith: "#EXTINF:") != nil && firstLine(beginningWith: "#EXT-X-SKIP:") == nil
            && firstLine(beginningWith: "#EXT-X-ENDLIST") == nil
    }

    /// Leaves out attributes that begin with `prefix`.
    func serverControl(withoutBeginning prefix: String) -> [Substring] {
        (value(of: Self.serverControlTag) ?? "").split(separator: ",").filter { !$0.hasPrefix(prefix) }
    }

    mutating func replaceServerControl(beginningWith prefix: String, by attribute: String) {
        let attributes = serverControl(withoutBeginning: prefix) + [attribute[...]]
        removeLines(beginningWith: Self.serverControlTag + ":")
        insertInHeader("\(Self.serverControlTag):\(attributes.joined(separator: ","))")
    }

    var dateRangeLines: [Int] { lines.indices.filter { lines[$0].hasPrefix(Self.dateRangeTag) } }

    /// In the header of a media playlist.
    mutating func insertDateRange(_ attributes: String) {
        let place = firstLine(beginningWith: "#EXT-X-TARGETDURATION:") ?? 0
        lines.insert(Self.dateRangeTag + attributes, at: place + 1)
    }

    mutating func removeDateRanges(startingAt isRemoved: (WallTime) -> Bool) {
        for place in dateRangeLines.reversed() where start(ofRangeInLine: place).map(isRemoved) ?? false {
            lines.remove(at: place)
        }
    }

    /// Without quotation marks.
    static func attribute(_ name: String, in line: String) -> Substring? {
        for before in [":", ","] {
            guard let found = line.firstRange(of: "\(before)\(name)=") else { continue }
            let value = line[found.upperBound...]
            return value.hasPrefix("\"") ? value.dropFirst().prefix { $0 != "\"" } : value.prefix { $0 != "," }
        }
        return nil
    }

    /// The attribute's value must not contain a comma.
    mutating func removeAttribute(_ name: String, inLine place: Int) {
        let line = lines[place]
        guard let found = line.firstRange(of: ",\(name)=") else { return }
        lines[place].removeSubrange(found.lowerBound..<(line[found.upperBound...].firstIndex(of: ",") ?? line.endIndex))
    }

    /// A line without X-ASSET-LIST stays.
    mutating func signAssetList(inLine place: Int, at now: WallTime) {
        var line = lines[place]
        guard let start = line.firstRange(of: "X-ASSET-LIST=\"")?.upperBound,
            let end = line[start...].firstIndex(of: "\"")
        else { return }
        let mark = line[start..<end].contains("?") ? "&" : "?"
        line.insert(contentsOf: "\(mark)sig=\(now.epochSeconds)", at: end)
        lines[place] = line
    }

    func start(ofRangeInLine place: Int) -> WallTime? {
        Self.attribute("START-DATE", in: lines[place]).flatMap { WallTime(iso8601: String($0)) }
    }

    /// From DURATION or PLANNED-DURATION.
    func end(ofRangeInLine place: Int) -> WallTime? {
        let line = lines[place]
        let text = Self.attribute("DURATION", in: line) ?? Self.attribute("PLANNED-DURATION", in: line)
        guard let start = start(ofRangeInLine: place), let seconds = text.flatMap({ Double($0) }), seconds < 1e9 else {
            return nil
        }
        return start + .milliseconds(Int64(seconds * 1_000))
    }
}

struct ListedSegment {
    /// From its first tag to its URI.
    var lines: ClosedRange<Int>
    var extinf: Int
    var programDate: (line: Int, date: WallTime)?
}

extension AnswerEdit {
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
            } else if line.hasPrefix(Self.dateTag) {
                date = self.date(at: place).map { (place, $0) }
            } else if !line.isEmpty, !line.hasPrefix("#"), let duration = extinf {
                segments.append(ListedSegment(lines: start...place, extinf: duration, programDate: date))
                (start, extinf, date) = (place + 1, nil, nil)
            }
        }
        return segments
    }

    /// Offsets are target durations from `start`, by program date.
    ///
    /// A change that depends on the date alone lasts as long as the segment is listed, so that no version contradicts another.
    func segments(from start: WallTime?, offsets: Range<Int>) -> [(offset: Int, segment: ListedSegment)] {
        guard let start, let target = targetSeconds, target > 0 else { return [] }
        return segments.compactMap { segment in
            guard let date = segment.programDate?.date else { return nil }
            let since = date.duration(since: start).wholeMicroseconds
            let offset = Int((Double(since) / Double(target) / 1_000_000).rounded(.down))
            return offsets.contains(offset) ? (offset, segment) : nil
        }
    }

    /// In the first target duration of a live playlist from `start` on.
    mutating func insert(_ line: String, atSegmentsFrom start: WallTime?) {
        guard isLiveMedia else { return }
        for (_, segment) in segments(from: start, offsets: 0..<1) { insert(line, before: segment) }
    }

    /// Nil for fewer than three.
    var middleSegment: ListedSegment? {
        let segments = segments
        return segments.count > 2 ? segments[segments.count / 2] : nil
    }

    func seconds(of segment: ListedSegment) -> Double? {
        Double(lines[segment.extinf].drop { $0 != ":" }.dropFirst().prefix { $0 != "," })
    }

    mutating func setDuration(_ milliseconds: Int, of segment: ListedSegment) {
        let title = lines[segment.extinf].drop { $0 != "," }.dropFirst()
        lines[segment.extinf] = "#EXTINF:\(SecondsText.decimal(Int64(milliseconds) * 1_000)),\(title)"
    }

    mutating func shiftDate(by shift: Duration, of segment: ListedSegment) {
        if let line = segment.programDate?.line { shiftDate(at: line, by: shift) }
    }

    mutating func moveDates(by shift: Duration) {
        for place in lines.indices where lines[place].hasPrefix(Self.dateTag) { shiftDate(at: place, by: shift) }
    }

    private mutating func shiftDate(at place: Int, by shift: Duration) {
        guard let date = date(at: place) else { return }
        lines[place] = Self.dateTag + (date + shift).iso8601
    }

    private func date(at place: Int) -> WallTime? {
        WallTime(iso8601: String(lines[place].dropFirst(Self.dateTag.count)))
    }

    mutating func insertBeforeSegments(_ new: [String]) {
        guard let place = firstSegmentLine else { return }
        lines.insert(contentsOf: new, at: place)
    }

    mutating func insertBeforeMiddleSegment(_ line: String) {
        if let middle = middleSegment { insert(line, before: middle) }
    }

    mutating func insert(_ line: String, before segment: ListedSegment) {
        lines.insert(line, at: segment.lines.lowerBound)
    }

    private var firstSegmentLine: Int? { lines.indices.first { Self.isOfSegment(lines[$0]) } }

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

extension Answer {
    /// Compresses the text again if the client accepts that.
    func edited(gzip: Bool, by edit: (inout AnswerEdit) -> Void) -> Answer {
        let text = String(buffer: body)
        var changed = AnswerEdit(
            status: status,
            fields: fields,
            lines: text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        )
        edit(&changed)
        let bytes = Array(changed.lines.joined(separator: "\n").utf8)
        guard gzip, changed.fields[.contentEncoding] == nil, changed.fields[.vary] != nil,
            let compressed = Gzip.compress(bytes)
        else { return Answer(status: changed.status, fields: changed.fields, body: .init(bytes: bytes)) }
        changed.fields[.contentEncoding] = "gzip"
        return Answer(status: changed.status, fields: changed.fields, body: .init(bytes: compressed))
    }
}
