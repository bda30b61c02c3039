package import Foundation
import JSON
import RunResult

/// What a search for the capacity of a stack came to, and everything that it was told by.
///
/// It is written after each run of the search, so that a search that was cut off goes on from it. Units stand in the names.
/// The shipped JSON Schema (`CapacityDocument.jsonSchema()`) describes every field.
package struct CapacityDocument: Equatable, StoredDocument, Sendable {
    package static let schemaName = "podswarm.capacity"
    package static let schemaVersion = 1
    package static let title = "capacity result"

    package enum State: String, Codable, Sendable {
        /// Nobody has ended it: it goes on, or was killed.
        case running
        case ended
        /// Somebody ended it before it was done.
        case interrupted
    }

    package var schema: String
    package var schemaVersion: Int
    package var podswarmVersion: String
    package var state: State
    package var answer: CapacityAnswer
    package var gaveFirst: Bottleneck?
    package var knee: KneeResult?
    package var law: LawResult?
    package var projection: ProjectionResult?
    package var peak: PeakResult?
    package var asked: CapacityQuestion
    package var search: SearchDescription
    package var runs: [CapacityRunResult]
    /// What a reader should know and nothing judges; nil where there is nothing.
    package var notes: [String]?

    package init(asked: CapacityQuestion, search: SearchDescription) {
        schema = Self.schemaName
        schemaVersion = Self.schemaVersion
        podswarmVersion = PodswarmVersion.current
        state = .running
        answer = .unknown
        self.asked = asked
        self.search = search
        runs = []
    }

    /// All breaks of all runs, in their order.
    package var breaks: [JudgedBreak] { runs.flatMap(\.breaks) }
}

extension CapacityDocument {
    /// The JSON Schema of this version's documents, as shipped.
    ///
    /// - Returns: UTF-8.
    /// - Throws: An error of the file system where the resource is missing.
    package static func jsonSchema() throws -> Data {
        try Data(contentsOf: Bundle.module.bundleURL.appending(path: "Schema/capacity.schema.json"))
    }
}
