package import Profile
import Report
import Results
package import Swarm

package struct SizingReport: Sendable {
    private let plan: LoadPlan
    private let machine: Machine
    private let costs: CostTable

    /// The plan's own source addresses count if it has more of them than `machine`.
    package init(_ plan: LoadPlan, machine: Machine, costs: CostTable) {
        self.plan = plan
        var machine = machine
        machine.addresses = max(machine.addresses, Double(plan.connection.sourceAddresses.count))
        // On loopback a run adds as many source addresses as it needs.
        if plan.connection.sourceAddresses.isEmpty, ConnectionNeed(plan).isOnLoopback {
            machine.addresses = max(machine.addresses, Double(Preflight.mostLoopbackSources))
        }
        self.machine = machine
        self.costs = costs
    }

    /// A nil `shards` takes the fewest that fit.
    package func document(of bill: RunBill, shards: Int?, assumptions: [String]) -> SizingDocument {
        let demand = AudienceDemand(plan, bill: bill)
        let sizing = Sizing(
            plan.audience.viewers,
            needs: demand.needs(costs),
            averages: demand.averages(costs),
            available: demand.available(machine, costs),
            shards: shards
        )
        let connections = Double(demand.connectionsToOneServer) * Double(sizing.viewersOfShard)
        return SizingDocument(
            profile: plan.name,
            profileDigest: plan.digest,
            viewers: plan.audience.viewers,
            viewersCounted: bill.counted,
            shards: sizing.shards,
            viewersPerShard: sizing.viewersOfShard,
            fits: sizing.fits,
            limit: sizing.limit?.name,
            sourceAddressesPerShard: Int(exactly: (connections / max(machine.ports / 2, 1)).rounded(.up)) ?? .max,
            resources: sizing.lines,
            costs: Cost.allCases.map { cost in
                SizingDocument.Cost(name: cost.rawValue, value: costs[cost], source: costs.source(of: cost))
            },
            refusals: refusals(sizing),
            warnings: warnings(sizing, demand),
            assumptions: Self.assumptions(bill) + assumptions
        )
    }

    private func refusals(_ sizing: Sizing) -> [String] {
        var refusals: [String] = []
        if case .embedded = plan.target, sizing.shards > 1 {
            refusals.append(
                "a run of several shards is refused while the target is the embedded origin, for each would start its own: "
                    + "name a target that all of them reach, such as a podswarm origin of its own"
            )
        }
        if let problem = plan.problemOfCalls(shards: sizing.shards) {
            refusals.append("a run of \(sizing.shards) shards is refused: \(problem)")
        }
        if sizing.shards > plan.audience.viewers {
            let idle = sizing.shards - plan.audience.viewers
            refusals.append("\(idle) of the shards have no viewer, and such a run is refused")
        }
        for line in sizing.lines where !line.fits {
            let name = line.name
            refusals.append(
                line.fewestShards.map {
                    "\(name): a shard needs more than a machine may give; it fits from \($0) shards on"
                }
                    ?? "\(name): not even one viewer fits a machine"
            )
        }
        return refusals
    }

    private func warnings(_ sizing: Sizing, _ demand: AudienceDemand) -> [String] {
        var warnings: [String] = []
        let usual = Double(Preflight.ownDescriptors + demand.connectionsPerViewer * sizing.viewersOfShard)
        if sizing.fits, usual > machine.descriptors {
            warnings.append(
                "descriptors: a shard fits with one connection of each viewer to each server; a second one where its requests "
                    + "coincide takes \(Int(usual))"
            )
        }
        if case .embedded = plan.target, sizing.shards == 1 {
            warnings.append("the embedded origin is a process beside the shard; what it needs is not in these figures")
        }
        if let loops = plan.generator.loops, Double(loops) < machine.cores, sizing.isShort(of: .cores) {
            warnings.append("the profile's generator.loops keeps a shard to \(loops) of a machine's cores")
        }
        let budget = plan.generator.maximumResidentBytes
        if Double(budget) < machine.memoryBytes * costs[.usableMemory], sizing.isShort(of: .memory) {
            let mebibytes = plan.generator.maximumResidentBytes >> 20
            warnings.append(
                "the profile's generator.maximumMemory lets a shard use \(mebibytes) MiB of a machine's memory"
            )
        }
        return warnings
    }

    private static func assumptions(_ bill: RunBill) -> [String] {
        var texts = [
            "Each viewer keeps a connection to every server of the profile, which is what descriptors and ports are counted "
                + "for; memory is enough for a second one where its requests coincide. Hosts that only playlists name are not known."
        ]
        if bill.counted < bill.planned {
            texts.append("Peaks are extrapolated from a sample and therefore too high.")
        }
        return texts
    }
}

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
