import HLS

/// Tolerance between times of one date range: redundant packagers round each to frames of their own.
package struct AnnouncementTolerance: Hashable, Sendable {
    package let microseconds: Int64

    package static let usual = AnnouncementTolerance(usualDistance)
    /// A frame at 23.976 a second, because redundant packagers round to their own frames.
    package static let usualDistance = Duration.milliseconds(42)

    /// A negative distance counts as 0.
    package init(_ distance: Duration) { microseconds = max(distance.wholeMicroseconds, 0) }

    func areOne(_ first: Int64, _ second: Int64) -> Bool {
        let distance = first.subtractingReportingOverflow(second)
        return !distance.overflow && distance.partialValue.magnitude <= UInt64(microseconds)
    }

    /// Whether both tags give this attribute as times within the tolerance.
    func isOneTime(_ name: String, of first: DateRange, and second: DateRange) -> Bool {
        guard let own = first.time(name), let others = second.time(name) else { return false }
        return areOne(own, others)
    }
}

extension DateRange {
    /// Microseconds; nil for attributes other than times.
    func time(_ name: String) -> Int64? {
        switch name {
        case "START-DATE": startDate?.microseconds
        case "END-DATE": endDate?.microseconds
        case "DURATION": duration?.wholeMicroseconds
        case "PLANNED-DURATION": plannedDuration?.wholeMicroseconds
        default: nil
        }
    }
}
