import Glibc

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

enum KernelFile {
    /// At most 127 bytes of the first line; nil where the kernel has no such file.
    static func firstLine(of path: String) -> String? {
        guard let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 128)
        guard fgets(&line, Int32(line.count), file) != nil else { return nil }
        return String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
