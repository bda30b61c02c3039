import Glibc

/// Time that one thread ran and waited for a core since it began.
///
/// The first two figures of its `schedstat`: time on a core and time on a run queue, in nanoseconds (Linux,
/// Documentation/scheduler/sched-stats.rst). Time asleep is in neither.
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

    /// All readable threads of a process, nil being this one, by number; nil where the kernel has no counts.
    package static func ofThreads(of process: Int32? = nil) -> [Int32: ThreadSchedule]? {
        let path = "/proc/\(process.map(String.init) ?? "self")/task"
        guard let folder = opendir(path), let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { return nil }
        defer { closedir(folder) }
        var threads: [Int32: ThreadSchedule] = [:]
        while let entry = readdir(folder) {
            let name = String(cString: UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: CChar.self))
            // A thread that ended meanwhile has no file.
            guard let thread = Int32(name), let line = KernelFile.firstLine(of: "\(path)/\(name)/schedstat") else {
                continue
            }
            threads[thread] = ThreadSchedule(line: line)
        }
        // A kernel built without these counts has no such file, or writes zeros.
        return threads.values.contains { $0.ranNanoseconds > 0 } ? threads : nil
    }
}
