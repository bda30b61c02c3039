import Comparison
package import Foundation
import Results
package import Values

/// A document that a command prints as JSON.
package protocol PrintedDocument: JSONDocument {
    /// Also the name of the `SchemaTable`, behind `podswarm.`.
    static var schemaName: String { get }
}

extension PrintedDocument {
    /// Throws if it is not installed beside the executable.
    package static func jsonSchema() throws -> Data {
        let name = schemaName.dropFirst("podswarm.".count)
        return try SchemaTable.json(at: Bundle.module.bundleURL.appending(path: "Schema/\(name).fields"))
    }
}

extension CapacityDocument: PrintedDocument {}
extension ComparisonDocument: PrintedDocument {}
extension ResultDocument: PrintedDocument {}

/// A document that is read as a page.
package protocol PagedDocument {
    var page: Page { get }
}

extension PagedDocument {
    package func text(_ rendering: TextRendering = TextRendering()) -> String { rendering.render(page) }

    /// Short enough for a pull request comment.
    package var markdown: String { MarkdownRendering(level: "###").render(page) }

    /// Self-contained, with inline SVG; throws if its style or script is not installed.
    package func html() throws -> String { try page.html() }
}

/// A page of a stored result of either kind.
package enum StoredResult {
    package static func html(of json: Data) throws -> String {
        try CapacityDocument.isNamed(in: json) ? CapacityDocument(json: json).html() : ResultDocument(json: json).html()
    }
}
