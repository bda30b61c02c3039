package import Comparison

package struct ComparisonText: Sendable {
    private let document: ComparisonDocument
    private let rendering: TextRendering
    private let showsAll: Bool

    /// `width` is raised to at least 40 columns; `showsAll` lists informational metrics without changes too.
    package init(of document: ComparisonDocument, width: Int = 100, colour: Bool = false, showsAll: Bool = false) {
        (self.document, self.showsAll) = (document, showsAll)
        rendering = TextRendering(width: width, colour: colour)
    }

    package func render() -> String { rendering.render(Page(document, showsAll: showsAll)) }
}

/// A comparison as GitHub-flavoured Markdown, short enough for a pull request comment.
package struct ComparisonMarkdown: Sendable {
    private let document: ComparisonDocument

    package init(of document: ComparisonDocument) {
        self.document = document
    }

    package func render() -> String { MarkdownRendering(level: "###").render(Page(document)) }
}
