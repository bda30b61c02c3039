package import HLS

/// Times of breaks, for sources that need no playlist.
///
/// Every break is computed from its index, never from the one before, so that any number of processes agree however long they
/// run.
package enum BreakSchedule: Hashable, Sendable {
    /// Break k, counted from 0, starts at `epoch + firstOffset + k * interval`; a single one without an interval.
    case every(interval: Duration, epoch: WallTime, firstOffset: Duration, duration: Duration)
    case list([WallTime], duration: Duration)

    package func next(after time: WallTime) -> ScheduledBreak? {
        switch self {
        case .every(let interval, let epoch, let firstOffset, _):
            let first = epoch + firstOffset
            guard time >= first else {
                return everyBreak(0)
            }
            let step = interval.wholeMicroseconds
            guard step > 0 else {
                return nil
            }
            let (elapsed, overflow) = time.microseconds.subtractingReportingOverflow(first.microseconds)
            return overflow ? nil : everyBreak(elapsed / step + 1)
        case .list(let starts, let duration):
            let sorted = Set(starts).sorted()
            guard let index = sorted.firstIndex(where: { $0 > time }) else {
                return nil
            }
            return ScheduledBreak(start: sorted[index], duration: duration, ordinal: index + 1)
        }
    }

    package func breaks(in range: Range<WallTime>) -> [ScheduledBreak] {
        switch self {
        case .every:
            var found: [ScheduledBreak] = []
            var last = WallTime(microseconds: range.lowerBound.microseconds &- 1)
            guard range.lowerBound.microseconds > .min else {
                return []
            }
            while let upcoming = next(after: last), upcoming.start < range.upperBound {
                found.append(upcoming)
                last = upcoming.start
            }
            return found
        case .list(let starts, let duration):
            return Set(starts).sorted().enumerated()
                .filter { range.contains($0.element) }
                .map { ScheduledBreak(start: $0.element, duration: duration, ordinal: $0.offset + 1) }
        }
    }

    /// Nil if the time overflows.
    private func everyBreak(_ index: Int64) -> ScheduledBreak? {
        guard case .every(let interval, let epoch, let firstOffset, let duration) = self else {
            return nil
        }
        let (distance, overflow) = interval.wholeMicroseconds.multipliedReportingOverflow(by: index)
        let (start, carry) = (epoch + firstOffset).microseconds.addingReportingOverflow(distance)
        guard !overflow, !carry else {
            return nil
        }
        return ScheduledBreak(start: WallTime(microseconds: start), duration: duration, ordinal: Int(index) + 1)
    }
}
