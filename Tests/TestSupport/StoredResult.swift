package import Foundation
import Testing

/// Results and capacity results as files: real documents with other figures in them.
package struct StoredResult {
    package typealias Fields = [String: Any]

    private let document: Fields

    package init(_ file: URL = GoldenFile.result) throws {
        document = try #require(try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? Fields)
    }

    /// A document in which some fields are others, in UTF-8.
    ///
    /// Keys are the names on the way to the values, such as `run.labels`; nil takes one away.
    package func json(_ changes: [String: Any?] = [:]) throws -> Data {
        var document = document
        for (path, value) in changes.sorted(by: { $0.key < $1.key }) {
            Self.put(value, at: path.split(separator: ".").map(String.init)[...], in: &document)
        }
        return try JSONSerialization.data(withJSONObject: document, options: [.sortedKeys])
    }

    private static func put(_ value: Any?, at path: ArraySlice<String>, in fields: inout Fields) {
        guard let name = path.first else { return }
        guard path.count > 1 else {
            fields[name] = value
            return
        }
        var inner = fields[name] as? Fields ?? [:]
        put(value, at: path.dropFirst(), in: &inner)
        fields[name] = inner
    }
}
