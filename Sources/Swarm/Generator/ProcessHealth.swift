import Glibc

package struct ProcessUsage: Sendable, Equatable {
    /// User and system time of the whole process so far.
    package var cpuMicroseconds: Int64
    package var residentBytes: Int
    package var openDescriptors: Int

    package init(cpuMicroseconds: Int64, residentBytes: Int, openDescriptors: Int) {
        (self.cpuMicroseconds, self.residentBytes) = (cpuMicroseconds, residentBytes)
        self.openDescriptors = openDescriptors
    }

    /// A figure that the kernel does not give is 0.
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

    /// Since Linux 6.2 the size of /proc/self/fd is the number of open descriptors; before, the folder is counted.
    private static func openDescriptors() -> Int {
        var status = stat()
        if stat("/proc/self/fd", &status) == 0, status.st_size > 0 {
            return Int(status.st_size)
        }
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
