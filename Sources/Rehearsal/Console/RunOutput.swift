import AdServing
package import Foundation
package import Report
package import Results
import Synchronization
import Values

/// Output of a run: progress on standard error, the summary on standard output.
package final class RunOutput: Sendable {
    private let quiet: Bool
    private let isTerminal: Bool
    /// Whether standard output is reserved for data; text then goes to standard error.
    private let keepsOutputClear: Bool
    /// Whether the run is one of several, of which only progress is shown.
    private let isPart: Bool
    /// Number of lines of the live view to redraw.
    private let drawnLines = Mutex(0)
    private let lastPlainLine = Mutex(-10)

    package init(quiet: Bool, keepsOutputClear: Bool = false) {
        self.quiet = quiet
        self.keepsOutputClear = keepsOutputClear
        isPart = false
        isTerminal = StandardStream.error.isTerminal
    }

    private init(partOf whole: RunOutput) {
        quiet = whole.quiet
        keepsOutputClear = whole.keepsOutputClear
        isTerminal = whole.isTerminal
        isPart = true
    }

    /// Returns the output of one run of several: it shows progress and leaves summary and notes to the caller.
    package func ofPart() -> RunOutput { RunOutput(partOf: self) }

    package var showsProgress: Bool { !quiet }

    /// Prints a note above the live view; nil only erases the view.
    package func note(_ text: String?) {
        guard !quiet, !isPart, let text else { return erase() }
        erase()
        Self.tell(text)
    }

    /// Prints a document between empty lines.
    func note(_ text: (TextRendering) -> String) {
        guard !quiet else { return }
        erase()
        Self.writeError("\n\(text(StandardStream.error.rendering))\n")
    }

    /// Redraws the live view on a terminal; elsewhere prints one plain line every ten seconds.
    package func progress(_ progress: Report.Progress) {
        guard !quiet else { return }
        guard isTerminal else {
            if isPlainLineDue(progress.elapsedSeconds) {
                Self.writeError(ProgressLine.plain(progress) + "\n")
            }
            return
        }
        let up = drawnLines.withLock { drawn in
            defer { drawn = ProgressLine.height }
            return drawn
        }
        let (stream, colour) = (StandardStream.error, StandardStream.error.showsColour)
        stream.write(ProgressLine.ansi(progress, width: stream.width, colour: colour, redrawing: up))
    }

    private func isPlainLineDue(_ second: Int) -> Bool {
        lastPlainLine.withLock { last in
            guard second - last >= 10 else { return false }
            last = second
            return true
        }
    }

    /// Prints the state of a run on standard error, also with `quiet`: the user asked for it with SIGUSR1.
    package func snapshot(_ document: ResultDocument) {
        erase()
        let text = TextSummary(of: document, path: nil, StandardStream.error.rendering).render()
        Self.writeError("Still running; what follows is what a result would say if the run ended now.\n\(text)\n")
    }

    /// Prints the result as text with the path of its file, or with `quiet` the path only.
    ///
    /// `exit` is the status if the result or an export could not be written; nil derives it from the verdict.
    package func summary(_ document: ResultDocument, file: URL?, exit: PodswarmExit? = nil) {
        erase()
        guard !isPart else { return }
        guard !quiet else {
            if let file {
                standard.write(file.path + "\n")
            }
            return
        }
        var summary = TextSummary(of: document, path: file?.relativePath, standard.rendering)
        let status = exit.map { Int($0.rawValue) }
        if file == nil { summary.exitWithoutFile = status } else { summary.exitWithoutExport = status }
        standard.write(summary.render())
    }

    /// Prints the verdict with its exit status as the last line; `exit` as in ``summary(_:file:exit:)``.
    package func verdict(_ document: ResultDocument, exit: PodswarmExit? = nil) {
        guard !quiet, !isPart else { return }
        var summary = TextSummary(of: document, path: nil, standard.rendering)
        summary.exitWithoutExport = exit.map { Int($0.rawValue) }
        standard.write("\n\(summary.verdictLine)\n")
    }

    /// Prints the summary of several runs; with `quiet` only the path of `file`, the first of their files.
    package func summary(file: URL, _ render: (TextRendering) -> String) {
        erase()
        guard !quiet else { return standard.write(file.path + "\n") }
        standard.write(render(standard.rendering))
    }

    private var standard: StandardStream { keepsOutputClear ? .error : .output }

    private func erase() {
        let up = drawnLines.withLock { drawn in
            defer { drawn = 0 }
            return drawn
        }
        if up > 0 {
            Self.writeError("\u{1B}[\(up)A\r\u{1B}[J")
        }
    }

    /// Prints a message for the user on lines of its own.
    ///
    /// Arguments, file names and file contents are untrusted: they must not steer the terminal or reveal a secret.
    package static func tell(_ text: String, on stream: StandardStream = .error) {
        let shown = KnownSecrets.ofThisProcess.hidden(in: text)
        stream.write(TerminalText.printable(shown, keepsLines: true) + "\n")
    }

    package static func writeError(_ text: String) {
        StandardStream.error.write(text)
    }
}

/// Standard output and error, written without a trap on a closed pipe.
///
/// `FileHandle.write(_:)` traps there; a run whose `2>&1 | head` has ended must still write its result.
package enum StandardStream: Int32 {
    case output = 1
    case error = 2

    package var isTerminal: Bool { isatty(rawValue) == 1 }

    /// Columns of the terminal; 100 without one.
    package var width: Int {
        var size = winsize()
        guard ioctl(rawValue, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 100 }
        return Int(size.ws_col)
    }

    /// Whether it is a terminal, and NO_COLOR has no value or an empty one (https://no-color.org).
    package var showsColour: Bool { isTerminal && ProcessInfo.processInfo.environment["NO_COLOR"]?.isEmpty ?? true }

    package var rendering: TextRendering { TextRendering(width: width, colour: showsColour) }

    /// Writes all bytes; stops silently at an error such as a closed pipe.
    package func write(_ bytes: some Sequence<UInt8>) {
        let bytes = Array(bytes)
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { Glibc.write(rawValue, $0.baseAddress, $0.count) }
            guard count > 0 else {
                guard count < 0, errno == EINTR else { return }
                continue
            }
            written += count
        }
    }

    package func write(_ text: String) {
        write(text.utf8)
    }

    /// Writes a JSON document; characters that would steer a terminal are escaped (they occur only in JSON strings).
    package func write(json: Data) {
        let text = String(decoding: json, as: UTF8.self)
        // Line ends are JSON's own: those in strings are already escaped.
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            guard TerminalText.printable(String(line)) != line else { return String(line) }
            return line.unicodeScalars.reduce(into: "") { escaped, scalar in
                guard TerminalText.printable(String(scalar)) != String(scalar) else {
                    return escaped.unicodeScalars.append(scalar)
                }
                escaped += "\\u" + scalar.value.hexadecimal(digits: 4)
            }
        }
        write(lines.joined(separator: "\n"))
    }
}
