package import HLS

package struct ScheduledBreak: Hashable, Sendable {
    package var start: WallTime
    package var duration: Duration
    /// Identity of the break in measurements: equal for every viewer, and never reused.
    package var key: String
    package var ordinal: Int
    package var dateRangeID: String?
    /// Splice of the break in base64, for a pod request's `scte35`; nil without one of its own.
    package var scte35: String?

    package init(
        start: WallTime,
        duration: Duration,
        key: String,
        ordinal: Int,
        dateRangeID: String? = nil,
        scte35: String? = nil
    ) {
        self.start = start
        self.duration = duration
        self.key = key
        self.ordinal = ordinal
        self.dateRangeID = dateRangeID
        self.scte35 = scte35
    }

    /// The start, in ISO 8601, is the key.
    package init(start: WallTime, duration: Duration, ordinal: Int) {
        self.init(start: start, duration: duration, key: start.iso8601, ordinal: ordinal)
    }

    /// Nil for a date range without a start or without a known or planned duration.
    package init?(dateRange: DateRange, ordinal: Int) {
        guard let start = dateRange.startDate, let duration = dateRange.expectedDuration else {
            return nil
        }
        self.init(start: start, duration: duration, key: dateRange.id, ordinal: ordinal, dateRangeID: dateRange.id)
    }

    package var end: WallTime { start + duration }
}
