import Glibc
package import Results

/// Measures how long the threads of a process waited for a core.
package struct CoreWaitMeter: Sendable {
    private var threads: [Int32: ThreadSchedule]?

    /// Starts with a reading; nil where that is unknown.
    package init(_ threads: [Int32: ThreadSchedule]?) { self.threads = threads }

    /// Means per second; nil where either reading is missing.
    ///
    /// A thread that ended does not count; a new one, also under a used number, counts from its beginning.
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
        // A wait within less than a second is not scaled up.
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

/// Times on a core and on a run queue, the first two figures of a thread's `schedstat` (Linux,
/// Documentation/scheduler/sched-stats.rst).
package struct ThreadSchedule: Equatable, Sendable {
    package var ranNanoseconds: UInt64
    package var waitedNanoseconds: UInt64

    package init(ranNanoseconds: UInt64, waitedNanoseconds: UInt64) {
        self.ranNanoseconds = ranNanoseconds
        self.waitedNanoseconds = waitedNanoseconds
    }

    package init?(line: String) {
        let fields = line.split(whereSeparator: \.isWhitespace)
        guard fields.count >= 2, let ran = UInt64(fields[0]), let waited = UInt64(fields[1]) else { return nil }
        self.init(ranNanoseconds: ran, waitedNanoseconds: waited)
    }

    /// Keyed by thread number, of this process without `process`; nil where the kernel has no counts.
    package static func ofThreads(of process: Int32? = nil) -> [Int32: ThreadSchedule]? {
        let path = "/proc/\(process.map(String.init) ?? "self")/task"
        guard let folder = opendir(path), let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { return nil }
        defer { closedir(folder) }
        var threads: [Int32: ThreadSchedule] = [:]
        while let entry = readdir(folder) {
            let name = String(cString: UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: CChar.self))
            // The thread ended meanwhile.
            guard let thread = Int32(name), let line = KernelFile.firstLine(of: "\(path)/\(name)/schedstat") else {
                continue
            }
            threads[thread] = ThreadSchedule(line: line)
        }
        // A kernel built without these counts has no such file, or writes zeros.
        return threads.values.contains { $0.ranNanoseconds > 0 } ? threads : nil
    }
}
