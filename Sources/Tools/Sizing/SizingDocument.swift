import Report
import Results

/// Number of machines for an audience, as printed by `podswarm plan --shards`.
///
/// The shipped JSON Schema (`SizingDocument.jsonSchema()`) describes every field.
package struct SizingDocument: Equatable, Codable, Sendable, PrintedDocument {
    package static let schemaName = "podswarm.sizing"
    package static let schemaVersion = 1
    package static let schemaFile = "sizing"

    /// One resource; figures that vary are those of the busiest second.
    struct Resource: Equatable, Codable, Sendable {
        /// `descriptors`, `ports`, `cores`, `memory_bytes`, `bits_per_second` or `packets_per_second`.
        var name: String
        var perShard: Double
        var allShards: Double
        /// Means over the whole run; nil for a need that does not vary.
        var perShardMean: Double?
        var allShardsMean: Double?
        /// Usable amount of a machine; nil if unknown.
        var available: Double?
        /// The fewest shards that this resource allows; nil if no number is enough, or if it is unknown.
        var fewestShards: Int?
    }

    struct Cost: Equatable, Codable, Sendable {
        var name: String
        var value: Double
        var source: String
    }

    var schema = Self.schemaName
    var schemaVersion = Self.schemaVersion
    var podswarmVersion = PodswarmVersion.current
    var profile: String
    var profileDigest: String
    var viewers: Int
    /// Viewers that the bill counted individually.
    var viewersCounted: Int
    var shards: Int
    var viewersPerShard: Int
    /// Whether the largest shard fits on a machine, as far as its resources are known.
    var fits: Bool
    /// The resource with the highest load; nil if none is known.
    var limit: String?
    /// Source addresses that the largest shard needs, given a machine's ports for each.
    var sourceAddressesPerShard: Int
    var resources: [Resource]
    var costs: [Cost]
    /// Reasons why a run of so many shards would be refused, or limited by its machines; empty for a possible run.
    package var refusals: [String]
    var warnings: [String]
    var assumptions: [String]

    package var isPossible: Bool { refusals.isEmpty }
}
