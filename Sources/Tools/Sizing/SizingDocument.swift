import CTexts
package import Profile
package import Report
import Results
import Rules
package import Swarm

/// Printed by `podswarm plan --shards`.
package struct SizingDocument: Equatable, Codable, Sendable, PrintedDocument {
    package static let schemaName = "podswarm.sizing"
    package static let schemaVersion = 1

    /// Varying figures are those of the busiest second.
    struct Resource: Equatable, Codable, Sendable {
        var name: Sizing.Resource
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
    var limit: Sizing.Resource?
    /// For the largest shard, given a machine's ports for each.
    var sourceAddressesPerShard: Int
    var resources: [Resource]
    var costs: [Cost]
    /// Reasons against a run of so many shards; empty for a possible run.
    package var refusals: [String]
    var warnings: [String]
    var assumptions: [String]
}

extension SizingDocument {
    /// A nil `shards` takes the fewest that fit.
    ///
    /// The plan's own source addresses count if it has more of them than `machine`.
    package init(
        _ plan: LoadPlan,
        bill: RunBill,
        on given: Machine,
        costs: CostTable,
        shards: Int?,
        assumptions: [String]
    ) {
        var machine = given
        machine.addresses = max(machine.addresses, Double(plan.connection.sourceAddresses.count))
        // On loopback a run adds as many source addresses as it needs.
        if plan.connection.sourceAddresses.isEmpty, ConnectionNeed(plan).isOnLoopback {
            machine.addresses = max(machine.addresses, Double(Preflight.mostLoopbackSources))
        }
        let demand = AudienceDemand(plan, bill: bill)
        let (needs, averages, usable) = (demand.needs(costs), demand.averages(costs), demand.available(machine, costs))
        let sizing = Sizing(plan.audience.viewers, needs: needs, averages: averages, available: usable, shards: shards)
        let values = Self.values(sizing, plan, demand, machine, costs)
        let connections = Double(demand.connectionsToOneServer) * Double(sizing.viewersOfShard)
        self.init(
            profile: plan.name,
            profileDigest: plan.digest,
            viewers: plan.audience.viewers,
            viewersCounted: bill.viewers.counted,
            shards: sizing.shards,
            viewersPerShard: sizing.viewersOfShard,
            fits: sizing.fits,
            limit: sizing.limit?.name,
            sourceAddressesPerShard: Int(exactly: (connections / max(machine.ports / 2, 1)).rounded(.up)) ?? .max,
            resources: sizing.lines,
            costs: Tools.Cost.allCases.map { Cost(name: $0.rawValue, value: costs[$0], source: costs.source(of: $0)) },
            refusals: TextTemplate.lines(podswarm_sizing(), values.merging(["refusals": [""]]) { $1 }),
            warnings: TextTemplate.lines(podswarm_sizing(), values.merging(["warnings": [""]]) { $1 }),
            assumptions: [
                "Each viewer keeps a connection to every server of the profile, which is what descriptors and ports are counted "
                    + "for; memory is enough for a second one where its requests coincide. Hosts that only playlists name are not known."
            ]
                + (bill.isOfSample ? ["Peaks are extrapolated from a sample and therefore too high."] : [])
                + assumptions
        )
    }

    private static func values(
        _ sizing: Sizing,
        _ plan: LoadPlan,
        _ demand: AudienceDemand,
        _ machine: Machine,
        _ costs: CostTable
    ) -> TextTemplate.Values {
        let idle = sizing.shards - plan.audience.viewers
        let usual = Double(Preflight.ownDescriptors + demand.connectionsPerViewer * sizing.viewersOfShard)
        var values: TextTemplate.Values = [
            "shards": [TextLayout.counted(sizing.shards, "shard")],
            "problem": plan.problemOfCalls(shards: sizing.shards).map { [$0] } ?? [],
            "idle": idle > 0 ? ["\(idle)"] : [],
            "tooLarge": sizing.lines.filter { !$0.fits }.map { line in
                let fitting = line.fewestShards.map {
                    "a shard needs more than a machine may give; it fits from \($0) shards on"
                }
                return "\(line.name.rawValue): \(fitting ?? "not even one viewer fits a machine")"
            },
            "usual": sizing.fits && usual > machine.descriptors ? ["\(Int(usual))"] : [],
        ]
        if case .embedded = plan.target { values.set(sizing.shards > 1 ? "several" : "single") }
        if let loops = plan.generator.loops, Double(loops) < machine.cores, sizing.isShort(of: .cores) {
            values["loops"] = ["\(loops)"]
        }
        let budget = plan.generator.maximumResidentBytes
        if Double(budget) < machine.memoryBytes * costs[.usableMemory], sizing.isShort(of: .memory) {
            values["budget"] = ["\(budget >> 20)"]
        }
        return values
    }

    package func text(_ rendering: TextRendering = TextRendering()) -> String {
        let told = refusals.map { "In the way: \($0)" } + warnings.map { "Warning: \($0)" }
        let notes: [Block?] = told.map { .said($0, .warn) }
        let shown = costs.map { "\($0.name)=\(MetricText.number($0.value)): \($0.source)" }
        let title =
            "Machines for \(profile): "
            + "\(TextLayout.counted(viewers, "viewer")) in \(TextLayout.counted(shards, "shard"))"
        let sections = [
            Section("sizing", title).showing([.said(facts), table] + notes),
            Section("assumptions", "Assumptions").showing([.list(assumptions.map { Words($0) })]),
            Section("costs", "Costs, which --cost NAME=VALUE changes").showing([.list(shown.map { Words($0) })]),
        ]
        return rendering.text(sections.flatMap(rendering.parts))
    }

    private var facts: String {
        let addresses = sourceAddressesPerShard
        var facts = [
            "up to \(TextLayout.counted(viewersPerShard, "viewer")) and "
                + "\(addresses) source address\(addresses == 1 ? "" : "es") each"
        ]
        if let limit = resources.first(where: { $0.name == limit }), let load = limit.share {
            facts.append("tightest: \(limit.title), \(load) of the limit")
        }
        return (facts + [fits ? "it fits" : "it does not fit"]).joined(separator: "; ")
    }

    private var table: Block {
        let rows = resources.flatMap { resource in
            let hasMean = resource.perShardMean != nil
            let cells = [
                resource.title + (hasMean ? ", busiest second" : ""), resource.figure(resource.perShard),
                resource.available.map(resource.figure) ?? "not said", resource.share ?? "",
                resource.figure(resource.allShards),
                resource.fewestShards.map { TextLayout.grouped($0) } ?? (resource.available == nil ? "" : "none"),
            ]
            let means = [resource.perShardMean, resource.allShardsMean].compactMap { $0.map(resource.figure) }
            let mean = means.count == 2 ? [["\(resource.title), mean", means[0], "", "", means[1], ""]] : []
            return ([cells] + mean).map { Table.Row($0.map { Words($0) }) }
        }
        let heads: [Table.Column] = ["resource", "each shard", "may use", "needed", "all shards", "fewest shards"]
        return Table("Table of resources", heads).listing(rows)
    }
}

extension SizingDocument.Resource {
    fileprivate var share: String? { available.map { $0 > 0 ? MetricText.percent(100 * perShard / $0) : "none" } }
    fileprivate var title: String { unit.title }

    /// Whole figures are rounded up.
    private var unit: (title: String, size: Double, places: Int) {
        switch name {
        case .descriptors, .ports: (name.rawValue, 1, 0)
        case .cores: (name.rawValue, 1, 2)
        case .memory: ("memory, MiB", 1_048_576, 0)
        case .bandwidth: ("Mbit/s", 1e6, 1)
        case .packets: ("packets/s", 1, 0)
        }
    }

    fileprivate func figure(_ value: Double) -> String {
        let (_, size, places) = unit
        guard places == 0 else { return MetricText.rounded(value / size, places: places) }
        return Int(exactly: (value / size).rounded(.up)).map { TextLayout.grouped($0) } ?? "too many"
    }
}
