package import Recording

/// How long the threads of one process waited for a core from one look at them to the next.
package struct CoreWaitMeter: Sendable {
    private var threads: [Int32: ThreadSchedule]?

    /// Begins with what there was before the first second; nil where that is unknown.
    package init(_ threads: [Int32: ThreadSchedule]?) {
        self.threads = threads
    }

    /// What happened since the last look.
    ///
    /// A thread that ended takes the time since then with it; one that began, also under the number of another, counts
    /// from its beginning.
    ///
    /// - Parameters:
    ///   - now: What the threads are at; nil where that is unknown.
    ///   - elapsedMicroseconds: Since the last look.
    /// - Returns: Means per second; nil where either look saw nothing.
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
        // What waited for a moment of a short interval did not wait for as much of a second.
        let scale = 1_000_000 / Double(max(elapsedMicroseconds, 1_000_000)) / 1_000
        return CoreWait(
            ranMicroseconds: Self.whole(ran * scale),
            waitedMicroseconds: Self.whole(waited * scale),
            threadWaitedMicroseconds: Self.whole(longest * scale)
        )
    }

    /// No more than a thousand cores come to in a day, whatever the kernel says.
    private static func whole(_ microseconds: Double) -> Int64 { Int64(min(microseconds, 1e14)) }
}

extension ThreadSchedule {
    /// Nanoseconds that it ran and waited since an earlier look.
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
