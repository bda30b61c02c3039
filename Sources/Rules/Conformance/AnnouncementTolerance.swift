import HLS

extension Duration {
    /// Tolerance between times of one date range: a frame at 23.976 a second, as redundant packagers round to frames of their own.
    package static let announcementTolerance = Duration.milliseconds(42)

    /// Whether two times in microseconds are so far apart at most.
    func covers(_ first: Int64, _ second: Int64) -> Bool {
        let distance = first.subtractingReportingOverflow(second)
        return !distance.overflow && distance.partialValue.magnitude <= UInt64(clamping: wholeMicroseconds)
    }

    /// Whether both tags give this attribute as times so far apart at most.
    func covers(_ name: String, of first: DateRange, and second: DateRange) -> Bool {
        guard let own = first.time(name), let others = second.time(name) else { return false }
        return covers(own, others)
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
