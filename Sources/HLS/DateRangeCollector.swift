/// Collects EXT-X-DATERANGE tags and consolidates those of one ID (bis-22 section 4.4.5.1).
struct DateRangeCollector {
    private(set) var ranges: [DateRange] = []
    private var undated: [DateRange] = []
    /// Filled only once `ranges` is too long for a linear search.
    private var indexByID: [String: Int] = [:]

    private static let searchLimit = 8

    /// Reads one tag; clients must ignore one with illegal syntax.
    mutating func read(_ line: PlaylistLines.Line, _ lines: PlaylistLines) {
        guard let range = DateRangeTag(lines.bytes, line.valueRange).dateRange() else { return }
        if let index = index(of: range.id) {
            ranges[index].consolidate(with: range)
            return
        }
        guard range.startDate != nil else {
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
