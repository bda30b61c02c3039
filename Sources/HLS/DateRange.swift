/// A range of time with attributes: EXT-X-DATERANGE, all tags of one ID consolidated (bis-22 section 4.4.5.1).
package struct DateRange: Hashable, Sendable {
    /// CUE: the moment at which the range takes effect, independent of its dates.
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
    /// Names of the first 64 attributes to which a later tag of the same ID gave another value; the first value is kept.
    package var conflictingAttributes: [String] = []

    /// END-DATE, else START-DATE plus DURATION; a planned duration does not count.
    package var knownEndDate: WallTime? {
        if let endDate {
            return endDate
        }
        guard let startDate, let duration else {
            return nil
        }
        return startDate + duration
    }

    /// DURATION, else the difference of the dates, else the planned duration.
    package var expectedDuration: Duration? {
        if let duration {
            return duration
        }
        if let startDate, let endDate {
            return endDate.duration(since: startDate)
        }
        return plannedDuration
    }
}

extension DateRange {
    package init(id: String) { self.init(id: id, cue: []) }
}
