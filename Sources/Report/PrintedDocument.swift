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

/// A page of a stored result of either kind.
package enum StoredResult {
    package static func html(of json: Data) throws -> String {
        guard !CapacityDocument.isNamed(in: json) else { return try CapacityDocument(json: json).html() }
        return try ResultDocument(json: json).html()
    }
}
