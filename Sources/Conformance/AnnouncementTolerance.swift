import HLS
import Rulebook

/// How far apart times of one date range may be and still be the same: redundant packagers round each to frames of its own.
package struct AnnouncementTolerance: Hashable, Sendable {
    /// Never negative.
    package let microseconds: Int64

    /// For where no profile says it.
    package static let usual = AnnouncementTolerance(AnnouncementRule.usualTolerance)

    /// Times that are further apart than this are two.
    package init(_ distance: Duration) {
        microseconds = max(distance.wholeMicroseconds, 0)
    }

    func areOne(_ first: Int64, _ second: Int64) -> Bool {
        let distance = first.subtractingReportingOverflow(second)
        return !distance.overflow && distance.partialValue.magnitude <= UInt64(microseconds)
    }

    func areOne(_ first: WallTime, _ second: WallTime) -> Bool { areOne(first.microseconds, second.microseconds) }

    func areOne(_ first: Duration, _ second: Duration) -> Bool {
        areOne(first.wholeMicroseconds, second.wholeMicroseconds)
    }

    /// Whether an attribute of two tags, known by its name, is a time that both give and that is the same.
    func isOneTime(_ name: String, of first: DateRange, and second: DateRange) -> Bool {
        guard let own = first.time(name), let others = second.time(name) else { return false }
        return areOne(own, others)
    }
}

extension DateRange {
    /// When it begins or ends, or how long it lasts, in microseconds; nil for other attributes.
    fileprivate func time(_ name: String) -> Int64? {
        switch name {
        case "START-DATE": startDate?.microseconds
        case "END-DATE": endDate?.microseconds
        case "DURATION": duration?.wholeMicroseconds
        case "PLANNED-DURATION": plannedDuration?.wholeMicroseconds
        default: nil
        }
    }
}
