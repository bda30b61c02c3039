package import Results

package struct TextSummary: Sendable {
    package static let narrowest = TextRendering.narrowest

    private let document: ResultDocument
    private let path: String?
    private let rendering: TextRendering
    /// The exit status if the result could not be written: the verdict is then in no file, and the run has not passed.
    package var exitWithoutFile: Int?
    /// The exit status if an export of the result could not be written, instead of that of the verdict.
    package var exitWithoutExport: Int?

    /// `path` is that of the written result; `width` is raised to at least 40 columns.
    package init(of document: ResultDocument, path: String?, width: Int = 100, colour: Bool = false) {
        (self.document, self.path) = (document, path)
        rendering = TextRendering(width: width, colour: colour)
    }

    package func render() -> String {
        var page = Page(document)
        // A path is never wrapped, so that it can be copied.
        if let path {
            page.sections.append(Section("file", "Result", [.typed { _ in ["  " + TextLayout.printable(path)] }]))
        }
        return rendering.render(page, verdict: verdictLine)
    }

    package var verdictLine: String {
        if let exitWithoutFile { return rendering.line("RESULT NOT WRITTEN", exit: exitWithoutFile, .bad) }
        if let exitWithoutExport { return rendering.line("OUTPUT NOT WRITTEN", exit: exitWithoutExport, .bad) }
        return rendering.line(Page(document).verdict)
    }
}

/// A result as GitHub-flavoured Markdown, for `$GITHUB_STEP_SUMMARY` or a comment: the verdict first, figures folded.
///
/// Always below a mebibyte, GitHub's limit for one step's summary: rows and the length of each piece of foreign text are
/// limited, and omissions are counted.
package struct MarkdownSummary: Sendable {
    private let document: ResultDocument

    package init(of document: ResultDocument) {
        self.document = document
    }

    package func render() -> String { MarkdownRendering().render(Page(document)) }
}
