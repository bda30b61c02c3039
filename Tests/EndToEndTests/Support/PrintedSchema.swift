import Foundation
import TestSupport

/// The JSON Schemas that `podswarm result schema` prints.
enum PrintedSchema {
    /// Complaints of a schema, by default that of a result, about a document that podswarm wrote.
    static func complaints(by option: String? = nil, about document: Data) async throws -> String {
        let printed = try await PodswarmExecutable.run(["result", "schema"] + [option].compactMap(\.self)).succeeded()
        return try ShippedSchema.complaints(by: Data(printed.output.utf8), about: document)
    }

    static func complaints(about result: URL) async throws -> String {
        try await complaints(about: Data(contentsOf: result))
    }
}
