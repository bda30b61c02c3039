/// The state of a process, by the third field of its `/proc/PID/stat` (proc(5)).
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

    /// Parses the line of a `stat` file; the name before the state may hold parentheses and spaces itself.
    package init(line: String) {
        self =
            switch line.split(separator: ")", omittingEmptySubsequences: false).last?.dropFirst().first {
            case "T", "t": .stopped
            case "Z", "X", "x": .gone
            default: .running
            }
    }
}
