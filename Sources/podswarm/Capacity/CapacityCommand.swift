import ArgumentParser
import Foundation
import Profile
import Rehearsal
import Report
import Results
import Swarm
import Values

struct CapacityCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "capacity",
        abstract: "Find the most viewers whose break still holds, and what gives first.",
        discussion: """
            First one run in which the audience grows by a quarter before each break, until two breaks in a row are missed; \
            then runs with breaks of several sizes around what is known, until the interval is as narrow as --within says; \
            then one run with every break at the answer. A limit of podswarm or of this machine is not a failure of the \
            target: the answer is then "at least", and more machines would find more.

            If the channel schedules the breaks, their times are unknown: one audience watches all of a run, which ends \
            when enough of them were judged, or after --run-for; audiences double from run to run until a break is missed.

              podswarm capacity quick
              podswarm capacity my-channel.yaml --ceiling 20000 \\
                  --hold 'breaks.on_time >= 99.5%' --dry
              podswarm capacity my-channel.yaml --of breaks.jitter --viewers 5000

            A search that was interrupted goes on from its file when it is started again in the same way.

            Where one machine is not enough, start it on each with --shard i/n, one --rendezvous and one --run-id, as shards of \
            a run are. The first one decides what is asked and has the file; all end with its exit status.

              podswarm capacity my-channel.yaml --shard 0/4 \\
                  --rendezvous /shared/rendezvous --run-id capacity-7

            Exit status: 0 found, and not below --at-least; 1 below --at-least; 2 bad arguments or profile; 3 the interval is \
            wider than asked, or the capacity out of reach; 4 the target could not be reached at the start; 70 a defect of \
            podswarm; 74 a result could not be written; 130 interrupted (what is known is written all the same).
            """
    )

    @OptionGroup var profile: ProfileOptions

    @OptionGroup(title: "What is looked for") var question: QuestionOptions

    @OptionGroup(title: "How it is looked for") var means: SearchOptions

    @OptionGroup(title: "Many machines") var sharding: ShardOptions

    @OptionGroup(title: "Virtual time") var virtual: VirtualOptions

    @OptionGroup var result: ResultOptions

    @Option(help: .value("file", "Also write the result here; - is standard output."))
    var json: String?

    @Flag(help: "Print what would be asked, and for how long, and ask nothing.")
    var dry = false

    @Flag(help: "Begin anew where an interrupted search of the same kind could go on.")
    var anew = false

    func run() async throws {
        let plan = try profile.plan(overrides: result.overrides + profile.overrides)
        let shard = try sharding.party(mergesByItself: true)
        try shard?.mark.check(plan)
        let stripe = shard.map { AudienceStripe($0.mark.index, of: $0.mark.count) } ?? .whole
        let asked = try SearchSetup(plan, question: question, means: means, stripe: stripe)
        let search = Search(
            setup: asked,
            profileFolder: profile.folder,
            results: URL(fileURLWithPath: result.results),
            labels: try RunLabels.parse(result.labels),
            clock: try virtual.clock(of: plan, without: [(sharding.isUsed, "--shard and --rendezvous")]),
            output: RunOutput(quiet: result.quiet, keepsOutputClear: json == OutputPlace.standardOutput),
            anew: anew,
            writesReport: !result.noReport
        )
        guard !dry else { return try await SearchForecast(search: search, shards: stripe.count).show() }
        // The first run checks it only after the whole plan was printed.
        try ScratchFolder.check()
        let requests = RunRequests()
        let interruption = Interruption(requests)
        defer { withExtendedLifetime(interruption) {} }
        let exit: PodswarmExit
        let document: CapacityDocument?
        if let shard {
            let party = try SearchParty(shard, at: sharding.meeting)
            (exit, document) = try await search.run(with: party, requests: requests)
        } else {
            let found = try await search.run(requests: requests)
            (exit, document) = (found.exit, found)
        }
        if let document { try OutputPlace.write(json: document.json(), to: json) }
        throw exit.code
    }
}

extension CapacityDocument {
    var exit: PodswarmExit {
        if state == .interrupted { return .interrupted }
        if let wanted = asked.atLeast, let failed = fails(wanted) { return failed ? .targetFailed : .passed }
        return answer.kind == .found ? .passed : .notDecidable
    }

    /// Whether the answer is worse than the demand; nil if uncertain.
    private func fails(_ wanted: Double) -> Bool? {
        let sign = asked.quantity.isHarderWithMore ? 1.0 : -1
        let signed = { (value: Double?) in value.map { $0 * sign } }
        let (better, worse) = sign > 0 ? (answer.lower, answer.upper) : (answer.upper, answer.lower)
        let wanted = wanted * sign
        switch answer.kind {
        case .found, .wide:
            if let better = signed(better), better >= wanted { return false }
            return signed(worse).flatMap { $0 < wanted ? true : nil }
        case .atLeast: return signed(answer.value).flatMap { $0 >= wanted ? false : nil }
        case .below: return signed(answer.value).flatMap { $0 <= wanted ? true : nil }
        case .unknown: return nil
        }
    }
}
