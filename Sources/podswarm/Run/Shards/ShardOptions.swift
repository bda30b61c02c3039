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

    /// Whether this is one of several shards.
    var isUsed: Bool { shard != nil || rendezvous != nil || runID != nil }

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
        let (index, count) = try place(environment)
        guard let runID = runID ?? environment["SLURM_JOB_ID"] else {
            throw CommandFailure(.badInput, "--rendezvous: name the run with --run-id, alike for all its shards")
        }
        guard !runID.isEmpty, runID.utf8.count <= 80, runID.first != ".", runID.utf8.allSatisfy(Self.isOfName) else {
            throw CommandFailure(.badInput, "--run-id \(runID): at most 80 letters, digits, '-', '_' and '.'")
        }
        return ShardEnrolment(
            mark: ShardMark(runID: runID, index: index, count: count),
            folder: "\(rendezvous)/\(runID)",
            timing: .init(
                gathering: try duration(gatherWithin, "--gather-within", .seconds(1) ... .seconds(86_400)),
                lead: try duration(startLead, "--start-lead", .seconds(1) ... .seconds(3_600))
            )
        )
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
            true
        default: false
        }
    }

    private func duration(
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

    /// What schedulers call a process's index and how many there are.
    private static let schedulers = [
        ("SLURM_PROCID", "SLURM_NTASKS"), ("JOB_COMPLETION_INDEX", "PODSWARM_SHARDS"), ("PMI_RANK", "PMI_SIZE"),
        ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"),
    ]

    private func place(_ environment: [String: String]) throws(CommandFailure) -> (index: Int, count: Int) {
        let parts = (shard ?? "/").split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2 else { throw CommandFailure(.badInput, malformed) }
        let scheduler = Self.schedulers.first { environment[$0.0] != nil }
        let index = parts[0].isEmpty ? scheduler.flatMap { environment[$0.0] } : parts[0]
        let count = parts[1].isEmpty ? scheduler.flatMap { environment[$0.1] } : parts[1]
        guard let index, let count else {
            let what = index == nil ? "which shard this is" : "how many shards there are"
            throw CommandFailure(.badInput, "--rendezvous: no scheduler says \(what); name it, such as --shard 0/4")
        }
        guard let number = Int(index), let total = Int(count), (1...10_000).contains(total),
            (0..<total).contains(number)
        else {
            let words = shard == nil ? "the scheduler's shard \(index) of \(count) is none" : malformed
            throw CommandFailure(.badInput, words)
        }
        return (number, total)
    }

    private var malformed: String {
        "--shard \(shard ?? ""): it is i/n with i from 0 and below n, such as 0/4"
    }
}
