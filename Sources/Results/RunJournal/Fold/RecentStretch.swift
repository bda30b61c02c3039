import Values

/// One to two `length`s up to the last interval, for conditions that end a run early.
///
/// After hours without errors, a failed target would take hours to show in a share of the whole run.
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
    private var whole = Part()
    /// Later part of ``whole``, with which the next stretch begins.
    private var next = Part()

    /// Shortest time examined, once the run has lasted that long.
    package init(length: Duration) { lengthMicroseconds = max(1, length.wholeMicroseconds) }

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

    package var loopDelayMicroseconds: Int64 { whole.loopDelayMicroseconds }
}
