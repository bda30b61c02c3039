import Results

/// Number of machines for an audience, as printed by `podswarm plan --shards`.
///
/// The shipped JSON Schema (`SizingDocument.jsonSchema()`) describes every field.
package struct SizingDocument: Equatable, Codable, Sendable, PrintedDocument {
    package static let schemaName = "podswarm.sizing"
    package static let schemaVersion = 1
    package static let schemaFile = "sizing"

    /// One resource; figures that vary are those of the busiest second.
    package struct Resource: Equatable, Codable, Sendable {
        /// `descriptors`, `ports`, `cores`, `memory_bytes`, `bits_per_second` or `packets_per_second`.
        package var name: String
        package var perShard: Double
        package var allShards: Double
        /// Means over the whole run; nil for a need that does not vary.
        package var perShardMean: Double?
        package var allShardsMean: Double?
        /// Usable amount of a machine; nil if unknown.
        package var available: Double?
        /// The fewest shards that this resource allows; nil if no number is enough, or if it is unknown.
        package var fewestShards: Int?

        package init(
            name: String,
            perShard: Double,
            allShards: Double,
            perShardMean: Double?,
            allShardsMean: Double?,
            available: Double?,
            fewestShards: Int?
        ) {
            self.name = name
            self.perShard = perShard
            self.allShards = allShards
            self.perShardMean = perShardMean
            self.allShardsMean = allShardsMean
            self.available = available
            self.fewestShards = fewestShards
        }
    }

    package struct Cost: Equatable, Codable, Sendable {
        package var name: String
        package var value: Double
        package var source: String

        package init(name: String, value: Double, source: String) {
            self.name = name
            self.value = value
            self.source = source
        }
    }

    package var schema = Self.schemaName
    package var schemaVersion = Self.schemaVersion
    package var podswarmVersion = PodswarmVersion.current
    package var profile: String
    package var profileDigest: String
    package var viewers: Int
    /// Viewers that the bill counted individually.
    package var viewersCounted: Int
    package var shards: Int
    package var viewersPerShard: Int
    /// Whether the largest shard fits on a machine, as far as its resources are known.
    package var fits: Bool
    /// The resource with the highest load; nil if none is known.
    package var limit: String?
    /// Source addresses that the largest shard needs, given a machine's ports for each.
    package var sourceAddressesPerShard: Int
    package var resources: [Resource]
    package var costs: [Cost]
    /// Reasons why a run of so many shards would be refused, or limited by its machines; empty for a possible run.
    package var refusals: [String]
    package var warnings: [String]
    package var assumptions: [String]

    package var isPossible: Bool { refusals.isEmpty }

    package init(
        profile: String,
        profileDigest: String,
        viewers: Int,
        viewersCounted: Int,
        shards: Int,
        viewersPerShard: Int,
        fits: Bool,
        limit: String?,
        sourceAddressesPerShard: Int,
        resources: [Resource],
        costs: [Cost],
        refusals: [String],
        warnings: [String],
        assumptions: [String]
    ) {
        self.profile = profile
        self.profileDigest = profileDigest
        self.viewers = viewers
        self.viewersCounted = viewersCounted
        self.shards = shards
        self.viewersPerShard = viewersPerShard
        self.fits = fits
        self.limit = limit
        self.sourceAddressesPerShard = sourceAddressesPerShard
        self.resources = resources
        self.costs = costs
        self.refusals = refusals
        self.warnings = warnings
        self.assumptions = assumptions
    }
}
