package import Recording

/// Measures how long the threads of one process waited for a core between two readings.
package struct CoreWaitMeter: Sendable {
    private var threads: [Int32: ThreadSchedule]?

    /// Starts with the reading before the first second; nil where that is unknown.
    package init(_ threads: [Int32: ThreadSchedule]?) {
        self.threads = threads
    }

    /// Means per second since the last reading; nil where either reading is missing.
    ///
    /// A thread that ended takes the time since then with it; one that began, also under the number of another, counts from its
    /// beginning.
    package mutating func look(at now: [Int32: ThreadSchedule]?, elapsedMicroseconds: Int64) -> CoreWait? {
        defer { threads = now }
        guard let now, let threads else { return nil }
        var (ran, waited, longest) = (0.0, 0.0, 0.0)
        for (number, thread) in now {
            let (ranHere, waitedHere) = thread.since(threads[number])
            ran += ranHere
            waited += waitedHere
            longest = max(longest, waitedHere)
        }
        // An interval of less than a second counts as a whole one: a wait within it is not scaled up.
        let scale = 1_000_000 / Double(max(elapsedMicroseconds, 1_000_000)) / 1_000
        return CoreWait(
            ranMicroseconds: Self.whole(ran * scale),
            waitedMicroseconds: Self.whole(waited * scale),
            threadWaitedMicroseconds: Self.whole(longest * scale)
        )
    }

    /// More than a thousand cores use in a day, whatever the kernel reports.
    private static func whole(_ microseconds: Double) -> Int64 { Int64(min(microseconds, 1e14)) }
}

extension ThreadSchedule {
    fileprivate func since(_ earlier: ThreadSchedule?) -> (ran: Double, waited: Double) {
        guard let earlier, earlier.ranNanoseconds <= ranNanoseconds, earlier.waitedNanoseconds <= waitedNanoseconds
        else {
            return (Double(ranNanoseconds), Double(waitedNanoseconds))
        }
        return (
            Double(ranNanoseconds - earlier.ranNanoseconds), Double(waitedNanoseconds - earlier.waitedNanoseconds)
        )
    }
}
