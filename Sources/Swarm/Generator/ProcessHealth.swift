import CLinux
import Glibc

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

    private static func microseconds(_ time: timeval) -> Int64 {
        Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_usec)
    }

    private static func residentPages() -> Int {
        guard let text = KernelFile.firstLine(of: "/proc/self/statm") else { return 0 }
        let fields = text.split(separator: " ")
        return fields.count > 1 ? Int(fields[1]) ?? 0 : 0
    }

    /// Since Linux 6.2 the size of /proc/self/fd is the number of open descriptors.
    private static func openDescriptors() -> Int {
        var status = stat()
        if stat("/proc/self/fd", &status) == 0, status.st_size > 0 { return Int(status.st_size) }
        guard let folder = opendir("/proc/self/fd") else { return 0 }
        defer { closedir(folder) }
        var count = 0
        while readdir(folder) != nil {
            count += 1
        }
        // Without ".", ".." and the folder's own descriptor.
        return max(count - 3, 0)
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
        guard let line = KernelFile.firstLine(of: "/proc/\(process)/stat") else {
            self = .running
            return
        }
        self.init(line: line)
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

enum KernelFile {
    /// At most 127 bytes.
    static func firstLine(of path: String) -> String? {
        guard let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 128)
        guard fgets(&line, Int32(line.count), file) != nil else { return nil }
        return String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
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

    /// Gives free heap memory back to the kernel.
    package static func giveBack() { podswarm_give_back_free_memory() }
}
