import ArgumentParser
import Foundation
import Rehearsal
import Results
import Swarm

struct WatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Show all shards of a run as one while they go, and make one result of them at the end.",
        discussion: """
            It reads what the shards tell where they meet, and says nothing there: it may be started before them, in the \
            middle or afterwards, anywhere the place is seen, and as often as you like.

              podswarm watch --rendezvous /shared/rendezvous --run-id nightly-1764 --dashboard 127.0.0.1:9464

            When every shard has ended, or has said nothing for --silence, what they told is merged and judged as by \
            podswarm merge.

            Exit status: 0 passed; 1 the target failed, whatever else is missing; 2 nobody began, or what they told makes \
            no result; 3 not decidable (a shard is missing, or was its own limit); 70 a defect of podswarm; \
            74 the result could not be written; 130 interrupted: the shards go on, and nothing is written.
            """
    )

    @OptionGroup var meeting: RendezvousOptions

    @Option(help: "The run, as its shards are told.")
    var runID: String

    @Option(help: "How long to wait for the shards to begin.")
    var beginWithin = "10m"

    @Option(help: "How long a shard may say nothing before it is taken for lost; at least 15s.")
    var silence = ShardOptions.standardSilence

    @Option(help: "Folder that the result is written to.")
    var results = "results"

    @OptionGroup var live: LiveOptions

    @OptionGroup var options: MergeOptions

    func run() async throws {
        // Each shard's journal is a file that stays open.
        Preflight.raiseDescriptorLimit()
        let merge = try options.merge()
        let patience = ShardWatch.WaitingTimes(
            beginning: try ShardOptions.duration(beginWithin, "--begin-within", .seconds(1) ... .seconds(86_400)),
            silence: try ShardOptions.duration(silence, "--silence", ShardOptions.silences)
        )
        guard let rendezvous = try await meeting.open(runID: runID, onlyLooksOn: true) else {
            throw CommandFailure(.badInput, "watch: name the place where the shards meet with --rendezvous")
        }
        let requests = RunRequests()
        let interruption = Interruption(requests)
        let exit = try await rendezvous.closed { place in
            let watch = ShardWatch(
                place: place,
                runID: runID,
                patience: patience,
                output: merge.output,
                live: try await live.open(merge.output),
                requests: requests
            )
            return try await watch.merged(by: merge, into: URL(fileURLWithPath: results))
        }
        withExtendedLifetime(interruption) {}
        if exit != .passed { throw exit.code }
    }
}
