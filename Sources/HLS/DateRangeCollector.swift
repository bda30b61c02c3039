/// Collects EXT-X-DATERANGE tags and consolidates those of one ID (bis-22 section 4.4.5.1).
struct DateRangeCollector {
    private(set) var ranges: [DateRange] = []
    private var undated: [DateRange] = []
    private var ignored: [Int] = []
    /// Filled only once `ranges` is too long for a linear search.
    private var indexByID: [String: Int] = [:]

    private static let searchLimit = 8

    /// Reads one tag; one with illegal syntax is only recorded, as clients must ignore it.
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

    /// Ends of ranges without a start date in any tag.
    var endings: [DateRange] {
        undated.filter { index(of: $0.id) == nil }
    }

    /// Lines of ignored tags, from 1.
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
    /// Adds the attributes of a later tag of the same ID; a conflicting one keeps its first value, and its name is recorded.
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

    /// Covers every attribute with a meaning, and keeps the search short in tags with thousands.
    private static let notedConflicts = 64

    private mutating func note(_ name: String) {
        if conflictingAttributes.count < Self.notedConflicts, !conflictingAttributes.contains(name) {
            conflictingAttributes.append(name)
        }
    }
}
