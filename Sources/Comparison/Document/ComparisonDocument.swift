package import Foundation
import JSON
import RunResult

/// The versioned outcome of a comparison between the runs of two releases.
///
/// Units stand in the names: `_us` microseconds, `_percent` 0 to 100, `_points` percentage points. The shipped JSON
/// Schema (`ComparisonDocument.jsonSchema()`) describes every field.
package struct ComparisonDocument: Equatable, Codable, JSONDocument, Sendable {
    package static let schemaName = "podswarm.comparison"
    package static let schemaVersion = 1

    package var schema: String
    package var schemaVersion: Int
    package var podswarmVersion: String
    package var verdict: ComparisonVerdict
    /// How the verdict was reached, with every limit that was declared beforehand.
    package var method: ComparisonMethod
    package var base: ComparedSide
    package var candidate: ComparedSide
    package var comparability: Comparability
    /// Gating metrics first, then the informational ones, each group in the order of `MetricCatalogue`.
    package var metrics: [MetricComparison]
    /// Punctuality first, then the errors of each request kind.
    package var rates: [RateComparison]
    /// New ones first, then the gravest.
    package var findings: [FindingComparison]
    /// What single runs can say at most; nil with more than one run on either side.
    package var withinRun: WithinRunComparison?
    /// Percentile curves of the gating metrics' distributions; empty where they were not asked for.
    package var curves: [CurveComparison]
    /// What a reader should know beside the figures, as sentences.
    package var notes: [String]

    package init(
        verdict: ComparisonVerdict,
        method: ComparisonMethod,
        base: ComparedSide,
        candidate: ComparedSide,
        comparability: Comparability,
        metrics: [MetricComparison] = [],
        rates: [RateComparison] = [],
        findings: [FindingComparison] = [],
        withinRun: WithinRunComparison? = nil,
        curves: [CurveComparison] = [],
        notes: [String] = []
    ) {
        schema = Self.schemaName
        schemaVersion = Self.schemaVersion
        podswarmVersion = PodswarmVersion.current
        self.verdict = verdict
        self.method = method
        self.base = base
        self.candidate = candidate
        self.comparability = comparability
        self.metrics = metrics
        self.rates = rates
        self.findings = findings
        self.withinRun = withinRun
        self.curves = curves
        self.notes = notes
    }
}

extension ComparisonDocument {
    /// The JSON Schema of this version's documents, as shipped.
    ///
    /// - Returns: UTF-8.
    /// - Throws: An error of the file system where the resource is missing.
    package static func jsonSchema() throws -> Data {
        try Data(contentsOf: Bundle.module.bundleURL.appending(path: "Schema/comparison.schema.json"))
    }
}
