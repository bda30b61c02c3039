import ArgumentParser
import Foundation
import Rendezvous
import RunResult
import Time

/// Which shard of a run with several this process is, and where they meet.
struct ShardOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Run shard i of n, such as 0/4: every n-th viewer of the plan. With --rendezvous it is taken from the scheduler where it says (SLURM_PROCID, JOB_COMPLETION_INDEX with --shard /n, PMI_RANK, OMPI_COMM_WORLD_RANK).",
            valueName: "i/n"
        )
    )
    var shard: String?

    @OptionGroup var meeting: RendezvousOptions

    @Option(help: "The name by which the shards of one run find each other; good for one run. Of Slurm: the job's.")
    var runID: String?

    @Option(help: "How long shards wait for each other to come.")
    var gatherWithin = "5m"

    @Option(help: "From the last one's coming to the start; all must be ready a third of it before.")
    var startLead = "15s"

    @Flag(
        help: ArgumentHelp(
            "When this shard has ended, wait for all others and make the one result: the exit status is then that of all, and --dashboard and --metrics show all."
        )
    )
    var merge = false

    @Option(help: "With --merge: how long a shard may say nothing before it is taken for lost; at least 15s.")
    var silence = Self.standardSilence

    @Option(help: "With --merge: share of the viewers that shards may hold which were their own limit, such as 5%.")
    var tolerateLimited: String?

    static let standardSilence = "60s"
    /// A shard speaks every ten seconds at least.
    static let silences: ClosedRange<Duration> = .seconds(15) ... .seconds(86_400)

    /// Whether this is one of several shards.
    var isUsed: Bool { shard != nil || meeting.rendezvous != nil || runID != nil || merge }

    /// What these options ask for.
    ///
    /// - Parameter environment: Of this process.
    /// - Returns: Nil for a run that is its whole plan.
    /// - Throws: `CommandFailure` that says what is missing.
    func enrolment(environment: [String: String] = ProcessInfo.processInfo.environment) async throws -> ShardEnrolment?
    {
        guard merge || tolerateLimited == nil else {
            throw CommandFailure(.badInput, "--tolerate-limited: it is of the result that --merge makes")
        }
        guard isUsed else { return nil }
        guard meeting.rendezvous != nil else {
            throw CommandFailure(.badInput, "--shard: name the place where the shards meet with --rendezvous")
        }
        let shardPlace: ShardPlace
        do {
            shardPlace = try ShardPlace(shard, environment: environment)
        } catch {
            throw CommandFailure(.badInput, error.description)
        }
        guard let runID = runID ?? environment["SLURM_JOB_ID"] else {
            throw CommandFailure(.badInput, "--rendezvous: name the run with --run-id, alike for all its shards")
        }
        let lead = try Self.duration(startLead, "--start-lead", .seconds(1) ... .seconds(3_600))
        let gathering = try Self.duration(gatherWithin, "--gather-within", .seconds(1) ... .seconds(86_400))
        guard let open = try await meeting.open(runID: runID) else { return nil }
        return ShardEnrolment(
            mark: ShardMark(runID: runID, index: shardPlace.index, count: shardPlace.count),
            rendezvous: open,
            timing: .init(gathering: gathering, lead: lead, margin: lead / 3),
            mergesWithin: merge ? try Self.duration(silence, "--silence", Self.silences) : nil,
            toleratedLimitedShare: try tolerateLimited.map(MergeOptions.share) ?? 0
        )
    }

    /// - Returns: The duration that a text means.
    /// - Throws: `CommandFailure` for one that is none, or out of its range.
    static func duration(
        _ text: String,
        _ option: String,
        _ range: ClosedRange<Duration>
    ) throws(CommandFailure) -> Duration {
        guard let duration = Duration(text: text), range.contains(duration) else {
            throw CommandFailure(
                .badInput,
                "\(option) \(text): a duration from \(range.lowerBound.text) to \(range.upperBound.text), such as 30s"
            )
        }
        return duration
    }
}
