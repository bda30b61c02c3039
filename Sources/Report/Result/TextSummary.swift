package import Results

package struct TextSummary: Sendable {
    private let document: ResultDocument
    private let path: String?
    private let rendering: TextRendering
    /// The exit status if the result could not be written: the verdict is then in no file, and the run has not passed.
    package var exitWithoutFile: Int?
    /// The exit status if an export of the result could not be written, instead of that of the verdict.
    package var exitWithoutExport: Int?

    /// `path` is that of the written result.
    package init(of document: ResultDocument, path: String?, _ rendering: TextRendering = TextRendering()) {
        (self.document, self.path, self.rendering) = (document, path, rendering)
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

extension ResultDocument {
    /// GitHub-flavoured Markdown, for `$GITHUB_STEP_SUMMARY` or a comment: the verdict first, figures folded.
    ///
    /// Always below a mebibyte, GitHub's limit for one step's summary: rows and the length of each piece of foreign text are
    /// limited, and omissions are counted.
    package var markdown: String { MarkdownRendering().render(Page(self)) }

    /// One self-contained page: no network, no other file, light and dark, for screens and paper.
    ///
    /// All charts are inline SVG, so the page shows them without scripts.
    ///
    /// - Throws: An error if style and script are not installed beside the executable, as for the other pages.
    package func html() throws -> String { try Page(self).html() }
}
