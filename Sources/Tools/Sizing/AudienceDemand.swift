package import Profile
package import Swarm
import Values

/// Demand of an audience on the machines that generate its load.
package struct AudienceDemand: Sendable {
    package var viewers: Int
    /// One connection of each viewer to each server: with fewer the run is refused.
    package var leastConnectionsPerViewer: Int
    /// Additional connections for coinciding requests of a viewer included.
    package var connectionsPerViewer: Int
    package var connectionsToOneServer: Int
    package var isSecure: Bool
    package var seconds: Double
    package var requests: Double
    package var bodyBytes: Double
    package var joins: Double
    /// The seconds with most requests, most answered bytes, and most joins.
    package var busySeconds: [RunBill.Second]
    /// Limit of working threads; nil for one on each core.
    package var loops: Int?
    package var memoryBudgetBytes = Double.infinity

    /// The share of one machine that a shard may use, by resource; unknown resources are absent.
    package func available(_ machine: Machine, _ costs: CostTable) -> [Sizing.Resource: Double] {
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

    package func needs(_ costs: CostTable) -> [Sizing.Resource: Sizing.Need] {
        let perConnection = isSecure ? costs[.memoryBytesPerSecureConnection] : 0
        return [
            .descriptors: Sizing.Need(
                fixed: Double(Preflight.ownDescriptors),
                perViewer: Double(leastConnectionsPerViewer)
            ),
            .ports: Sizing.Need(fixed: 0, perViewer: 1),
            .cores: Sizing.Need(
                fixed: costs[.coresOfProcess],
                perViewer: perViewer(busySeconds.map { cores($0, costs) }.max() ?? 0)
            ),
            .memory: Sizing.Need(
                fixed: costs[.memoryBytesOfProcess],
                perViewer: costs[.memoryBytesPerViewer] + perConnection * Double(connectionsPerViewer)
            ),
            .bandwidth: Sizing.Need(fixed: 0, perViewer: perViewer(busySeconds.map { bits($0, costs) }.max() ?? 0)),
            .packets: Sizing.Need(fixed: 0, perViewer: perViewer(busySeconds.map { packets($0, costs) }.max() ?? 0)),
        ]
    }

    /// Averages over the whole run of the needs that vary from second to second: cores, bandwidth and packets.
    package func averages(_ costs: CostTable) -> [Sizing.Resource: Sizing.Need] {
        let second = RunBill.Second(
            atSeconds: 0,
            requests: requests / seconds,
            bodyBytes: bodyBytes / seconds,
            joins: joins / seconds
        )
        return [
            .cores: Sizing.Need(fixed: costs[.coresOfProcess], perViewer: perViewer(cores(second, costs))),
            .bandwidth: Sizing.Need(fixed: 0, perViewer: perViewer(bits(second, costs))),
            .packets: Sizing.Need(fixed: 0, perViewer: perViewer(packets(second, costs))),
        ]
    }

    private func perViewer(_ ofAll: Double) -> Double { ofAll / Double(max(viewers, 1)) }

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
    package init(_ plan: LoadPlan, bill: RunBill) {
        let need = ConnectionNeed(plan)
        self.init(
            viewers: plan.audience.viewers,
            leastConnectionsPerViewer: need.least / max(need.viewers, 1),
            connectionsPerViewer: need.usual / max(need.viewers, 1),
            connectionsToOneServer: need.mostToOneServer / max(need.viewers, 1),
            isSecure: need.isSecure,
            seconds: max(Double(plan.duration.nanosecondsHeld) / 1e9, 1),
            requests: Double(bill.total.count),
            bodyBytes: Double(bill.total.bodyBytes),
            joins: Double(bill.joined),
            busySeconds: bill.busySeconds,
            loops: plan.generator.loops,
            memoryBudgetBytes: Double(plan.generator.maximumResidentBytes)
        )
    }
}
