package struct Sizing: Sendable, Equatable {
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

    /// Resource need: a fixed part plus a part per viewer.
    package struct Need: Sendable, Equatable {
        package var fixed: Double
        package var perViewer: Double

        package func of(_ viewers: Int) -> Double { fixed + perViewer * Double(viewers) }

        /// The most viewers that fit; 0 if not even the fixed part fits.
        ///
        /// Rounding errors are tolerated.
        package func viewers(within capacity: Double) -> Int {
            guard capacity >= fixed else { return 0 }
            guard perViewer > 0 else { return .max }
            return Int(exactly: ((capacity - fixed) / perViewer * (1 + 1e-9)).rounded(.down)) ?? .max
        }
    }

    package struct Line: Sendable, Equatable {
        package var resource: Resource
        /// Need of the largest shard.
        package var needed: Double
        package var neededByAll: Double
        /// Usable amount; nil if unknown.
        package var available: Double?
        /// The fewest shards that this resource allows; nil if no number is enough, or if it is unknown.
        package var fewestShards: Int?

        package var load: Double? { available.map { $0 > 0 ? needed / $0 : .infinity } }
        package var fits: Bool { load.map { $0 <= 1 + 1e-9 } ?? true }
    }

    package let shards: Int
    /// Viewers of the largest shard: they are distributed in turn.
    package let viewersOfShard: Int
    package let lines: [Line]

    /// Divides an audience of at least 1; a nil `shards` takes the fewest that fit, or one if no number fits.
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

    /// The resource with the highest load; nil if none is known.
    package var limit: Line? {
        lines.filter { $0.load != nil }.max { ($0.load ?? 0) < ($1.load ?? 0) }
    }

    package func isShort(of resource: Resource) -> Bool {
        limit?.resource == resource || lines.contains { $0.resource == resource && !$0.fits }
    }

    /// Resources that do not fit with any number of shards.
    package var impossible: [Line] { lines.filter { $0.available != nil && $0.fewestShards == nil } }
}
