package import Foundation
package import Values

/// A document that a command prints as JSON, with its JSON Schema.
package protocol PrintedDocument: JSONDocument {
    /// File name without `.schema.json`.
    static var schemaFile: String { get }
}

extension PrintedDocument {
    /// The JSON Schema, which describes every field.
    ///
    /// - Throws: An error if it is not installed beside the executable.
    package static func jsonSchema() throws -> Data {
        try Data(contentsOf: Bundle.module.bundleURL.appending(path: "Schema/\(schemaFile).schema.json"))
    }
}
