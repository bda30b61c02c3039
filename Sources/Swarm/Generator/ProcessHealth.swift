import CLinux
import Foundation
import Glibc
package import Results

package struct ProcessUsage: Sendable, Equatable {
    /// User and system time.
    package var cpuMicroseconds: Int64
    package var residentBytes: Int
    package var openDescriptors: Int

    package init(cpuMicroseconds: Int64, residentBytes: Int, openDescriptors: Int) {
        (self.cpuMicroseconds, self.residentBytes) = (cpuMicroseconds, residentBytes)
        self.openDescriptors = openDescriptors
    }

    /// Figures that the kernel does not give are 0.
    package static func now() -> ProcessUsage {
        var usage = rusage()
        let known = getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0
        return ProcessUsage(
            cpuMicroseconds: known ? microseconds(usage.ru_utime) + microseconds(usage.ru_stime) : 0,
            residentBytes: residentPages() * Int(sysconf(Int32(_SC_PAGESIZE))),
            openDescriptors: openDescriptors()
        )
    }

    private static func microseconds(_ time: timeval) -> Int64 { Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_usec) }

    private static func residentPages() -> Int {
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return 0 }
        let fields = text.split(separator: " ")
        return fields.count > 1 ? Int(fields[1]) ?? 0 : 0
    }

    /// Since Linux 6.2 the size of /proc/self/fd is the number of open descriptors.
    private static func openDescriptors() -> Int {
        var status = stat()
        if stat("/proc/self/fd", &status) == 0, status.st_size > 0 { return Int(status.st_size) }
        let names = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
        // Without the folder's own descriptor.
        return names.map { $0.count - 1 } ?? 0
    }
}

/// The third field of `/proc/PID/stat` (proc(5)).
package enum ProcessState: Equatable, Sendable {
    case running
    /// Stopped by a signal or a debugger.
    case stopped
    case gone

    /// A process without a readable file counts as running.
    package init(of process: Int32) {
        self.init(line: (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? "")
    }

    /// The name before the state may hold parentheses and spaces.
    package init(line: String) {
        self =
            switch line.split(separator: ")", omittingEmptySubsequences: false).last?.dropFirst().first {
            case "T", "t": .stopped
            case "Z", "X", "x": .gone
            default: .running
            }
    }
}

/// Decides when a run gives free heap memory back to the kernel: about once a window.
///
/// Bursts leave free memory among long-lived allocations, so resident memory would rise without a leak.
package struct HeapMemory: Sendable {
    private static let leastPeriodMicroseconds: Int64 = 10_000_000
    /// Periods without a quiet moment, after which any will do.
    private static let patience: Int64 = 3

    private let periodMicroseconds: Int64
    private var period: Int64 = 0

    package init(windowMilliseconds: Int64) {
        let length = windowMilliseconds.multipliedReportingOverflow(by: 1_000)
        periodMicroseconds = length.overflow ? .max : max(Self.leastPeriodMicroseconds, length.partialValue)
    }

    /// `endMicroseconds` counts from the start of the run.
    ///
    /// `isQuiet`: no break goes on or is near, so allocations may wait for a millisecond or two.
    package mutating func isDue(endMicroseconds: Int64, isQuiet: Bool) -> Bool {
        // Intervals end some milliseconds before or after their full second.
        let current = (endMicroseconds &+ 500_000) / periodMicroseconds
        let passed = current &- period
        guard passed >= (isQuiet ? 1 : Self.patience) else { return false }
        period = current
        return true
    }

    package static func giveBack() { podswarm_give_back_free_memory() }
}

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
            let before = threads[number].flatMap { $0.mayBecome(thread) ? $0 : nil }
            ran += Double(thread.ranNanoseconds - (before?.ranNanoseconds ?? 0))
            let waitedHere = Double(thread.waitedNanoseconds - (before?.waitedNanoseconds ?? 0))
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

/// Times on a core and on a run queue, the first two figures of a thread's `schedstat` (Linux,
/// Documentation/scheduler/sched-stats.rst).
package struct ThreadSchedule: Equatable, Sendable {
    package var ranNanoseconds: UInt64
    package var waitedNanoseconds: UInt64

    package init(ranNanoseconds: UInt64, waitedNanoseconds: UInt64) {
        (self.ranNanoseconds, self.waitedNanoseconds) = (ranNanoseconds, waitedNanoseconds)
    }

    package init?(line: String) {
        let fields = line.split(whereSeparator: \.isWhitespace)
        guard fields.count >= 2, let ran = UInt64(fields[0]), let waited = UInt64(fields[1]) else { return nil }
        self.init(ranNanoseconds: ran, waitedNanoseconds: waited)
    }

    fileprivate func mayBecome(_ later: ThreadSchedule) -> Bool {
        ranNanoseconds <= later.ranNanoseconds && waitedNanoseconds <= later.waitedNanoseconds
    }

    /// Keyed by thread number, of this process without `process`; nil where the kernel has no counts.
    package static func ofThreads(of process: Int32? = nil) -> [Int32: ThreadSchedule]? {
        let path = "/proc/\(process.map(String.init) ?? "self")/task"
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else { return nil }
        var threads: [Int32: ThreadSchedule] = [:]
        for name in names {
            // A thread that ended meanwhile has no file.
            let line = try? String(contentsOfFile: "\(path)/\(name)/schedstat", encoding: .utf8)
            if let thread = Int32(name), let line { threads[thread] = ThreadSchedule(line: line) }
        }
        // A kernel built without these counts has no such file, or writes zeros.
        return threads.values.contains { $0.ranNanoseconds > 0 } ? threads : nil
    }
}
