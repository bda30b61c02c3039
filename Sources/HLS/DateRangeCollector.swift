/// Gathers EXT-X-DATERANGE tags, consolidating those of one ID (bis-22 section 4.4.5.1).
struct DateRangeCollector {
    private(set) var ranges: [DateRange] = []
    private var undated: [DateRange] = []
    private var ignored: [Int] = []
    /// Filled only once a search through `ranges` would no longer be short.
    private var indexByID: [String: Int] = [:]

    private static let searchLimit = 8

    /// Reads one tag; one with illegal syntax is only noted, as clients are to ignore it.
    mutating func read(_ line: PlaylistLines.Line, _ lines: PlaylistLines) {
        guard let range = DateRangeTag(lines.bytes, line.valueRange).dateRange() else {
            ignored.append(line.start)
            return
        }
        if let index = index(of: range.id) {
            ranges[index].consolidate(with: range)
            return
        }
        guard range.startDate != nil else {
            ignored.append(line.start)
            if range.endDate != nil || range.duration != nil {
                undated.append(range)
            }
            return
        }
        ranges.append(range)
        if ranges.count > Self.searchLimit {
            for index in indexByID.count..<ranges.count {
                indexByID[ranges[index].id] = index
            }
        }
    }

    private func index(of id: String) -> Int? {
        ranges.count > Self.searchLimit ? indexByID[id] : ranges.firstIndex { $0.id == id }
    }

    /// What ends ranges whose start no tag of theirs says.
    var endings: [DateRange] {
        undated.filter { index(of: $0.id) == nil }
    }

    /// The lines, counted from 1, of the tags that were ignored.
    func ignoredOffsets(in lines: PlaylistLines) -> [Int] {
        guard !ignored.isEmpty else {
            return []
        }
        var numbers: [Int] = []
        var line = 1
        var position = 0
        for offset in ignored {
            while position < offset {
                line += lines.bytes[position] == 0x0A ? 1 : 0
                position += 1
            }
            numbers.append(line)
        }
        return numbers
    }
}

extension DateRange {
    /// Adds what a later tag of the same ID says; where it disagrees, the first value stands and the name is noted.
    package mutating func consolidate(with later: DateRange) {
        merge(\.classAttribute, later, "CLASS")
        merge(\.startDate, later, "START-DATE")
        merge(\.endDate, later, "END-DATE")
        merge(\.duration, later, "DURATION")
        merge(\.plannedDuration, later, "PLANNED-DURATION")
        merge(\.scte35Out, later, "SCTE35-OUT")
        merge(\.scte35In, later, "SCTE35-IN")
        merge(\.scte35Command, later, "SCTE35-CMD")
        endOnNext = endOnNext || later.endOnNext
        if cue.isEmpty {
            cue = later.cue
        } else if !later.cue.isEmpty, later.cue != cue {
            note("CUE")
        }
        for (name, value) in later.attributes.sorted(by: { $0.key < $1.key }) {
            if let known = attributes[name], known != value {
                note(name)
            } else {
                attributes[name] = value
            }
        }
    }

    private mutating func merge<Value: Equatable>(
        _ field: WritableKeyPath<DateRange, Value?>,
        _ later: DateRange,
        _ name: String
    ) {
        guard let value = later[keyPath: field] else {
            return
        }
        if let known = self[keyPath: field], known != value {
            note(name)
        } else {
            self[keyPath: field] = value
        }
    }

    /// Enough for every attribute that has a meaning, and little to search through where somebody wrote thousands.
    private static let notedConflicts = 64

    private mutating func note(_ name: String) {
        if conflictingAttributes.count < Self.notedConflicts, !conflictingAttributes.contains(name) {
            conflictingAttributes.append(name)
        }
    }
}
