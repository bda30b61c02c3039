package import HLS

/// One ad break of a live stream.
package struct ScheduledBreak: Hashable, Sendable {
    package var start: WallTime
    package var duration: Duration
    /// The break's identity in measurements: the same for every viewer, and never used again.
    package var key: String
    /// Counted from 1 since the schedule's epoch.
    package var ordinal: Int
    package var dateRangeID: String?
    /// The splice that brings it, as a pod request carries it in `scte35`; nil where it has none of its own.
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

    /// A break at an instant, which is its key.
    package init(start: WallTime, duration: Duration, ordinal: Int) {
        self.init(start: start, duration: duration, key: start.iso8601, ordinal: ordinal)
    }

    /// The break that a date range announces; nil when it has no start or no duration, known or planned.
    package init?(dateRange: DateRange, ordinal: Int) {
        guard let start = dateRange.startDate, let duration = dateRange.expectedDuration else {
            return nil
        }
        self.init(start: start, duration: duration, key: dateRange.id, ordinal: ordinal, dateRangeID: dateRange.id)
    }

    package var end: WallTime { start + duration }
}
