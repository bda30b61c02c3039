package import Recording

/// What happened lately, to 1 %: between one and two lengths of time up to the last interval.
///
/// For conditions that end a run early. After hours that went well, a target that is down would take hours to show in a
/// share of the whole run.
package struct RecentStretch: Sendable {
    private struct Part: Sendable {
        var startMicroseconds: Int64 = 0
        var sums = RunSums(digits: .two)
        var loopDelayMicroseconds: Int64 = 0

        mutating func add(_ interval: RunInterval) {
            sums.add(interval.sums)
            loopDelayMicroseconds = max(loopDelayMicroseconds, interval.health.loopDelayMicroseconds)
            sums.breakLateness.add(interval.warmUpBreakLateness)
        }
    }

    private let lengthMicroseconds: Int64
    /// What is looked at.
    private var whole = Part()
    /// The later part of it, which the next stretch begins with.
    private var next = Part()

    /// - Parameter length: The least time that is looked at, as soon as the run has lasted for as long.
    package init(length: Duration) {
        let (seconds, attoseconds) = length.components
        let microseconds = seconds.multipliedReportingOverflow(by: 1_000_000)
        lengthMicroseconds =
            microseconds.overflow ? .max : max(1, microseconds.partialValue &+ attoseconds / 1_000_000_000_000)
    }

    /// Takes in the next interval.
    package mutating func add(_ interval: RunInterval) {
        if interval.startMicroseconds &- next.startMicroseconds >= lengthMicroseconds {
            whole = next
            next = Part(startMicroseconds: interval.startMicroseconds)
        }
        whole.add(interval)
        next.add(interval)
    }

    /// From the start of the run.
    var startMicroseconds: Int64 { whole.startMicroseconds }

    var sums: RunSums { whole.sums }

    /// The longest delay of any loop.
    package var loopDelayMicroseconds: Int64 { whole.loopDelayMicroseconds }
}
