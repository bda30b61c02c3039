import ArgumentParser
import EventLoop
import Foundation
import HLS
import LoadProfile
import Recording
import Report
import Rulebook
import RunResult
import Swarm
import Time

/// `podswarm check`: one viewer walks through a target and says what it meets.
struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Walk one viewer through a target and explain each step and finding.",
        discussion: """
            The first thing to do against a new target: registration, playlists, one ad break and its pings, in words. \
            Give it the profile that you mean to run; its audience is replaced by a single viewer.

            \(PodswarmExit.discussion)
            """
    )

    @Argument(help: "The profile, such as Profiles/quick.yaml.")
    var path: String

    @Option(help: ArgumentHelp("Wait at most this long for a break and its ads.", valueName: "duration"))
    var patience = Patience.usual

    @Option(help: "Seed of everything left to chance.")
    var seed: String?

    @Flag(help: "Do not verify TLS certificates.")
    var insecure = false

    @Option(
        name: .customLong("set"),
        help: "Override a field, such as breaks.podIdentifier=synchronised; may be repeated."
    )
    var settings: [String] = []

    /// Accepted, so that a run's arguments fit a check too.
    ///
    /// Still only one viewer walks through the target.
    @Option(help: .hidden)
    var viewers: String?

    /// Accepted for the same reason; `patience` is how long it takes.
    @Option(help: .hidden)
    var duration: String?

    func validate() throws {
        guard Patience.allowed.contains(patience.duration) else {
            throw ValidationError("--patience must be between 1s and 24h")
        }
    }

    func run() async throws {
        let plan = Self.alone(try self.plan(), patience: patience.duration)
        let target = try RunTarget(plan, profileFolder: URL(fileURLWithPath: path).deletingLastPathComponent())
        defer { target.stop() }
        print("Target: \(target.name)")
        if let note = plan.impressionNote { print(note) }
        try await target.checkReachable()
        let totals = try await walk(target)
        print("")
        throw judge(totals).code
    }

    /// What is replaced is read too: a mistake in it is one in the run that is meant.
    private func plan() throws -> LoadPlan {
        let given = [("duration", duration), ("audience.viewers", viewers), ("seed", seed)]
        let overrides = given.compactMap { name, value in value.map { "\(name)=\($0)" } }
        let insecure = self.insecure ? ["connection.insecure=true"] : []
        return try ProfileOptions.plan(of: path, overrides: overrides + settings + insecure)
    }

    /// The same plan with one viewer that asks for its pod twice.
    private static func alone(_ plan: LoadPlan, patience: Duration) -> LoadPlan {
        var plan = plan
        plan.audience.viewers = 1
        plan.audience.ramp = .zero
        plan.audience.churnPerMinute = 0
        plan.audience.pictureInPicture.share = 0
        plan.pods.repeatShare = 1
        plan.generator.loops = 1
        plan.duration = patience
        return plan
    }

    private func walk(_ target: RunTarget) async throws -> RunTotals {
        let start = MonotonicClock.now().later(by: .milliseconds(50))
        let timebase = Timebase(
            start: start,
            wallStart: WallTime(microseconds: MonotonicClock.wallMicroseconds() + 50_000)
        )
        let narrator = CheckNarrator(start: start) { print($0) }
        let swarm = try await SwarmRun(
            target.plan,
            endpoints: target.endpoints,
            authorisedHosts: target.authorisedHosts,
            timebase: timebase,
            observer: narrator
        )
        let end = start.later(by: patience.duration)
        while MonotonicClock.now() < end, !narrator.hasSeenWholeBreak {
            try? await Task.sleep(for: .milliseconds(100))
        }
        await swarm.stop()
        let totals = RunTotals(merging: await swarm.totals())
        await swarm.shutDown()
        return totals
    }

    private func judge(_ totals: RunTotals) -> PodswarmExit {
        let due = totals.breaks.reduce(0) { $0 + $1.due }
        let onTime = totals.breaks.reduce(0) { $0 + $1.onTime }
        let errors = RequestKind.allCases.reduce(0) { $0 + totals.errorCount(of: $1) }
        guard due > 0 else {
            print("No break came within \(patience): does breaks.source fit this target? See also --patience.")
            return .targetFailed
        }
        let counted = totals.findings.filter { $0.code.severity > .advice }
        let breaks = TextLayout.counted(due, "break")
        let failures = TextLayout.counted(errors, "failed request")
        print("\(onTime) of \(breaks) in time, \(failures), \(TextLayout.counted(counted.count, "finding")).")
        for finding in counted {
            print("  \(finding.code.code): \(finding.code.meaning)")
        }
        return onTime == due && errors == 0 && counted.isEmpty ? .passed : .targetFailed
    }
}

/// How long a check waits.
struct Patience: ExpressibleByArgument, CustomStringConvertible {
    static let usual = Patience(.seconds(150), as: "150s")
    static let allowed: ClosedRange<Duration> = .seconds(1) ... .seconds(86_400)

    let duration: Duration
    let description: String

    private init(_ duration: Duration, as description: String) {
        self.duration = duration
        self.description = description
    }

    /// Reads a duration with its unit; a number alone counts seconds, as it did before units were taken.
    init?(argument: String) {
        if let seconds = Int64(argument) {
            self.init(.seconds(seconds), as: "\(seconds)s")
        } else if let duration = Duration(text: argument) {
            self.init(duration, as: argument)
        } else {
            return nil
        }
    }

    var defaultValueDescription: String { description }
}
