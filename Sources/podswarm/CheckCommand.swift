import ArgumentParser
import EventLoop
import Foundation
import HLS
import LoadProfile
import Measurement
import Swarm

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

    @OptionGroup var profile: ProfileOptions

    @Option(help: "Wait this many seconds at most for a break and its ads.")
    var patience = 150

    func validate() throws {
        guard (1...86_400).contains(self.patience) else {
            throw ValidationError("--patience must be between 1 and 86400 seconds")
        }
    }

    func run() async throws {
        let profilePlan = try self.profile.plan()
        let plan = Self.alone(profilePlan, patience: self.patience)
        let target = try RunTarget(
            plan,
            profileFolder: URL(fileURLWithPath: self.profile.path).deletingLastPathComponent()
        )
        defer { target.stop() }
        print("Target: \(target.name)")
        try await target.checkReachable()
        let totals = try await self.walk(target)
        print("")
        throw self.judge(totals).code
    }

    /// The same plan with one viewer that asks for its pod twice.
    private static func alone(_ plan: LoadPlan, patience: Int) -> LoadPlan {
        var plan = plan
        plan.audience.viewers = 1
        plan.audience.ramp = .zero
        plan.audience.churnPerMinute = 0
        plan.audience.pictureInPicture.share = 0
        plan.pods.repeatShare = 1
        plan.generator.loops = 1
        plan.duration = .seconds(patience)
        return plan
    }

    private func walk(_ target: RunTarget) async throws -> RunTotals {
        let start = MonotonicClock.now() + 50_000_000
        let timebase = Timebase(
            monotonicStart: start,
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
        let end = start + Int64(self.patience) * 1_000_000_000
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
            print("No break came within \(self.patience) s: does breaks.source fit this target? See also --patience.")
            return .targetFailed
        }
        let counted = totals.findings.filter { $0.code.severity > .advice }
        print("\(onTime) of \(due) breaks in time, \(errors) failed requests, \(counted.count) findings.")
        for finding in counted {
            print("  \(finding.code.code): \(finding.code.meaning)")
        }
        return onTime == due && errors == 0 && counted.isEmpty ? .passed : .targetFailed
    }
}
