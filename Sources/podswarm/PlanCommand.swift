import ArgumentParser
import Foundation
import Profile
import Rehearsal
import Report
import Swarm
import Tools
import Transport
import Values

struct PlanCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration("plan")

    @OptionGroup var profile: ProfileOptions

    @Option("instant", "When the run starts, such as 2026-11-23T20:00:00Z; now if left out.")
    var at: String?

    @Option(
        help: ArgumentHelp(
            "When breaks are called for, after the start of the run; nowhere if left out.",
            discussion: "For profiles with breaks.source.trigger.",
            valueName: "durations"
        )
    )
    var breaksAt: String?

    @OptionGroup(title: "Many machines") var machines: MachineOptions

    @Flag(help: "Print JSON, as of `podswarm result schema --bill`, or with --shards `--sizing`.")
    var json = false

    func run() async throws {
        let plan = try called(profile.plan())
        try machines.check()
        let target = BilledTarget(plan, profileFolder: profile.folder)
        let start = try start()
        if isatty(STDERR_FILENO) == 1 {
            let viewers = TextLayout.counted(plan.audience.viewers, "viewer")
            RunOutput.writeError("Counting what \(viewers) will ask for; nothing is sent.\n")
        }
        let counted = try await target.counted(startingAt: start)
        let bill = target.document(counted, start: start)
        guard !machines.isUsed else {
            let sizing = try machines.sizing(plan, bill: counted, assumptions: bill.assumptions)
            try show(sizing.json, sizing.text)
            guard sizing.refusals.isEmpty else { throw CommandFailure(sizing.refusals.joined(separator: "\n")) }
            return
        }
        try show(bill.json, bill.text)
    }

    private func show(_ encoded: () throws -> Data, _ text: (TextRendering) -> String) throws {
        guard !json else { return try OutputPlace.write(json: encoded(), to: OutputPlace.standardOutput) }
        StandardStream.output.write(text(StandardStream.output.rendering))
    }

    /// The list of `--breaks-at` replaces triggered breaks.
    private func called(_ plan: LoadPlan) throws -> LoadPlan {
        guard let breaksAt else { return plan }
        let starts = try plan.breakStarts(breaksAt, option: "--breaks-at")
        var called = plan
        called.breaks.source = BreakPlan.Source(
            plan.breaks.source.each.map { source in
                if case .trigger = source { .list(starts.map { ListedBreak($0) }) } else { source }
            }
        )
        return called
    }

    private func start() throws -> WallTime {
        guard let at else { return WallTime(microseconds: MonotonicClock.wallMicroseconds()) }
        return try WallTime(at, option: "--at")
    }
}

struct MachineOptions: ParsableArguments {
    @Option("n|auto", "Plan for so many shards, one on each machine, or for as few as fit.")
    var shards: String?

    @Option(
        "fields",
        "What a machine has, such as cores=8,memory=16GiB,descriptors=65536,ports=28232,addresses=4,bandwidth=10Gbps,packets=500000; the rest is taken from this machine, but for bandwidth and packets."
    )
    var machine: String?

    @Option("name=value", "What something costs, such as cpuMicrosecondsPerRequest=40; may be repeated.")
    var cost: [String] = []

    var isUsed: Bool { shards != nil || machine != nil || !cost.isEmpty }

    func check() throws(CommandFailure) { _ = try read() }

    /// An error lists all mistakes in the options.
    func sizing(_ plan: LoadPlan, bill: RunBill, assumptions: [String]) throws(CommandFailure) -> SizingDocument {
        let (shards, machine, costs) = try read()
        return SizingDocument(plan, bill: bill, on: machine, costs: costs, shards: shards, assumptions: assumptions)
    }

    private func read() throws(CommandFailure) -> (shards: Int?, machine: Machine, costs: CostTable) {
        var mistakes: [String] = []
        var (number, machine, costs) = (Int?.none, Machine.here(), CostTable())
        if let shards, shards != "auto" {
            number = Int(shards).flatMap { 1...100_000 ~= $0 ? $0 : nil }
            if number == nil { mistakes.append("--shards \(shards): a number from 1 to 100000, or auto") }
        }
        if let text = self.machine { mistakes += machine.set(text) }
        mistakes += costs.set(cost)
        guard mistakes.isEmpty else { throw CommandFailure(mistakes.joined(separator: "\n")) }
        return (number, machine, costs)
    }
}
