import Profile
import Swarm
import Values

struct Sizing: Sendable, Equatable {
    /// Raw values are names in a document; cores, bandwidth (one direction) and packets are those of the busiest second.
    enum Resource: String, CaseIterable, Codable, Sendable {
        case descriptors
        case ports
        case cores
        case memory = "memory_bytes"
        case bandwidth = "bits_per_second"
        case packets = "packets_per_second"
    }

    /// Resource need: a fixed part plus a part per viewer.
    struct Need: Sendable, Equatable {
        var fixed: Double
        var perViewer: Double

        func of(_ viewers: Int) -> Double { fixed + perViewer * Double(viewers) }

        /// Most viewers that fit, rounding errors tolerated; 0 if not even the fixed part fits.
        func viewers(within capacity: Double) -> Int {
            guard capacity >= fixed else { return 0 }
            guard perViewer > 0 else { return .max }
            return Int(exactly: ((capacity - fixed) / perViewer * (1 + 1e-9)).rounded(.down)) ?? .max
        }
    }

    let shards: Int
    /// The largest shard: viewers are distributed in turn.
    let viewersOfShard: Int
    let lines: [SizingDocument.Resource]

    /// A nil `shards` takes the fewest that fit, or one if no number fits.
    ///
    /// `averages` are the needs' means over the run.
    init(
        _ viewers: Int,
        needs: [Resource: Need],
        averages: [Resource: Need] = [:],
        available: [Resource: Double],
        shards: Int? = nil
    ) {
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
                SizingDocument.Resource(
                    name: resource,
                    perShard: need.of(share),
                    allShards: need.fixed * Double(min(count, viewers)) + need.perViewer * Double(viewers),
                    perShardMean: averages[resource]?.of(share),
                    allShardsMean: averages[resource].map { $0.fixed * Double(count) + $0.perViewer * Double(viewers) },
                    available: available[resource],
                    fewestShards: available[resource] == nil ? nil : fewest[resource]
                )
            }
        }
    }

    var fits: Bool { lines.allSatisfy(\.fits) }

    /// Highest load; nil if none is known.
    var limit: SizingDocument.Resource? { lines.filter { $0.load != nil }.max { ($0.load ?? 0) < ($1.load ?? 0) } }

    func isShort(of resource: Resource) -> Bool {
        limit?.name == resource || lines.contains { $0.name == resource && !$0.fits }
    }
}

/// Demand on the machines that generate the load.
struct AudienceDemand: Sendable {
    var viewers: Int
    /// One to each server: with fewer the run is refused.
    var leastConnectionsPerViewer: Int
    /// Includes additional connections for coinciding requests.
    var connectionsPerViewer: Int
    var connectionsToOneServer: Int
    var isSecure: Bool
    /// Mean over the whole run.
    var meanSecond: RunBill.Second
    /// Most requests, most answered bytes, and most joins.
    var busySeconds: [RunBill.Second]
    /// Nil for one per core.
    var loops: Int?
    var memoryBudgetBytes = Double.infinity

    /// Share of one machine that a shard may use; unknown resources are absent.
    func available(_ machine: Machine, _ costs: CostTable) -> [Sizing.Resource: Double] {
        var available: [Sizing.Resource: Double] = [
            .descriptors: machine.descriptors,
            .ports: machine.ports * machine.addresses,
            .cores: min(machine.cores, loops.map(Double.init) ?? .infinity) * costs[.usableCores],
            .memory: min(machine.memoryBytes * costs[.usableMemory], memoryBudgetBytes),
        ]
        available[.bandwidth] = machine.bitsPerSecond
        available[.packets] = machine.packetsPerSecond
        return available
    }

    func needs(_ costs: CostTable) -> [Sizing.Resource: Sizing.Need] {
        let perConnection = isSecure ? costs[.memoryBytesPerSecureConnection] : 0
        let perViewer = costs[.memoryBytesPerViewer] + perConnection * Double(connectionsPerViewer)
        let lasting: [Sizing.Resource: Sizing.Need] = [
            .descriptors: .init(fixed: Double(Preflight.ownDescriptors), perViewer: Double(leastConnectionsPerViewer)),
            .ports: .init(fixed: 0, perViewer: 1),
            .memory: .init(fixed: costs[.memoryBytesOfProcess], perViewer: perViewer),
        ]
        return lasting.merging(varying(busySeconds, costs)) { lasting, _ in lasting }
    }

    /// Means over the whole run: cores, bandwidth and packets.
    func averages(_ costs: CostTable) -> [Sizing.Resource: Sizing.Need] { varying([meanSecond], costs) }

    /// For the greatest need among the seconds.
    private func varying(_ seconds: [RunBill.Second], _ costs: CostTable) -> [Sizing.Resource: Sizing.Need] {
        func need(fixed: Double = 0, _ ofAll: (RunBill.Second, CostTable) -> Double) -> Sizing.Need {
            let most = seconds.map { ofAll($0, costs) }.max() ?? 0
            return Sizing.Need(fixed: fixed, perViewer: most / Double(max(viewers, 1)))
        }
        return [.cores: need(fixed: costs[.coresOfProcess], cores), .bandwidth: need(bits), .packets: need(packets)]
    }

    private func cores(_ second: RunBill.Second, _ costs: CostTable) -> Double {
        let request = costs[.cpuMicrosecondsPerRequest] + (isSecure ? costs[.cpuMicrosecondsPerSecureRequest] : 0)
        let body = costs[.cpuMicrosecondsPerKilobyte] * costs[.bodyFactor] / 1_000
        let handshake = isSecure ? costs[.cpuMicrosecondsPerHandshake] * Double(connectionsPerViewer) : 0
        return (second.requests * request + second.bodyBytes * body + second.joins * handshake) / 1e6
    }

    private func bits(_ second: RunBill.Second, _ costs: CostTable) -> Double {
        (second.bodyBytes * costs[.bodyFactor] + second.requests * costs[.headBytesPerRequest]) * 8
    }

    private func packets(_ second: RunBill.Second, _ costs: CostTable) -> Double {
        second.requests * costs[.packetsPerRequest]
            + second.bodyBytes * costs[.bodyFactor] / 1_000 * costs[.packetsPerKilobyte]
    }
}

extension AudienceDemand {
    init(_ plan: LoadPlan, bill: RunBill) {
        let need = ConnectionNeed(plan)
        let seconds = max(Double(plan.duration.nanosecondsHeld) / 1e9, 1)
        self.init(
            viewers: plan.audience.viewers,
            leastConnectionsPerViewer: need.least / max(need.viewers, 1),
            connectionsPerViewer: need.usual / max(need.viewers, 1),
            connectionsToOneServer: need.mostToOneServer / max(need.viewers, 1),
            isSecure: need.isSecure,
            meanSecond: RunBill.Second(
                atSeconds: 0,
                requests: Double(bill.total.count) / seconds,
                bodyBytes: Double(bill.total.bodyBytes ?? 0) / seconds,
                joins: Double(bill.viewers.joined) / seconds
            ),
            busySeconds: bill.busySeconds,
            loops: plan.generator.loops,
            memoryBudgetBytes: Double(plan.generator.maximumResidentBytes)
        )
    }
}
