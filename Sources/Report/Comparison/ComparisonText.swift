package import Comparison

/// A comparison as terminal text.
package struct ComparisonText: Sendable {
    private let document: ComparisonDocument
    private let rendering: TextRendering
    private let showsAll: Bool

    /// - Parameters:
    ///   - document: The comparison.
    ///   - width: Columns of the terminal; taken as at least 40.
    ///   - colour: Whether to use ANSI colours.
    ///   - showsAll: Whether informational metrics without news are listed too.
    package init(of document: ComparisonDocument, width: Int = 100, colour: Bool = false, showsAll: Bool = false) {
        (self.document, self.showsAll) = (document, showsAll)
        rendering = TextRendering(width: width, colour: colour)
    }

    /// The whole text with a final line feed.
    package func render() -> String { rendering.render(Page(document, showsAll: showsAll)) }
}

/// A comparison as GitHub-flavoured Markdown, short enough for the comment of a pull request.
package struct ComparisonMarkdown: Sendable {
    private let document: ComparisonDocument

    package init(of document: ComparisonDocument) {
        self.document = document
    }

    /// The whole text with a final line feed.
    package func render() -> String { MarkdownRendering(level: "###").render(Page(document)) }
}
