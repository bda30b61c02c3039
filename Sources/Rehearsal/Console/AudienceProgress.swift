import Glibc
package import Tools

/// Progress of reading logs, on standard error: one redrawn line on a terminal, elsewhere a line every ten seconds.
package struct AudienceProgress {
    private let isTerminal = isatty(STDERR_FILENO) == 1
    private let clock = ContinuousClock()
    private let start: ContinuousClock.Instant
    private var last: ContinuousClock.Instant
    private var isDrawn = false

    package init() {
        start = clock.now
        last = start
    }

    package mutating func show(_ progress: AudienceLogReader.Progress) {
        let now = clock.now
        guard now - last >= (isTerminal ? .milliseconds(250) : .seconds(10)) else { return }
        last = now
        let (seconds, attoseconds) = (now - start).components
        let rate = Double(progress.bytes) / max(0.001, Double(seconds) + Double(attoseconds) * 1e-18)
        let whole = progress.of.map { total in
            " of \(Self.megabytes(Double(total))), \(total > 0 ? progress.bytes * 100 / total : 100)%"
        }
        let text = "read \(Self.megabytes(Double(progress.bytes)))\(whole ?? ""), \(Self.megabytes(rate)) a second"
        RunOutput.writeError(isTerminal ? "\r\u{1B}[K\(text)" : text + "\n")
        isDrawn = isTerminal
    }

    /// Erases the line from the terminal.
    package mutating func end() {
        if isDrawn { RunOutput.writeError("\r\u{1B}[K") }
        isDrawn = false
    }

    private static func megabytes(_ bytes: Double) -> String {
        let tenths = Int(bytes / 100_000)
        return tenths < 1000 ? "\(tenths / 10).\(tenths % 10) MB" : "\(tenths / 10) MB"
    }
}
