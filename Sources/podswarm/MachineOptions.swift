import ArgumentParser
import Profile
import Rehearsal
import Report
import Swarm
import Tools

/// Options for the machines to plan for.
struct MachineOptions: ParsableArguments {
    @Option(help: .value("n|auto", "Plan for so many shards, one on each machine, or for as few as fit."))
    var shards: String?

    @Option(
        help: .value(
            "fields",
            "What a machine has, such as cores=8,memory=16GiB,descriptors=65536,ports=28232,addresses=4,bandwidth=10Gbps,packets=500000; what is left out is taken from this machine, but for bandwidth and packets."
        )
    )
    var machine: String?

    @Option(help: .value("name=value", "What something costs, such as cpuMicrosecondsPerRequest=40; may be repeated."))
    var cost: [String] = []

    var isUsed: Bool { shards != nil || machine != nil || !cost.isEmpty }

    /// Validates the options before the bill is computed.
    func check() throws(CommandFailure) { _ = try read() }

    /// Plans for these machines; an error lists all mistakes in the options.
    func sizing(_ plan: LoadPlan, bill: RunBill, assumptions: [String]) throws(CommandFailure) -> SizingDocument {
        let (shards, machine, costs) = try read()
        return SizingReport(plan, machine: machine, costs: costs)
            .document(of: bill, shards: shards, assumptions: assumptions)
    }

    private func read() throws(CommandFailure) -> (shards: Int?, machine: Machine, costs: CostTable) {
        var mistakes: [String] = []
        var (number, machine, costs) = (Int?.none, Machine.here(), CostTable?.none)
        if let shards, shards != "auto" {
            number = Int(shards).flatMap { 1...100_000 ~= $0 ? $0 : nil }
            if number == nil { mistakes.append("--shards \(shards): a number from 1 to 100000, or auto") }
        }
        do throws(SizingMistake) {
            if let text = self.machine { try machine.set(text) }
        } catch {
            mistakes += error.problems
        }
        do throws(SizingMistake) {
            costs = try CostTable(cost)
        } catch {
            mistakes += error.problems
        }
        guard let costs, mistakes.isEmpty else { throw CommandFailure(.badInput, mistakes.joined(separator: "\n")) }
        return (number, machine, costs)
    }
}
