package import Foundation
package import JSON
import RunResult

/// What a search for the capacity of a stack came to, and everything that it was told by.
///
/// It is written after each run of the search, so that a search that was cut off goes on from it. Units stand in the names.
/// The shipped JSON Schema (`CapacityDocument.jsonSchema()`) describes every field.
package struct CapacityDocument: Equatable, Codable, Sendable {
    package static let schemaName = "podswarm.capacity"
    package static let schemaVersion = 1

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

    private enum CodingKeys: String, CodingKey {
        case schema
        case schemaVersion = "schema_version"
        case podswarmVersion = "podswarm_version"
        case state
        case answer
        case gaveFirst = "gave_first"
        case knee
        case law
        case projection
        case peak
        case asked
        case search
        case runs
        case notes
    }
}

extension CapacityDocument {
    /// Why bytes are no capacity document of this version.
    package enum ReadingError: Error, Equatable, CustomStringConvertible {
        case unbounded(JSONError)
        case otherDocument(schema: String)
        case otherVersion(Int)

        package var description: String {
            switch self {
            case .unbounded(let excess): "it is more than a capacity result may be: \(excess)"
            case .otherDocument(let schema): "it is no capacity result but '\(schema.prefix(64))'"
            case .otherVersion(let version):
                "it is a capacity result of version \(version), which this podswarm does not know"
            }
        }
    }

    private struct Heading: Decodable {
        var schema: String
        var schemaVersion: Int

        enum CodingKeys: String, CodingKey {
            case schema
            case schemaVersion = "schema_version"
        }
    }

    /// Whether bytes call themselves a capacity result, of whatever version; damaged ones may.
    package static func isNamed(in json: Data) -> Bool {
        guard json.withUnsafeBytes({ JSONLimits.result.excess(of: $0) }) == nil else { return false }
        return (try? JSONDecoder().decode(Heading.self, from: json))?.schema == schemaName
    }

    /// The document as it is written.
    ///
    /// - Returns: UTF-8, the same for the same document.
    package func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        var data = try encoder.encode(self)
        data.append(0x0a)
        return data
    }

    /// Reads a document back.
    ///
    /// - Parameter json: UTF-8, as `json()` gives it.
    /// - Throws: `ReadingError` for another document or version, `DecodingError` for a damaged one.
    package init(json: Data) throws {
        if let excess = json.withUnsafeBytes({ JSONLimits.result.excess(of: $0) }) {
            throw ReadingError.unbounded(excess)
        }
        let decoder = JSONDecoder()
        let heading = try decoder.decode(Heading.self, from: json)
        guard heading.schema == Self.schemaName else { throw ReadingError.otherDocument(schema: heading.schema) }
        guard heading.schemaVersion == Self.schemaVersion else {
            throw ReadingError.otherVersion(heading.schemaVersion)
        }
        self = try decoder.decode(Self.self, from: json)
    }

    /// The JSON Schema of this version's documents, as shipped.
    ///
    /// - Returns: UTF-8.
    /// - Throws: An error of the file system where the resource is missing.
    package static func jsonSchema() throws -> Data {
        try Data(contentsOf: Bundle.module.bundleURL.appending(path: "Schema/capacity.schema.json"))
    }
}
