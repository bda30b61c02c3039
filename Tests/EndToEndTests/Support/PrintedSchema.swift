import Foundation
import TestSupport

/// The JSON Schemas that `podswarm result schema` prints.
enum PrintedSchema {
    /// What a schema, by default that of a result, has against a document that podswarm wrote.
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
