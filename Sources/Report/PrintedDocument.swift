package import Foundation
package import Values

/// A document that a command prints as JSON.
package protocol PrintedDocument: JSONDocument {
    /// File name of the `SchemaTable`, without `.fields`.
    static var schemaFile: String { get }
}

extension PrintedDocument {
    /// Throws if it is not installed beside the executable.
    package static func jsonSchema() throws -> Data {
        try SchemaTable.json(at: Bundle.module.bundleURL.appending(path: "Schema/\(schemaFile).fields"))
    }
}
