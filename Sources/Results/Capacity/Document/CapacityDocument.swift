package import Foundation
import Values

/// Result of a search for the capacity of a stack, with all the data that it is based on.
///
/// It is written after each run, so that an interrupted search can continue from it. Units are in the names. The shipped JSON
/// Schema (`CapacityDocument.jsonSchema()`) describes every field.
package struct CapacityDocument: Equatable, StoredDocument, Sendable {
    package static let schemaName = "podswarm.capacity"
    package static let schemaVersion = 1
    package static let title = "capacity result"

    package enum State: String, Codable, Sendable {
        /// Still going on, or killed.
        case running
        case ended
        /// Ended by the user before it was done.
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
    /// Remarks without a verdict; nil if there are none.
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

    package var breaks: [JudgedBreak] { runs.flatMap(\.breaks) }
}

extension CapacityDocument {
    /// The shipped JSON Schema of this version's documents, in UTF-8.
    ///
    /// - Throws: An error of the file system if the resource is missing.
    package static func jsonSchema() throws -> Data {
        try SchemaTable.json(at: Bundle.module.bundleURL.appending(path: "Schema/capacity.fields"))
    }
}
