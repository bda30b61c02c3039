import Report
import Results

/// Printed by `podswarm plan --shards`.
package struct SizingDocument: Equatable, Codable, Sendable, PrintedDocument {
    package static let schemaName = "podswarm.sizing"
    package static let schemaVersion = 1

    /// Varying figures are those of the busiest second.
    struct Resource: Equatable, Codable, Sendable {
        /// A raw value of ``Sizing/Resource``.
        var name: String
        /// Need of the largest shard.
        var perShard: Double
        var allShards: Double
        /// Means over the whole run; nil for a need that does not vary.
        var perShardMean: Double?
        var allShardsMean: Double?
        /// Usable amount of a machine; nil if unknown.
        var available: Double?
        /// Nil if no number is enough, or if it is unknown.
        var fewestShards: Int?

        var load: Double? { available.map { $0 > 0 ? perShard / $0 : .infinity } }
        var fits: Bool { load.map { $0 <= 1 + 1e-9 } ?? true }
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
    /// Counted individually by the bill.
    var viewersCounted: Int
    var shards: Int
    var viewersPerShard: Int
    /// As far as a machine's resources are known.
    var fits: Bool
    var limit: String?
    /// For the largest shard, given a machine's ports for each.
    var sourceAddressesPerShard: Int
    var resources: [Resource]
    var costs: [Cost]
    /// Reasons against a run of so many shards; empty for a possible run.
    package var refusals: [String]
    var warnings: [String]
    var assumptions: [String]
}
