import ArgumentParser
import Comparison
import Foundation
import Profile
import Rehearsal
import Results
import Rules
import Values

struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration("run")

    @OptionGroup var profile: ProfileOptions

    @OptionGroup var options: RunOptions

    @Option(
        "runs",
        "Run this often, one after another: a comparison needs five runs of each side.",
        name: .customLong("repeat")
    )
    var runs = 1

    @Option(
        help: .value("profile", "A second profile that takes turns with the first, such as another target's."),
        completion: ProfileOptions.completion
    )
    var interleave: String?

    @Option(
        name: .customLong("interleave-label"),
        help: "A label of the second profile's results, in place of a --label of the same name; may be repeated."
    )
    var interleaveLabels: [String] = []

    @Flag(help: "Fail where a series of windows creeps, as a soak does.")
    var failOnDrift = false

    func validate() throws {
        guard (1...1_000).contains(runs) else { throw ValidationError("--repeat must be from 1 to 1000.") }
        guard interleave != nil || interleaveLabels.isEmpty else {
            throw ValidationError("--interleave-label needs --interleave with a profile.")
        }
    }

    private var isRepeated: Bool { runs > 1 || interleave != nil }

    func run() async throws {
        guard isRepeated else { throw try await session(profile, options).run().code }
        guard !options.sharding.isUsed else {
            throw CommandFailure("--shard: shards run once; start them again under another --run-id")
        }
        guard options.virtual.virtualTime == nil else {
            throw CommandFailure("--virtual-time: equal runs have equal results, so each is made once")
        }
        throw try await runRepeatedly().code
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

struct SoakCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration("soak")

    @OptionGroup var profile: ProfileOptions

    @Option("duration", "How long, such as 8h; the profile's duration if left out.", name: .customLong("for"))
    var length: String?

    @OptionGroup var options: RunOptions

    func validate() throws {
        guard length == nil || profile.duration == nil else {
            throw ValidationError("--for and --duration mean the same; give one of them.")
        }
    }

    func run() async throws {
        var overrides = (length.map { ["--for=\($0)"] } ?? []) + profile.overrides + options.overrides
        var plan = try profile.plan(overrides: overrides)
        if plan.windows.warmUp == nil {
            // The digest must cover the warm-up.
            let warmUp = plan.windows.soakWarmUp(ramp: plan.audience.ramp, duration: plan.duration)
            overrides.append("windows.warmUp=\(warmUp.millisecondsHeld)ms")
            plan = try profile.plan(overrides: overrides)
        }
        var session = try await options.session(
            of: plan,
            profile: profile,
            judgesDrift: plan.windows.failsOnDrift ?? true
        )
        // Nights are compared with each other.
        session.keepsPhase = true
        throw try await session.run().code
    }
}

extension RunCommand {
    private enum Side: String {
        case a = "A"
        case b = "B"
    }

    /// Returns the most severe exit; stops early if a run is interrupted or fails with an own defect.
    private func runRepeatedly() async throws -> PodswarmExit {
        let files = options.outputs + [options.har, options.originTruth].compactMap(\.self)
        guard files.allSatisfy({ $0.hasSuffix(OutputPlace.standardOutput) }) else {
            throw CommandFailure(
                "--repeat: each run would write over the file of --output, --har or --origin-truth of the one before; "
                    + "podswarm result export writes it from a result"
            )
        }
        let output = RunOutput(quiet: options.result.quiet)
        try checkLabels()
        try checkProfiles(output)
        let series = UTCText.compact(microseconds: Int64(Date.now.timeIntervalSince1970 * 1e6))
        // Nil if only one profile is run.
        let sides: [Side?] = interleave == nil ? [nil] : [.a, .b]
        let turns = (1...runs).flatMap { round in sides.map { (side: $0, round: round) } }
        var ends: [RunSession.Finished] = []
        // Shared, so that an interruption between runs counts too.
        let requests = RunRequests()
        Interruption.listen(for: requests)
        for (index, turn) in turns.enumerated() {
            guard requests.end == nil else {
                sayHowToGoOn(series, output)
                let status = PodswarmExit.interrupted.rawValue
                throw CommandFailure(
                    "interrupted after \(index) of \(turns.count) runs (exit \(status))",
                    as: .interrupted
                )
            }
            output.note("Run \(index + 1) of \(turns.count)\(turn.side.map { ", side \($0.rawValue)" } ?? "").")
            let labels = labels(of: turn.side) + ["series=\(Self.series(series, turn.side))", "repeat=\(turn.round)"]
            var options = self.options
            options.result.labels = labels
            var session = try await session(profile(of: turn.side), options)
            session.requests = requests
            session.keepsPhase = true
            ends.append(try await session.finish())
            guard let end = ends.last?.exit, end != .interrupted, end != .ownDefect else { break }
        }
        sayHowToGoOn(series, output)
        guard let worst = ends.max(by: { $0.exit.gravity < $1.exit.gravity }) else { return .passed }
        output.verdict(worst.document)
        return worst.exit
    }

    private func profile(of side: Side?) -> ProfileOptions {
        var profile = self.profile
        if side == .b, let second = interleave { profile.path = second }
        return profile
    }

    private func labels(of side: Side?) -> [String] {
        var labels = options.result.labels
        if side == .b {
            let replaced = Set(interleaveLabels.map(Self.name))
            labels = labels.filter { !replaced.contains(Self.name(of: $0)) } + interleaveLabels
        }
        return labels + (side.map { ["side=\($0.rawValue)"] } ?? [])
    }

    private static func series(_ series: String, _ side: Side?) -> String {
        series + (side.map { "-\($0.rawValue)" } ?? "")
    }

    private static func name(of label: String) -> String { String(label.prefix { $0 != "=" }) }

    private func checkLabels() throws {
        for label in options.result.labels + interleaveLabels
        where RepetitionLabels.names.contains(Self.name(of: label)) {
            throw CommandFailure("--label \(label): \(Self.name(of: label)) is given by --repeat itself")
        }
    }

    /// Before the first run, because the second profile's turn comes late.
    private func checkProfiles(_ output: RunOutput) throws {
        let overrides = profile.overrides + options.overrides
        let first = try profile.plan(overrides: overrides)
        guard interleave != nil else { return }
        let second = try profile(of: .b).plan(overrides: overrides)
        if first.workloadDigest != second.workloadDigest {
            output.note("The two profiles differ in more than their targets: compare will refuse them.")
        }
    }

    private func sayHowToGoOn(_ series: String, _ output: RunOutput) {
        guard interleave != nil else { return }
        let (a, b) = (Self.series(series, .a), Self.series(series, .b))
        let folder = options.result.results == "results" ? "" : " --results \(options.result.results)"
        let sides = "--base label:series=\(a) --candidate label:series=\(b)"
        output.note("To compare the sides:\n  podswarm compare \(sides)\(folder)")
    }
}
