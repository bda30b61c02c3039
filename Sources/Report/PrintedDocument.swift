package import Foundation
package import JSON

/// A document that a command prints as JSON, with the JSON Schema that every such document satisfies.
package protocol PrintedDocument: JSONDocument {
    /// What the schema's file is called, without `.schema.json`.
    static var schemaFile: String { get }
}

extension PrintedDocument {
    /// The JSON Schema, which describes every field.
    ///
    /// - Returns: Its text.
    /// - Throws: Where it is not installed beside the executable.
    package static func jsonSchema() throws -> Data {
        try Data(contentsOf: Bundle.module.bundleURL.appending(path: "Schema/\(schemaFile).schema.json"))
    }
}
