package import HLS

/// Computes every break from its index alone, so that any number of processes agree.
package enum BreakSchedule: Hashable, Sendable {
    /// Break k, from 0, starts at `epoch + firstOffset + k * interval`; with an interval of 0 there is one break.
    case every(interval: Duration, epoch: WallTime, firstOffset: Duration, duration: Duration)
    case list([WallTime], duration: Duration)

    package func next(after time: WallTime) -> ScheduledBreak? {
        count(startingBy: time).flatMap { scheduled(ordinal: $0 &+ 1) }
    }

    package func latest(startingBy time: WallTime) -> ScheduledBreak? { count(startingBy: time).flatMap(scheduled) }

    package func breaks(in range: Range<WallTime>) -> [ScheduledBreak] {
        guard range.lowerBound.microseconds > .min else { return [] }
        if case .list(let starts, let duration) = self {
            return Set(starts).sorted().enumerated().filter { range.contains($0.element) }
                .map { ScheduledBreak(start: $0.element, duration: duration, ordinal: $0.offset + 1) }
        }
        var found: [ScheduledBreak] = []
        var last = WallTime(microseconds: range.lowerBound.microseconds &- 1)
        while let upcoming = next(after: last), upcoming.start < range.upperBound {
            found.append(upcoming)
            last = upcoming.start
        }
        return found
    }

    /// Nil for an ordinal of no break, or if its time overflows.
    package func scheduled(ordinal: Int) -> ScheduledBreak? {
        guard ordinal > 0 else { return nil }
        switch self {
        case .every(let interval, let epoch, let firstOffset, let duration):
            guard ordinal == 1 || interval.wholeMicroseconds > 0 else { return nil }
            let (distance, overflow) = interval.wholeMicroseconds.multipliedReportingOverflow(by: Int64(ordinal - 1))
            let (start, carry) = (epoch + firstOffset).microseconds.addingReportingOverflow(distance)
            guard !overflow, !carry else { return nil }
            return ScheduledBreak(start: WallTime(microseconds: start), duration: duration, ordinal: ordinal)
        case .list(let starts, let duration):
            let sorted = Set(starts).sorted()
            guard ordinal <= sorted.count else { return nil }
            return ScheduledBreak(start: sorted[ordinal - 1], duration: duration, ordinal: ordinal)
        }
    }

    private func count(startingBy time: WallTime) -> Int? {
        switch self {
        case .every(let interval, let epoch, let firstOffset, _):
            let (first, step) = (epoch + firstOffset, interval.wholeMicroseconds)
            guard time >= first else { return 0 }
            guard step > 0 else { return 1 }
            let (elapsed, overflow) = time.microseconds.subtractingReportingOverflow(first.microseconds)
            return overflow ? nil : Int(elapsed / step) &+ 1
        case .list(let starts, _): return Set(starts).count { $0 <= time }
        }
    }
}

package struct ScheduledBreak: Hashable, Sendable {
    package var start: WallTime
    package var duration: Duration
    /// Equal for every viewer, and never reused; the start, in ISO 8601, where nothing else is given.
    package var key: String
    package var ordinal: Int
    package var dateRangeID: String?
    /// Base64.
    package var scte35: String?

    package init(
        start: WallTime,
        duration: Duration,
        key: String? = nil,
        ordinal: Int,
        dateRangeID: String? = nil,
        scte35: String? = nil
    ) {
        (self.start, self.duration, self.key, self.ordinal) = (start, duration, key ?? start.iso8601, ordinal)
        (self.dateRangeID, self.scte35) = (dateRangeID, scte35)
    }

    package var end: WallTime { start + duration }
}

extension Duration {
    /// Rounded to the nearest, never negative.
    package var wholeMilliseconds: Int64 {
        let microseconds = max(0, wholeMicroseconds)
        return microseconds / 1_000 + (microseconds % 1_000 >= 500 ? 1 : 0)
    }
}
