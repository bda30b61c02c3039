package import Foundation
import Results
import Values

/// Versioned result of a comparison between the runs of two releases.
///
/// Units are in the names: `_us` microseconds, `_percent` 0 to 100, `_points` percentage points. The shipped JSON Schema
/// (`ComparisonDocument.jsonSchema()`) describes every field.
package struct ComparisonDocument: Equatable, Codable, JSONDocument, Sendable {
    package static let schemaName = "podswarm.comparison"
    package static let schemaVersion = 1

    package var schema: String = schemaName
    package var schemaVersion: Int = Self.schemaVersion
    package var podswarmVersion: String = PodswarmVersion.current
    package var verdict: ComparisonVerdict
    /// Method of the verdict, with every limit that was declared in advance.
    package var method: ComparisonMethod
    package var base: ComparedSide
    package var candidate: ComparedSide
    package var comparability: Comparability
    /// Gating metrics first, then the informational ones, each in the order of `MetricCatalogue`.
    package var metrics: [MetricComparison] = []
    /// Punctuality first, then the errors of each request kind.
    package var rates: [RateComparison] = []
    /// New ones first, then by severity.
    package var findings: [FindingComparison] = []
    /// Comparison of single runs; nil with more than one run on either side.
    package var withinRun: WithinRunComparison?
    /// Percentile curves of the gating metrics; empty unless requested.
    package var curves: [CurveComparison] = []
    /// Remarks for the reader, as sentences.
    package var notes: [String] = []
}

extension ComparisonDocument {
    /// The shipped JSON Schema of this version's documents, in UTF-8.
    ///
    /// - Throws: An error of the file system if the resource is missing.
    package static func jsonSchema() throws -> Data {
        try SchemaTable.json(at: Bundle.module.bundleURL.appending(path: "Schema/comparison.fields"))
    }
}
