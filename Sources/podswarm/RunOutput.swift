import Foundation
import Measurement
import Report
import Synchronization

/// What a run shows a person: progress on standard error, the summary on standard output.
final class RunOutput: Sendable {
    private let quiet: Bool
    private let isTerminal: Bool
    private let color: Bool
    /// Lines that the live view drew last, to be drawn over.
    private let drawnLines = Mutex(0)
    private let lastPlainLine = Mutex(-10)

    init(quiet: Bool) {
        self.quiet = quiet
        self.isTerminal = isatty(STDERR_FILENO) == 1
        self.color = isatty(STDOUT_FILENO) == 1 && ProcessInfo.processInfo.environment["NO_COLOR"]?.isEmpty ?? true
    }

    var showsProgress: Bool { !self.quiet }

    /// A line about where the run stands.
    func note(_ text: String) {
        guard !self.quiet else { return }
        self.erase()
        Self.writeError(text + "\n")
    }

    /// Redraws the live view on a terminal; elsewhere prints one plain line every ten seconds.
    func progress(_ progress: Progress, second: Int) {
        guard !self.quiet else { return }
        guard self.isTerminal else {
            let isDue = self.lastPlainLine.withLock { last in
                guard second - last >= 10 else { return false }
                last = second
                return true
            }
            if isDue {
                Self.writeError(ProgressLine.plain(progress) + "\n")
            }
            return
        }
        let color = ProcessInfo.processInfo.environment["NO_COLOR"]?.isEmpty ?? true
        let lines = ProgressLine.lines(progress, width: Self.width(of: STDERR_FILENO), color: color)
        let up = self.drawnLines.withLock { drawn in
            defer { drawn = lines.count }
            return drawn
        }
        let start = up > 0 ? "\u{1B}[\(up)A\r" : ""
        Self.writeError(start + lines.map { "\u{1B}[2K\($0)\n" }.joined())
    }

    /// The result as text, with the place of its file.
    func summary(_ document: ResultDocument, file: URL?) {
        self.erase()
        guard !self.quiet else {
            if let file {
                print(file.path)
            }
            return
        }
        print(
            TextSummary.render(
                document,
                file: file?.path,
                color: self.color,
                width: Self.width(of: STDOUT_FILENO)
            )
        )
    }

    private func erase() {
        let up = self.drawnLines.withLock { drawn in
            defer { drawn = 0 }
            return drawn
        }
        if up > 0 {
            Self.writeError("\u{1B}[\(up)A\r\u{1B}[J")
        }
    }

    /// Columns of the terminal; 100 where there is none.
    static func width(of descriptor: Int32) -> Int {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 100 }
        return Int(size.ws_col)
    }

    static func writeError(_ text: String) {
        FileHandle.standardError.write(Data(text.utf8))
    }
}
