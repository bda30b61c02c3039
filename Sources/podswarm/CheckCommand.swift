import ArgumentParser
import Foundation
import HLS
import Profile
import Recording
import Rehearsal
import Report
import Results
import Rules
import Swarm
import Transport
import Values

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

    @Argument(help: ProfileOptions.help, completion: ProfileOptions.completion)
    var path: String

    @Option(help: .value("duration", "Wait at most this long for a break and its ads."))
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

    @OptionGroup(title: "Virtual time") var virtual: VirtualOptions

    /// Ignored, and accepted so that the arguments of a run fit a check too.
    @Option(help: .hidden)
    var viewers: String?

    /// Ignored for the same reason; `patience` limits the check.
    @Option(help: .hidden)
    var duration: String?

    func validate() throws {
        guard Patience.allowed.contains(patience.duration) else {
            throw ValidationError("--patience must be between 1s and 24h")
        }
    }

    func run() async throws {
        let plan = Self.alone(try self.plan(), patience: patience.duration)
        let clock = try virtual.clock(of: plan)
        try clock.limits.check(plan)
        let folder = ProfileOptions.folder(of: path)
        let target = try RunTarget(plan, profileFolder: folder, clock: clock)
        defer { target.stop() }
        say("Target: \(target.name)")
        if let note = plan.impressionNote { say(note) }
        await tellBill(of: plan)
        try await target.checkReachable()
        let calls = try await CalledRun(plan, profileFolder: folder, shard: nil, clock: clock)
        let totals = try await calls.closed { try await walk(target, calls) }
        say("")
        throw judge(totals, plan).code
    }

    /// Applies the ignored options too, because a mistake in them is one in the intended run.
    private func plan() throws -> LoadPlan {
        let given = [("duration", duration), ("audience.viewers", viewers), ("seed", seed)]
        let overrides = given.compactMap { name, value in value.map { "\(name)=\($0)" } }
        let insecure = self.insecure ? ["connection.insecure=true"] : []
        return try ProfileOptions.plan(of: path, overrides: overrides + settings + insecure)
    }

    /// Reduces the plan to one viewer that requests its pod twice.
    private static func alone(_ plan: LoadPlan, patience: Duration) -> LoadPlan {
        var plan = plan
        plan.audience.viewers = 1
        plan.audience.ramp = .zero
        plan.audience.curve = nil
        plan.audience.churnPerMinute = 0
        plan.audience.pictureInPicture.share = 0
        plan.pods.repeatShare = 1
        plan.generator.loops = 1
        plan.duration = patience
        return plan
    }

    private func walk(_ target: RunTarget, _ calls: CalledRun) async throws -> RunTotals {
        let timebase = target.timebase(startingIn: .milliseconds(50))
        let narrator = CheckNarrator(start: timebase.start) { RunOutput.tell($0, on: .output) }
        let swarm = try await SwarmRun(
            target.plan,
            endpoints: target.endpoints,
            authorisedHosts: target.authorisedHosts,
            timebase: timebase,
            place: target.place,
            observer: narrator
        )
        calls.begin(swarm) { RunOutput.tell($0, on: .output) }
        let end = timebase.start.later(by: patience.duration)
        while swarm.now < end, !narrator.hasSeenWholeBreak {
            await swarm.sleep(until: min(end, swarm.now.later(by: .milliseconds(100))))
        }
        await calls.end()
        await swarm.stop()
        let totals = RunTotals(merging: await swarm.totals())
        let failure = await swarm.pulse().harnessFailure
        await swarm.shutDown()
        if let failure { throw CommandFailure(.ownDefect, failure) }
        return totals
    }

    /// Prints the estimate of requests to a target that is not embedded.
    private func tellBill(of plan: LoadPlan) async {
        guard !plan.target.isEmbedded else { return }
        let now = WallTime(microseconds: MonotonicClock.wallMicroseconds())
        guard
            let bill = try? await BilledTarget(plan, profileFolder: ProfileOptions.folder(of: path))
                .bill(startingAt: now)
        else { return }
        say(bill.sentence(StandardStream.output.rendering) + "It ends after the first break.")
    }

    private func say(_ text: String) { RunOutput.tell(text, on: .output) }

    private func tellWithheld(_ totals: RunTotals) {
        let held = WithheldText(
            pings: totals.count(of: .pingsWithheld),
            beacons: totals.count(of: .beaconsWithheld),
            adSegments: totals.count(of: .adSegmentsWithheld)
        )
        guard let list = held.list else { return }
        say("Not sent, because the profile does not say impressions: allowed: \(list).")
    }

    private func tellLeftOut(_ totals: RunTotals) {
        for (key, requests) in totals.leftOut.rows.sorted(by: { $0.key < $1.key }) {
            say(LeftOutText.news(LeftOutResult.Host(key, requests: requests)))
        }
    }

    private func judge(_ totals: RunTotals, _ plan: LoadPlan) -> PodswarmExit {
        let hasBreaks = !plan.breaks.areNone
        tellLeftOut(totals)
        if let offset = totals.channelClock.offset { say(ChannelClockText.sentence(offset)) }
        let due = totals.breaks.reduce(0) { $0 + $1.due }
        let onTime = totals.breaks.reduce(0) { $0 + $1.onTime }
        let errors = RequestKind.allCases.reduce(0) { $0 + totals.errorCount(of: $1) }
        guard due > 0 || !hasBreaks else {
            say("No break came within \(patience): do the breaks of the profile fit this target? See also --patience.")
            return .targetFailed
        }
        let allowed = FindingAllowances(plan.allowedFindings)
        let counted = FoundCode.all(in: totals.findings.filter { $0.code.severity > .advice })
        let results = FindingResult.all(totals.findings, joined: totals.viewers.people, allowed: allowed)
        let breaks = TextLayout.counted(due, "break")
        let failures = TextLayout.counted(errors, "failed request")
        let judged = hasBreaks ? "\(onTime) of \(breaks) in time" : "The profile has no breaks"
        say("\(judged), \(failures), \(TextLayout.counted(counted.count, "finding")).")
        for finding in counted {
            let isAllowed = results.contains { $0.code == finding.code.code && $0.allowed }
            say("  \(finding.text)\(isAllowed ? " (allowed by the profile)" : "")")
        }
        tellWithheld(totals)
        return onTime == due && errors == 0 && !results.contains(where: \.failsRun) ? .passed : .targetFailed
    }
}

/// A finding of a check, summed over breaks.
private struct FoundCode {
    let code: FindingCode
    var times: UInt64 = 0
    var breaks: Set<String> = []

    /// One element for each code, in the order of the findings.
    static func all(in findings: [Finding]) -> [FoundCode] {
        var found: [FoundCode] = []
        for finding in findings {
            let place = found.firstIndex { $0.code == finding.code } ?? found.endIndex
            if place == found.endIndex { found.append(FoundCode(code: finding.code)) }
            found[place].times &+= finding.count
            if let key = finding.breakKey { found[place].breaks.insert(key) }
        }
        return found
    }

    var text: String {
        let times = times > 1 ? " (\(TextLayout.counted(times, "time"))\(place))" : ""
        return "\(code.code)\(times): \(code.meaning)"
    }

    private var place: String { breaks.isEmpty ? "" : " in \(TextLayout.counted(breaks.count, "break"))" }
}

/// Time limit of a check.
struct Patience: ExpressibleByArgument, CustomStringConvertible {
    static let usual = Patience(.seconds(150), as: "150s")
    static let allowed: ClosedRange<Duration> = .seconds(1) ... .seconds(86_400)

    let duration: Duration
    let description: String

    private init(_ duration: Duration, as description: String) {
        self.duration = duration
        self.description = description
    }

    /// Parses a duration; a plain number is seconds, for compatibility with versions without units.
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
