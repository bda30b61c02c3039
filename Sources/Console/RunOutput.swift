import AdServing
package import Foundation
package import Report
package import RunResult
import Synchronization
import Wording

/// What a run shows a person: progress on standard error, the summary on standard output.
package final class RunOutput: Sendable {
    private let quiet: Bool
    private let isTerminal: Bool
    /// Whether standard output carries something that programs read.
    private let keepsOutputClear: Bool
    /// Whether the run is one of several, of which only where it stands is shown.
    private let isPart: Bool
    /// Lines that the live view drew last, to be drawn over.
    private let drawnLines = Mutex(0)
    private let lastPlainLine = Mutex(-10)

    /// - Parameters:
    ///   - quiet: Whether only errors and the path of the result are printed.
    ///   - keepsOutputClear: Whether standard output carries something that programs read.
    package init(quiet: Bool, keepsOutputClear: Bool = false) {
        self.quiet = quiet
        self.keepsOutputClear = keepsOutputClear
        isPart = false
        isTerminal = isatty(STDERR_FILENO) == 1
    }

    private init(partOf whole: RunOutput) {
        quiet = whole.quiet
        keepsOutputClear = whole.keepsOutputClear
        isTerminal = whole.isTerminal
        isPart = true
    }

    /// For one run of several: it shows progress, and leaves summary and notes to who runs them all.
    package func ofPart() -> RunOutput { RunOutput(partOf: self) }

    package var showsProgress: Bool { !quiet }

    /// A line about where the run stands, where there is one.
    package func note(_ text: String?) {
        guard !quiet, !isPart, let text else { return erase() }
        erase()
        Self.tell(text)
    }

    /// What the run will ask for.
    package func note(_ bill: BillDocument) {
        guard !quiet else { return }
        erase()
        let color = Self.allowsColor && isTerminal
        Self.writeError("\n" + BillText(of: bill, width: Self.width(of: STDERR_FILENO), colour: color).render() + "\n")
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
        let width = Self.width(of: STDERR_FILENO)
        Self.writeError(ProgressLine.ansi(progress, width: width, colour: Self.allowsColor, redrawing: up))
    }

    private func isPlainLineDue(_ second: Int) -> Bool {
        lastPlainLine.withLock { last in
            guard second - last >= 10 else { return false }
            last = second
            return true
        }
    }

    /// Where a run stands, as text on standard error: somebody asked for it, so that quiet is no reason to keep it.
    package func snapshot(_ document: ResultDocument) {
        erase()
        let width = Self.width(of: STDERR_FILENO)
        let color = Self.allowsColor && isTerminal
        let text = TextSummary(of: document, path: nil, width: width, colour: color).render()
        Self.writeError("Still running; what follows is what a result would say if the run ended now.\n\(text)\n")
    }

    /// The result as text, with the place of its file.
    ///
    /// - Parameters:
    ///   - document: The result.
    ///   - file: Nil where it has none.
    ///   - exit: What the process ends with where its result or an export could not be written; nil: what the verdict
    ///     says.
    package func summary(_ document: ResultDocument, file: URL?, exit: PodswarmExit? = nil) {
        erase()
        guard !isPart else { return }
        guard !quiet else {
            if let file {
                standard.write(file.path + "\n")
            }
            return
        }
        let color = Self.allowsColor && isatty(standard.rawValue) == 1
        let width = Self.width(of: standard.rawValue)
        var summary = TextSummary(of: document, path: file?.relativePath, width: width, colour: color)
        let status = exit.map { Int($0.rawValue) }
        if file == nil { summary.exitWithoutFile = status } else { summary.exitWithoutExport = status }
        standard.write(summary.render())
    }

    /// The verdict with its exit status, as the last line.
    ///
    /// - Parameters:
    ///   - document: The result.
    ///   - exit: What the process ends with where an export could not be written; nil: what the verdict says.
    package func verdict(_ document: ResultDocument, exit: PodswarmExit? = nil) {
        guard !quiet, !isPart else { return }
        let color = Self.allowsColor && isatty(standard.rawValue) == 1
        let width = Self.width(of: standard.rawValue)
        var summary = TextSummary(of: document, path: nil, width: width, colour: color)
        summary.exitWithoutExport = exit.map { Int($0.rawValue) }
        standard.write("\n\(summary.verdictLine)\n")
    }

    /// What several runs came to, as text, with the places of its files.
    ///
    /// - Parameters:
    ///   - file: The first of them, which alone is printed where somebody asked for quiet.
    ///   - render: The text within a width, coloured or not.
    package func summary(file: URL, _ render: (_ width: Int, _ color: Bool) -> String) {
        erase()
        guard !quiet else { return standard.write(file.path + "\n") }
        let color = Self.allowsColor && isatty(standard.rawValue) == 1
        standard.write(render(Self.width(of: standard.rawValue), color))
    }

    /// Where the summary goes.
    private var standard: StandardStream { keepsOutputClear ? .error : .output }

    /// See https://no-color.org: any value but an empty one means no.
    package static var allowsColor: Bool {
        ProcessInfo.processInfo.environment["NO_COLOR"]?.isEmpty ?? true
    }

    private func erase() {
        let up = drawnLines.withLock { drawn in
            defer { drawn = 0 }
            return drawn
        }
        if up > 0 {
            Self.writeError("\u{1B}[\(up)A\r\u{1B}[J")
        }
    }

    /// Columns of the terminal; 100 without a terminal.
    package static func width(of descriptor: Int32) -> Int {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 100 }
        return Int(size.ws_col)
    }

    /// Tells a person something, in lines of their own.
    ///
    /// Arguments, names of files and what is in them are anybody's: they must not steer the terminal, nor repeat a secret.
    package static func tell(_ text: String, on stream: StandardStream = .error) {
        let shown = KnownSecrets.ofThisProcess.hidden(in: text)
        stream.write(TerminalText.printable(shown, keepsLines: true) + "\n")
    }

    package static func writeError(_ text: String) {
        StandardStream.error.write(text)
    }
}
