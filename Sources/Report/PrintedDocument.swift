package import Foundation
package import Values

/// A document that a command prints as JSON, with its JSON Schema.
package protocol PrintedDocument: JSONDocument {
    /// File name of the `SchemaTable`, without `.fields`.
    static var schemaFile: String { get }
}

extension PrintedDocument {
    /// The JSON Schema, which describes every field.
    ///
    /// - Throws: An error if it is not installed beside the executable.
    package static func jsonSchema() throws -> Data {
        try SchemaTable.json(at: Bundle.module.bundleURL.appending(path: "Schema/\(schemaFile).fields"))
    }
}
