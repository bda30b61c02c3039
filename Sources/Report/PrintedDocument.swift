package import Foundation

/// A document that a command prints as JSON, with the JSON Schema that every such document satisfies.
package protocol PrintedDocument: Encodable {
    /// What the schema's file is called, without `.schema.json`.
    static var schemaFile: String { get }
}

extension PrintedDocument {
    /// The document as it is printed.
    ///
    /// - Returns: UTF-8 with sorted keys, ended by a line feed.
    /// - Throws: An encoding error.
    package func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self) + Data("\n".utf8)
    }

    /// The JSON Schema, which describes every field.
    ///
    /// - Returns: Its text.
    /// - Throws: Where it is not installed beside the executable.
    package static func jsonSchema() throws -> Data {
        try Data(contentsOf: Bundle.module.bundleURL.appending(path: "Schema/\(schemaFile).schema.json"))
    }
}
