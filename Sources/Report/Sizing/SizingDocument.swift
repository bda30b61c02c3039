import RunResult

/// How many machines of a kind an audience needs, as `podswarm plan --shards` prints it.
///
/// The shipped JSON Schema (`SizingDocument.jsonSchema()`) describes every field.
package struct SizingDocument: Equatable, Codable, Sendable, PrintedDocument {
    package static let schemaName = "podswarm.sizing"
    package static let schemaVersion = 1
    package static let schemaFile = "sizing"

    /// One resource; figures are of the busiest second where they differ from second to second.
    package struct Resource: Equatable, Codable, Sendable {
        /// `descriptors`, `ports`, `cores`, `memory_bytes`, `bits_per_second` or `packets_per_second`.
        package var name: String
        /// Of the largest shard.
        package var perShard: Double
        package var allShards: Double
        /// The same over the whole run; nil for what does not change from second to second.
        package var perShardMean: Double?
        package var allShardsMean: Double?
        /// What may be used of a machine; nil where nobody said what it has.
        package var available: Double?
        /// The fewest shards that this resource allows; nil where no number is enough or nothing is said.
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

    /// A cost that the figures stand on.
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
    /// How many of them the bill counted one by one.
    package var viewersCounted: Int
    package var shards: Int
    /// Of the largest shard.
    package var viewersPerShard: Int
    /// Whether a machine has room for the largest shard, as far as is said what it has.
    package var fits: Bool
    /// The resource that a machine has the least room of; nil where nothing is said.
    package var limit: String?
    /// Source addresses that the largest shard needs, with the ports that a machine has for each.
    package var sourceAddressesPerShard: Int
    package var resources: [Resource]
    package var costs: [Cost]
    /// Why a run of so many shards would be refused, or would be its own limit; empty for one that can be made.
    package var refusals: [String]
    package var warnings: [String]
    package var assumptions: [String]

    /// Whether nothing speaks against a run of so many shards.
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
