import ArgumentParser
import Foundation
import Profile
import Rehearsal
import Values

struct SoakCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "soak",
        abstract: "Run a profile for hours and judge whether anything creeps.",
        discussion: """
            A run with a warm-up apart (the ramp and the first breaks) whose verdict also looks at how its windows \
            move: a target that grows slower, emptier or staler fails; a generator that grows cannot decide.

            SIGHUP begins new files, SIGUSR1 prints where the run stands, SIGTERM ends it with its result.

            \(PodswarmExit.discussion)
            """
    )

    @OptionGroup var profile: ProfileOptions

    @Option(name: .customLong("for"), help: "How long, such as 8h; the profile's duration if left out.")
    var length: String?

    @OptionGroup var options: RunOptions

    func validate() throws {
        guard length == nil || profile.duration == nil else {
            throw ValidationError("--for and --duration mean the same; give one of them.")
        }
    }

    func run() async throws {
        var overrides =
            (length.map { ["duration=\($0)"] } ?? []) + profile.overrides + options.overrides
        var plan = try profile.plan(overrides: overrides)
        if plan.windows.warmUp == nil {
            // Read again, so that the digest covers the warm-up.
            let warmUp = plan.windows.soakWarmUp(ramp: plan.audience.ramp, duration: plan.duration)
            overrides.append("windows.warmUp=\(warmUp.millisecondsHeld)ms")
            plan = try profile.plan(overrides: overrides)
        }
        let session = try await options.session(
            of: plan,
            profile: profile,
            judgesDrift: plan.windows.failsOnDrift ?? true
        )
        throw try await session.run().code
    }
}
