/// EXT-X-DATERANGE, all tags of one ID consolidated (bis-22 section 4.4.5.1).
package struct DateRange: Hashable, Sendable {
    /// The moment at which the range takes effect, whatever its dates.
    package enum Cue: String, Hashable, Sendable, CaseIterable {
        case pre = "PRE"
        case post = "POST"
        case once = "ONCE"
    }

    package var id: String
    package var classAttribute: String?
    package var startDate: WallTime?
    package var endDate: WallTime?
    package var duration: Duration?
    package var plannedDuration: Duration?
    package var cue: [Cue] = []
    package var endOnNext = false
    /// The splice_info_section in hexadecimal, with its `0x`.
    package var scte35Out: String?
    package var scte35In: String?
    package var scte35Command: String?
    /// Attributes whose names begin with `X-`, and unknown ones.
    package var attributes: [String: AttributeValue] = [:]
    /// The first 64 attributes that later tags of the ID contradict; the first value is kept.
    package var conflictingAttributes: [String] = []

    /// A planned duration does not count.
    package var knownEndDate: WallTime? {
        if let endDate { return endDate }
        guard let startDate, let duration else { return nil }
        return startDate + duration
    }

    /// The planned end until the actual one is known (bis-22 section 4.4.5.1.1).
    package var expectedEndDate: WallTime? {
        knownEndDate ?? startDate.flatMap { start in plannedDuration.map { start + $0 } }
    }

    /// No specification has such a class or id.
    ///
    /// Twitch writes the class `twitch-stitched-ad` and ids that begin with `stitched-ad-`, by which Streamlink knows its ads
    /// (`plugins/twitch.py`).
    package var isStitchedAd: Bool {
        id.hasPrefix("stitched-ad-") || classAttribute.map { $0.lowercased().contains("stitched") } ?? false
    }

    /// DURATION, else the difference of the dates, else the planned duration.
    package var expectedDuration: Duration? {
        if let duration { return duration }
        if let startDate, let endDate { return endDate.duration(since: startDate) }
        return plannedDuration
    }
}

extension DateRange {
    package init(id: String) { self.init(id: id, cue: []) }

    /// Conflicts go to ``conflictingAttributes``.
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
        guard let value = later[keyPath: field] else { return }
        if let known = self[keyPath: field], known != value {
            note(name)
        } else {
            self[keyPath: field] = value
        }
    }

    /// Covers every attribute with a meaning, and keeps the search short.
    private static let notedConflicts = 64

    private mutating func note(_ name: String) {
        if conflictingAttributes.count < Self.notedConflicts, !conflictingAttributes.contains(name) {
            conflictingAttributes.append(name)
        }
    }
}

package struct DateRangeTag {
    private var list: AttributeList
    private var range = DateRange(id: "")

    package init(_ bytes: UnsafeRawBufferPointer, _ attributes: Range<Int>) { list = AttributeList(bytes, attributes) }

    /// Nil for illegal syntax.
    package consuming func dateRange() -> DateRange? {
        while let attribute = list.next() { guard read(attribute) else { return nil } }
        guard !list.isMalformed, !range.id.isEmpty else { return nil }
        if let start = range.startDate, let end = range.endDate, end < start { return nil }
        let hasEnd = range.duration != nil || range.endDate != nil
        guard !range.endOnNext || (range.classAttribute != nil && !hasEnd) else { return nil }
        return range
    }

    private mutating func read(_ attribute: AttributeList.Attribute) -> Bool {
        if list.bytes[attribute.name.lowerBound] != UInt8(ascii: "X") {
            if list.isNamed(attribute, "ID") {
                range.id = text(attribute)
                return true
            }
            if list.isNamed(attribute, "CLASS") { return set(&range.classAttribute, text(attribute)) }
            if list.isNamed(attribute, "START-DATE") { return set(&range.startDate, date(attribute)) }
            if list.isNamed(attribute, "END-DATE") { return set(&range.endDate, date(attribute)) }
            if list.isNamed(attribute, "DURATION") { return set(&range.duration, duration(attribute)) }
            if list.isNamed(attribute, "PLANNED-DURATION") { return set(&range.plannedDuration, duration(attribute)) }
            if list.isNamed(attribute, "CUE") { return readCue(attribute) }
            if list.isNamed(attribute, "END-ON-NEXT") {
                range.endOnNext = list.isYes(attribute)
                return range.endOnNext
            }
            if list.isNamed(attribute, "SCTE35-OUT") { return set(&range.scte35Out, text(attribute)) }
            if list.isNamed(attribute, "SCTE35-IN") { return set(&range.scte35In, text(attribute)) }
            if list.isNamed(attribute, "SCTE35-CMD") { return set(&range.scte35Command, text(attribute)) }
        }
        range.attributes[list.bytes.text(attribute.name)] = list.value(attribute)
        return true
    }

    private func text(_ attribute: AttributeList.Attribute) -> String { list.bytes.text(attribute.value) }

    private func date(_ attribute: AttributeList.Attribute) -> WallTime? {
        WallTime.parse(UnsafeRawBufferPointer(rebasing: list.bytes[attribute.value]))
    }

    private func duration(_ attribute: AttributeList.Attribute) -> Duration? {
        DecimalText.microseconds(list.bytes, attribute.value).map { .microseconds($0) }
    }

    /// PRE and POST exclude each other; unknown cues are ignored.
    private mutating func readCue(_ attribute: AttributeList.Attribute) -> Bool {
        let cues = text(attribute).split(separator: ",").compactMap { DateRange.Cue(rawValue: String($0)) }
        range.cue = cues.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
        return !(cues.contains(.pre) && cues.contains(.post))
    }
}

struct DateRangeCollector {
    private(set) var ranges: [DateRange] = []
    private var undated: [DateRange] = []
    /// Filled only once `ranges` is too long for a linear search.
    private var indexByID: [String: Int] = [:]

    private static let searchLimit = 8

    /// Clients must ignore a tag with illegal syntax.
    mutating func read(_ line: TagLine, _ lines: PlaylistLines) {
        guard let range = DateRangeTag(lines.bytes, line.valueRange).dateRange() else { return }
        if let index = index(of: range.id) {
            ranges[index].consolidate(with: range)
            return
        }
        guard range.startDate != nil else {
            if range.endDate != nil || range.duration != nil { undated.append(range) }
            return
        }
        ranges.append(range)
        if ranges.count > Self.searchLimit {
            for index in indexByID.count..<ranges.count { indexByID[ranges[index].id] = index }
        }
    }

    private func index(of id: String) -> Int? {
        ranges.count > Self.searchLimit ? indexByID[id] : ranges.firstIndex { $0.id == id }
    }

    /// Ranges without a start date in any tag.
    var endings: [DateRange] { undated.filter { index(of: $0.id) == nil } }
}
