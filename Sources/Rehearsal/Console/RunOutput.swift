import AdServing
package import Foundation
package import Report
package import Results
import Synchronization
import Values

/// Progress on standard error, the summary on standard output.
package final class RunOutput: Sendable {
    private let quiet: Bool
    private let isTerminal: Bool
    /// Standard output is reserved for data.
    private let keepsOutputClear: Bool
    /// Shows only progress.
    private let isPart: Bool
    /// Lines to redraw.
    private let drawnLines = Mutex(0)
    private let told = Mutex(Told())

    /// News and lines of the present run.
    private struct Told {
        var second = 0
        var plainLine = -10
        var news: Set<String> = []
    }

    /// `isPart` is for one run of several, which leaves summary and notes to the caller.
    package init(quiet: Bool, keepsOutputClear: Bool = false, isPart: Bool = false) {
        (self.quiet, self.keepsOutputClear, self.isPart) = (quiet, keepsOutputClear, isPart)
        isTerminal = StandardStream.error.isTerminal
    }

    package func ofPart() -> RunOutput { RunOutput(quiet: quiet, keepsOutputClear: keepsOutputClear, isPart: true) }

    package var showsProgress: Bool { !quiet }

    /// Nil only erases the live view.
    package func note(_ text: String?) {
        guard !quiet, !isPart, let text else { return erase() }
        erase()
        Self.tell(text)
    }

    /// Ignores `quiet`: errors are shown nevertheless.
    func warn(_ text: String) {
        erase()
        Self.tell(text)
    }

    func note(_ text: (TextRendering) -> String) {
        guard !quiet else { return }
        erase()
        Self.writeError("\n\(text(StandardStream.error.rendering))\n")
    }

    /// One plain line every ten seconds without a terminal; a limit or finding is told once.
    package func progress(_ progress: Report.Progress) {
        guard !quiet else { return }
        told.withLock {
            if progress.elapsedSeconds < $0.second { $0 = Told() }
            $0.second = progress.elapsedSeconds
        }
        for news in ProgressLine.news(progress, width: isTerminal ? StandardStream.error.width : nil)
        where told.withLock({ $0.news.insert(news.key).inserted }) { note(news.text) }
        guard isTerminal else {
            if isPlainLineDue(progress.elapsedSeconds) { Self.writeError(ProgressLine.plain(progress) + "\n") }
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
        told.withLock {
            guard second - $0.plainLine >= 10 else { return false }
            $0.plainLine = second
            return true
        }
    }

    /// Ignores `quiet`: the user asked for it with SIGUSR1.
    package func snapshot(_ document: ResultDocument) {
        erase()
        let text = document.text(StandardStream.error.rendering)
        Self.writeError("Still running; this would be the result if the run ended now.\n\(text)\n")
    }

    /// With `quiet`, only the path; a nil `exit` derives the status from the verdict.
    package func summary(_ document: ResultDocument, file: URL?, exit: PodswarmExit? = nil) {
        erase()
        guard !isPart else { return }
        guard !quiet else {
            if let file { standard.write(file.path + "\n") }
            return
        }
        let unwritten = exit.map { (what: file == nil ? "RESULT" : "OUTPUT", exit: Int($0.rawValue)) }
        standard.write(document.text(path: file?.relativePath, unwritten: unwritten, standard.rendering))
    }

    /// `exit` as in ``summary(_:file:exit:)``.
    package func verdict(_ document: ResultDocument, exit: PodswarmExit? = nil) {
        guard !quiet, !isPart else { return }
        let unwritten = exit.map { (what: "OUTPUT", exit: Int($0.rawValue)) }
        standard.write("\n\(document.verdictLine(unwritten: unwritten, standard.rendering))\n")
    }

    /// With `quiet`, only `file`, the first of several.
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
        if up > 0 { Self.writeError("\u{1B}[\(up)A\r\u{1B}[J") }
    }

    /// Untrusted text must not steer the terminal or reveal a secret.
    package static func tell(_ text: String, on stream: StandardStream = .error) {
        let shown = KnownSecrets.ofThisProcess.hidden(in: text)
        stream.write(TerminalText.printable(shown, keepsLines: true) + "\n")
    }

    package static func writeError(_ text: String) { StandardStream.error.write(text) }
}

/// No trap on a closed pipe, unlike `FileHandle.write(_:)`: a run whose `2>&1 | head` ended must still write its result.
package enum StandardStream: Int32 {
    case output = 1
    case error = 2

    package var isTerminal: Bool { isatty(rawValue) == 1 }

    /// COLUMNS (POSIX, "Environment Variables") precedes the terminal; 100 without either.
    package var width: Int {
        let columns = ProcessInfo.processInfo.environment["COLUMNS"].flatMap { Int($0) }
        if let columns, (1...10_000).contains(columns) { return columns }
        var size = winsize()
        guard ioctl(rawValue, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 100 }
        return Int(size.ws_col)
    }

    /// NO_COLOR: https://no-color.org.
    package var showsColour: Bool { isTerminal && ProcessInfo.processInfo.environment["NO_COLOR"]?.isEmpty ?? true }

    package var rendering: TextRendering { TextRendering(width: width, colour: showsColour) }

    /// Stops silently at an error such as a closed pipe.
    package func write(_ bytes: some Sequence<UInt8>) {
        var rest = Array(bytes)[...]
        _ = Self.write(&rest, to: rawValue)
    }

    /// Removes what is written; false after an error, which `errno` names.
    static func write(_ rest: inout ArraySlice<UInt8>, to descriptor: Int32) -> Bool {
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    package func write(_ text: String) { write(text.utf8) }

    /// Escapes characters that would steer a terminal.
    package func write(json: Data) {
        let text = String(decoding: json, as: UTF8.self)
        // Line ends in strings are already escaped.
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
