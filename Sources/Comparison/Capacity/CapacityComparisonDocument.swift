package import Results
import Values

/// Versioned result of a comparison between the capacities of two releases.
package struct CapacityComparisonDocument: Equatable, Codable, JSONDocument, Sendable {
    package static let schemaName = "podswarm.capacity-comparison"
    package static let schemaVersion = 1

    package struct Search: Equatable, Codable, Sendable {
        package var path: String
        package var profile: String
        package var target: String
        package var labels: [String: String]
        package var startedAtMicroseconds: Int64
        package var kind: CapacityAnswer.Kind
        package var value: Double?
        package var lower: Double?
        package var upper: Double?
        package var leftOut: String?
    }

    package struct Side: Equatable, Codable, Sendable {
        /// Display name: the label that all searches of only this side share, or else the input.
        package var title: String
        package var inputs: [String]
        /// Oldest first.
        package var searches: [Search]
        /// Combined estimate of the searches that count, with a 90 % interval; nil if none counts.
        package var estimate: LawResult.Figure?
    }

    package struct Ratio: Equatable, Codable, Sendable {
        package var value: Double
        package var lower: Double
        package var upper: Double
        package var intervalPercent: Double
    }

    package var schema: String = schemaName
    package var schemaVersion: Int = Self.schemaVersion
    package var podswarmVersion: String = PodswarmVersion.current
    package var verdict: ComparisonVerdict
    package var text: String
    /// `viewers` or `ms`.
    package var unit: String
    /// Nil if the sides are not comparable.
    package var ratio: Ratio?
    /// A ratio must be surely above this for "no regression"; above 1 if less is better.
    package var decidedFrom: Double
    package var base: Side
    package var candidate: Side
    package var comparability: Comparability
    /// Remarks for the reader, as sentences.
    package var notes: [String] = []
}
