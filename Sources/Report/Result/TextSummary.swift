package import RunResult

/// A result as terminal text, with what a user needs first on top.
package struct TextSummary: Sendable {
    package static let narrowest = TextRendering.narrowest

    private let document: ResultDocument
    private let path: String?
    private let rendering: TextRendering
    /// The exit status where the result could not be written: the verdict is then in no file, and nothing has passed.
    package var exitWithoutFile: Int?
    /// The exit status where an export of the result could not be written: it is not that of the verdict.
    package var exitWithoutExport: Int?

    /// Prepares a summary.
    /// - Parameters:
    ///   - document: The result.
    ///   - path: Where it was written, if it was.
    ///   - width: Columns of the terminal; taken as at least 40.
    ///   - colour: Whether to use ANSI colours.
    package init(of document: ResultDocument, path: String?, width: Int = 100, colour: Bool = false) {
        (self.document, self.path) = (document, path)
        rendering = TextRendering(width: width, colour: colour)
    }

    /// The whole summary with a final line feed.
    /// - Returns: Lines no wider than the width, colour codes not counted.
    package func render() -> String {
        var page = Page(document)
        // A path is never broken: it is there to be copied.
        if let path {
            page.sections.append(Section("file", "Result", [.typed { _ in ["  " + TextLayout.printable(path)] }]))
        }
        return rendering.render(page, verdict: verdictLine)
    }

    /// The verdict with its exit status.
    package var verdictLine: String {
        if let exitWithoutFile { return rendering.line("RESULT NOT WRITTEN", exit: exitWithoutFile, .bad) }
        if let exitWithoutExport { return rendering.line("OUTPUT NOT WRITTEN", exit: exitWithoutExport, .bad) }
        return rendering.line(Page(document).verdict)
    }
}

/// A result as GitHub-flavoured Markdown, for `$GITHUB_STEP_SUMMARY` or a comment: the verdict first, figures folded away.
///
/// Always below a mebibyte, which is what GitHub takes for one step's summary: rows and the length of each piece of foreign
/// text are limited, and what is left out is counted.
package struct MarkdownSummary: Sendable {
    private let document: ResultDocument

    package init(of document: ResultDocument) {
        self.document = document
    }

    /// The whole summary with a final line feed.
    package func render() -> String { MarkdownRendering().render(Page(document)) }
}
