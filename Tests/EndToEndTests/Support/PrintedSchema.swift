import Foundation
import TestSupport

/// The JSON Schemas that `podswarm result schema` prints.
enum PrintedSchema {
    /// What a schema has against a document that podswarm wrote.
    ///
    /// - Parameters:
    ///   - option: What names the schema, such as `--lint`; nil for that of a result.
    ///   - document: JSON, an object.
    ///   - change: What becomes of the document before.
    /// - Returns: A line for each mistake; empty where there is none.
    /// - Throws: Where podswarm prints no schema, or what is compared is no JSON.
    static func complaints(
        by option: String? = nil,
        about document: Data,
        _ change: (inout [String: Any]) -> Void = { _ in }
    ) async throws -> String {
        let printed = try await PodswarmExecutable.run(["result", "schema"] + [option].compactMap(\.self))
        guard printed.status == 0 else { throw ChildProcess.Failure(end: printed) }
        return try ShippedSchema.complaints(by: Data(printed.output.utf8), about: document, change)
    }
}
