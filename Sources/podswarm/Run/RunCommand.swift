import ArgumentParser
import Foundation
import Profile
import Rehearsal
import Rules

struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Rehearse the ad breaks of a profile and write a result.",
        discussion: PodswarmExit.discussion
    )

    @OptionGroup var profile: ProfileOptions

    @OptionGroup var options: RunOptions

    @OptionGroup var repetition: RepetitionOptions

    @Flag(help: "Fail where a series of windows creeps, as a soak does.")
    var failOnDrift = false

    func run() async throws {
        guard self.repetition.isRepeated else {
            throw try await session(profile, options).run().code
        }
        guard !options.sharding.isUsed else {
            throw CommandFailure(.badInput, "--shard: shards run once; start them again under another --run-id")
        }
        guard options.virtual.virtualTime == nil else {
            throw CommandFailure(.badInput, "--virtual-time: equal runs come to equal results, so each is made once")
        }
        let repetition = RunRepetition(options: self.repetition, profile: profile, run: options)
        throw try await repetition.perform(session).code
    }

    private func session(_ profile: ProfileOptions, _ options: RunOptions) async throws -> RunSession {
        let plan = try profile.plan(overrides: profile.overrides + options.overrides)
        return try await options.session(
            of: plan,
            profile: profile,
            judgesDrift: failOnDrift || plan.windows.failsOnDrift ?? false
        )
    }
}
