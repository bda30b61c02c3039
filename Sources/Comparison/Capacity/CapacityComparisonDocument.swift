package import CapacityResult
import JSON
import RunResult

/// The versioned outcome of a comparison between the capacities of two releases.
package struct CapacityComparisonDocument: Equatable, Codable, JSONDocument, Sendable {
    package static let schemaName = "podswarm.capacity-comparison"
    package static let schemaVersion = 1

    /// One search of a side.
    package struct Search: Equatable, Codable, Sendable {
        package var path: String
        package var profileName: String
        package var target: String
        package var labels: [String: String]
        package var startedAtMicroseconds: Int64
        package var kind: CapacityAnswer.Kind
        package var value: Double?
        package var lower: Double?
        package var upper: Double?
        /// Why it says nothing certain; nil where it counts.
        package var leftOut: String?

        private enum CodingKeys: String, CodingKey {
            case path
            case profileName = "profile"
            case target
            case labels
            case startedAtMicroseconds = "started_at_us"
            case kind
            case value
            case lower
            case upper
            case leftOut = "left_out"
        }
    }

    package struct Side: Equatable, Codable, Sendable {
        /// For people: the label that all its searches share and the other side's do not, or what was asked for.
        package var title: String
        package var inputs: [String]
        /// Oldest first.
        package var searches: [Search]
        /// What those that count say together, with a 90 % interval; nil where none does.
        package var estimate: LawResult.Figure?
    }

    /// The candidate's capacity by the base's.
    package struct Ratio: Equatable, Codable, Sendable {
        package var value: Double
        package var lower: Double
        package var upper: Double
        package var intervalPercent: Double
    }

    package var schema: String
    package var schemaVersion: Int
    package var podswarmVersion: String
    package var verdict: ComparisonVerdict
    /// The verdict in a sentence.
    package var text: String
    /// In what both are: `viewers` or `ms`.
    package var unit: String
    /// Nil where the sides cannot be held against each other.
    package var ratio: Ratio?
    /// A ratio that is not surely above this is not called the same; below 1, or above it where less is better.
    package var decidedFrom: Double
    package var base: Side
    package var candidate: Side
    package var comparability: Comparability
    /// What a reader should know beside the figures, as sentences.
    package var notes: [String]

    package init(
        verdict: ComparisonVerdict,
        text: String,
        unit: String,
        ratio: Ratio?,
        decidedFrom: Double,
        base: Side,
        candidate: Side,
        comparability: Comparability,
        notes: [String] = []
    ) {
        schema = Self.schemaName
        schemaVersion = Self.schemaVersion
        podswarmVersion = PodswarmVersion.current
        self.verdict = verdict
        self.text = text
        self.unit = unit
        self.ratio = ratio
        self.decidedFrom = decidedFrom
        self.base = base
        self.candidate = candidate
        self.comparability = comparability
        self.notes = notes
    }
}
