import CLinux
import Glibc

/// The CPU clock of a process, user and system time of all its threads; another process's may be read as well.
struct ProcessClock {
    private let clock: clockid_t

    /// nil where there is no such process.
    init?(_ process: pid_t) {
        var clock = clockid_t()
        guard clock_getcpuclockid(process, &clock) == 0 else { return nil }
        self.clock = clock
    }

    var microseconds: Double { Double(podswarm_nanoseconds(clock)) / 1000 }
}
