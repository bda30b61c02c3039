/// How many machines of a kind an audience needs, and what each of them then has to carry.
package struct Sizing: Sendable, Equatable {
    /// What may be the limit of a machine.
    package enum Resource: String, CaseIterable, Sendable {
        case descriptors
        case ports
        /// In the busiest second.
        case cores
        case memory
        /// Bits of the busiest second, in one direction.
        case bandwidth
        /// Packets of the busiest second.
        case packets
    }

    /// What is needed of a resource: something whoever watches, and as much again for each viewer.
    package struct Need: Sendable, Equatable {
        package var fixed: Double
        package var perViewer: Double

        package init(fixed: Double, perViewer: Double) {
            self.fixed = fixed
            self.perViewer = perViewer
        }

        package func of(_ viewers: Int) -> Double { fixed + perViewer * Double(viewers) }

        /// The most viewers that fit.
        ///
        /// - Parameter capacity: What there is; the remainder of a division by rounding does not count against it.
        /// - Returns: 0 where not even the fixed part fits.
        package func viewers(within capacity: Double) -> Int {
            guard capacity >= fixed else { return 0 }
            guard perViewer > 0 else { return .max }
            return Int(exactly: ((capacity - fixed) / perViewer * (1 + 1e-9)).rounded(.down)) ?? .max
        }
    }

    /// One resource of one machine.
    package struct Line: Sendable, Equatable {
        package var resource: Resource
        /// Of the largest shard.
        package var needed: Double
        /// Of all shards.
        package var neededByAll: Double
        /// What may be used of it; nil where nobody said.
        package var available: Double?
        /// The fewest shards that this resource allows; nil where no number of them is enough, or nothing is said.
        package var fewestShards: Int?

        /// What is needed of what there is.
        package var load: Double? { available.map { $0 > 0 ? needed / $0 : .infinity } }
        package var fits: Bool { load.map { $0 <= 1 + 1e-9 } ?? true }
    }

    package let shards: Int
    /// Viewers of the largest shard: they are dealt out in turn.
    package let viewersOfShard: Int
    package let lines: [Line]

    /// Divides an audience.
    ///
    /// - Parameters:
    ///   - viewers: Of all shards, at one time; at least 1.
    ///   - needs: What they need.
    ///   - available: What one machine has of it.
    ///   - shards: How many; nil takes the fewest that fit, and one where no number of them would.
    package init(_ viewers: Int, needs: [Resource: Need], available: [Resource: Double], shards: Int? = nil) {
        var fewest: [Resource: Int] = [:]
        for (resource, need) in needs {
            guard let capacity = available[resource] else { continue }
            let fitting = need.viewers(within: capacity)
            guard fitting > 0 else { continue }
            fewest[resource] = viewers / fitting + (viewers.isMultiple(of: fitting) ? 0 : 1)
        }
        let count = max(shards ?? fewest.values.max() ?? 1, 1)
        let share = viewers / count + (viewers.isMultiple(of: count) ? 0 : 1)
        self.shards = count
        viewersOfShard = share
        lines = Resource.allCases.compactMap { resource in
            needs[resource].map { need in
                Line(
                    resource: resource,
                    needed: need.of(share),
                    neededByAll: need.fixed * Double(min(count, viewers)) + need.perViewer * Double(viewers),
                    available: available[resource],
                    fewestShards: available[resource] == nil ? nil : fewest[resource]
                )
            }
        }
    }

    package var fits: Bool { lines.allSatisfy(\.fits) }

    /// What a machine has the least room of; nil where nothing is said of any.
    package var limit: Line? {
        lines.filter { $0.load != nil }.max { ($0.load ?? 0) < ($1.load ?? 0) }
    }

    /// Whether a resource is the limit, or does not fit.
    ///
    /// - Parameter resource: Any.
    /// - Returns: False where nothing is said of it.
    package func isShort(of resource: Resource) -> Bool {
        limit?.resource == resource || lines.contains { $0.resource == resource && !$0.fits }
    }

    /// What even the smallest share of the audience does not fit into.
    package var impossible: [Line] { lines.filter { $0.available != nil && $0.fewestShards == nil } }
}
