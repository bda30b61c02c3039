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

    @Option(help: "Folder that all shards see and meet in.")
    var rendezvous: String?

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

    static let standardSilence = "60s"
    /// A shard speaks every ten seconds at least.
    static let silences: ClosedRange<Duration> = .seconds(15) ... .seconds(86_400)

    /// Whether this is one of several shards.
    var isUsed: Bool { shard != nil || rendezvous != nil || runID != nil || merge }

    /// What these options ask for.
    ///
    /// - Parameter environment: Of this process.
    /// - Returns: Nil for a run that is its whole plan.
    /// - Throws: `CommandFailure` that says what is missing.
    func enrolment(environment: [String: String] = ProcessInfo.processInfo.environment) throws -> ShardEnrolment? {
        guard isUsed else { return nil }
        guard let rendezvous else {
            throw CommandFailure(.badInput, "--shard: name the folder where the shards meet with --rendezvous")
        }
        let place: ShardPlace
        do {
            place = try ShardPlace(shard, environment: environment)
        } catch {
            throw CommandFailure(.badInput, error.description)
        }
        guard let runID = runID ?? environment["SLURM_JOB_ID"] else {
            throw CommandFailure(.badInput, "--rendezvous: name the run with --run-id, alike for all its shards")
        }
        let lead = try Self.duration(startLead, "--start-lead", .seconds(1) ... .seconds(3_600))
        let gathering = try Self.duration(gatherWithin, "--gather-within", .seconds(1) ... .seconds(86_400))
        return ShardEnrolment(
            mark: ShardMark(runID: runID, index: place.index, count: place.count),
            place: try Self.place(rendezvous, runID: runID),
            timing: .init(gathering: gathering, lead: lead, margin: lead / 3),
            mergesWithin: merge ? try Self.duration(silence, "--silence", Self.silences) : nil
        )
    }

    /// Where the shards of a run meet.
    ///
    /// - Parameters:
    ///   - rendezvous: As the user wrote it.
    ///   - runID: The run.
    ///   - isThere: Whether it has to be there already.
    /// - Returns: The place.
    /// - Throws: `CommandFailure` for one that cannot be used.
    static func place(
        _ rendezvous: String,
        runID: String,
        isThere: Bool = false
    ) throws(CommandFailure) -> any RendezvousPlace {
        guard ShardMeeting.isRunID(runID) else {
            throw CommandFailure(.badInput, "--run-id \(runID): at most 80 letters, digits, '-', '_' and '.'")
        }
        guard !isThere || FileManager.default.fileExists(atPath: rendezvous) else {
            throw CommandFailure(.badInput, "--rendezvous \(rendezvous): there is no such folder")
        }
        do {
            return try RendezvousFolder(path: "\(rendezvous)/\(runID)")
        } catch {
            throw CommandFailure(.badInput, "--rendezvous \(error)")
        }
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
