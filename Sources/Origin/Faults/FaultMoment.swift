import HLS

/// Default times of faults in successive versions: a few updates, so that clients also see the playlist before and after.
enum FaultMoment {
    static func targets(_ from: Double, _ upTo: Double) -> @Sendable (PlannedFault, FaultOccasion) -> Bool {
        { fault, occasion in
            guard let since = since(fault, occasion) else { return false }
            if fault.lasting != nil { return true }
            return since >= occasion.targetDuration * from && since < occasion.targetDuration * upTo
        }
    }

    static func untilAfterBreak(targets: Double) -> @Sendable (PlannedFault, FaultOccasion) -> Bool {
        { _, occasion in
            occasion.breakStart.map { occasion.now < $0 + occasion.targetDuration * targets } ?? false
        }
    }

    /// Time since the fault's beginning; negative before it.
    static func since(_ fault: PlannedFault, _ occasion: FaultOccasion) -> Duration? {
        occasion.breakStart.map { occasion.now.duration(since: $0 + (fault.from ?? .zero)) }
    }
}

extension FaultKind {
    /// A fault of successive versions of whole live media playlists; by default, from the break's start for some target
    /// durations.
    init(ofVersions name: String, targets: Double = 3, editing change: @escaping @Sendable (inout AnswerEdit) -> Void) {
        self.init(name, kinds: RequestKind.liveMedia, when: FaultMoment.targets(0, targets)) { edit, _, _ in
            guard edit.isLiveMedia else { return }
            change(&edit)
        }
    }
}

extension AnswerEdit {
    /// Whether this is a whole live media playlist; a delta update does not contain the lines that it is merged with.
    var isLiveMedia: Bool {
        firstLine(beginningWith: "#EXTINF:") != nil && firstLine(beginningWith: "#EXT-X-SKIP:") == nil
            && firstLine(beginningWith: "#EXT-X-ENDLIST") == nil
    }

    /// URI line in the middle of the listed segments; nil for fewer than three.
    var middleURI: Int? {
        let lines = uriLines
        return lines.count > 2 ? lines[lines.count / 2] : nil
    }

    /// Inserts a line before the tags of the middle segment; no effect with fewer than three segments.
    mutating func insertBeforeMiddleSegment(_ line: String) {
        guard let middle = middleURI else { return }
        lines.insert(line, at: firstTag(ofSegmentAt: middle))
    }

    func firstTag(ofSegmentAt uri: Int) -> Int {
        var line = uri
        while line > 0, lines[line - 1].hasPrefix("#"), !Self.headerTags.contains(where: lines[line - 1].hasPrefix) {
            line -= 1
        }
        return line
    }

    private static let headerTags = [
        "#EXTM3U", "#EXT-X-VERSION", "#EXT-X-TARGETDURATION", "#EXT-X-MEDIA-SEQUENCE", "#EXT-X-DISCONTINUITY-SEQUENCE",
        "#EXT-X-INDEPENDENT-SEGMENTS", "#EXT-X-SERVER-CONTROL", "#EXT-X-PART-INF", "#EXT-X-DEFINE", "#EXT-X-DATERANGE",
        "#EXT-X-MAP",
    ]

    /// Adds to a whole number in the header; a missing tag counts as 0 and is inserted.
    mutating func add(_ number: Int64, to tag: String) {
        let value = self.value(of: tag).flatMap { Int64($0) }
        let sum = max(0, (value ?? 0).addingReportingOverflow(number).partialValue)
        guard value == nil else {
            setValue(String(sum), of: tag)
            return
        }
        let header = ["#EXT-X-MEDIA-SEQUENCE:", "#EXT-X-TARGETDURATION:"]
        let place = header.compactMap { firstLine(beginningWith: $0) }.first ?? 0
        lines.insert("\(tag):\(sum)", at: place + 1)
    }

    mutating func moveDates(by shift: Duration) {
        for place in lines.indices where lines[place].hasPrefix(Self.dateTag) {
            guard let date = WallTime(iso8601: String(lines[place].dropFirst(Self.dateTag.count))) else { continue }
            lines[place] = Self.dateTag + (date + shift).iso8601
        }
    }

    func date(ofSegmentAt uri: Int) -> WallTime? {
        lines[firstTag(ofSegmentAt: uri)..<uri].first { $0.hasPrefix(Self.dateTag) }.flatMap {
            WallTime(iso8601: String($0.dropFirst(Self.dateTag.count)))
        }
    }

    private static let dateTag = "#EXT-X-PROGRAM-DATE-TIME:"

    var dateRangeLines: [Int] { lines.indices.filter { lines[$0].hasPrefix("#EXT-X-DATERANGE:") } }

    func attribute(_ name: String, inLine place: Int) -> String? {
        let line = lines[place]
        for before in [":", ","] {
            guard let found = line.firstRange(of: "\(before)\(name)=") else { continue }
            let value = line[found.upperBound...]
            guard value.hasPrefix("\"") else { return String(value.prefix { $0 != "," }) }
            return String(value.dropFirst().prefix { $0 != "\"" })
        }
        return nil
    }

    func start(ofRangeInLine place: Int) -> WallTime? {
        attribute("START-DATE", inLine: place).flatMap { WallTime(iso8601: $0) }
    }

    /// From DURATION or PLANNED-DURATION.
    func end(ofRangeInLine place: Int) -> WallTime? {
        let text = attribute("DURATION", inLine: place) ?? attribute("PLANNED-DURATION", inLine: place)
        guard let start = start(ofRangeInLine: place), let seconds = text.flatMap(Double.init), seconds < 1e9 else {
            return nil
        }
        return start + .milliseconds(Int64(seconds * 1_000))
    }
}
