/// What happened lately, at full precision: between one and two lengths of time up to the last interval.
///
/// For conditions that end a run early. After hours that went well, a target that is down would take hours to show in a
/// share of the whole run.
package struct RecentStretch: Sendable {
    private struct Part: Sendable {
        var startMicroseconds: Int64
        var sums = Accumulation()
    }

    private let lengthMicroseconds: Int64
    private var earlier: Part?
    private var current = Part(startMicroseconds: 0)

    /// - Parameter length: The least time that is looked at, as soon as the run has lasted for as long.
    package init(length: Duration) {
        let (seconds, attoseconds) = length.components
        let microseconds = seconds.multipliedReportingOverflow(by: 1_000_000)
        lengthMicroseconds =
            microseconds.overflow ? .max : max(1, microseconds.partialValue &+ attoseconds / 1_000_000_000_000)
    }

    /// Takes in the next interval.
    package mutating func add(_ interval: RunInterval) {
        if interval.startMicroseconds &- current.startMicroseconds >= lengthMicroseconds {
            earlier = current
            current = Part(startMicroseconds: interval.startMicroseconds)
        }
        current.sums.add(interval)
        current.sums.addBreakLateness(interval.breakLateness)
        current.sums.addBreakLateness(interval.warmUpBreakLateness)
    }

    /// From the start of the run.
    var startMicroseconds: Int64 { (earlier ?? current).startMicroseconds }

    var sums: Accumulation { earlier.map { $0.sums.adding(current.sums) } ?? current.sums }
}
