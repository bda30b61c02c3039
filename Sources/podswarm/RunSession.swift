import EventLoop
import Foundation
import HLS
import LoadProfile
import Measurement
import Origin
import Report
import Swarm
import Transport

/// One `podswarm run`, from the checks before the start to the written result.
struct RunSession {
    let plan: LoadPlan
    let profileFolder: URL
    let labels: [String: String]
    let store: ResultStore
    let output: RunOutput

    /// Runs, writes the result, prints the summary, and says how it ended.
    func run() async throws -> PodswarmExit {
        Preflight.raiseDescriptorLimit()
        try self.checkMachine(.ofThisMachine())
        try self.checkResultsFolder()
        let target = try RunTarget(self.plan, profileFolder: self.profileFolder)
        defer { target.stop() }
        try await target.checkReachable()

        let stop = StopRequest()
        let interruption = Interruption { stop.request(.interrupted) }
        let outcome = try await self.rehearse(target, stop: stop)
        let document = try await self.document(outcome, target: target)
        let file = try self.write(document)
        self.output.summary(document, file: file)
        withExtendedLifetime(interruption) {}
        return PodswarmExit(rawValue: Int32(document.verdict.exitCode)) ?? .ownDefect
    }

    /// Refuses a plan that this machine cannot carry, and says where it carries it narrowly.
    private func checkMachine(_ limits: Preflight.Limits) throws {
        let problems = Preflight.problems(of: self.plan, limits: limits)
        guard problems.isEmpty else {
            throw CommandFailure(.badInput, problems.map { "this machine: \($0)" }.joined(separator: "\n"))
        }
        for warning in Preflight.warnings(of: self.plan, limits: limits) {
            self.output.note("this machine: \(warning)")
        }
    }

    /// Finds out before the run, and not after it, that its result could not be kept.
    private func checkResultsFolder() throws {
        let path = self.store.folder.path
        do {
            try FileManager.default.createDirectory(at: self.store.folder, withIntermediateDirectories: true)
        } catch {
            throw CommandFailure(.badInput, "--results \(path): the folder cannot be made")
        }
        guard access(path, W_OK | X_OK) == 0 else {
            throw CommandFailure(.badInput, "--results \(path): \(String(cString: strerror(errno)))")
        }
    }

    private func rehearse(_ target: RunTarget, stop: StopRequest) async throws -> RunOutcome {
        // Half a second lets every loop be ready before the first viewer joins.
        let now = MonotonicClock.now()
        let timebase = Timebase(
            monotonicStart: now + 500_000_000,
            wallStart: WallTime(microseconds: MonotonicClock.wallMicroseconds() + 500_000)
        )
        let swarm: SwarmRun
        do {
            swarm = try await SwarmRun(
                target.plan,
                endpoints: target.endpoints,
                authorisedHosts: target.authorisedHosts,
                timebase: timebase
            )
        } catch {
            throw CommandFailure(.ownDefect, "the swarm could not be set up: \(error)")
        }
        var monitor = RunMonitor(target.plan, swarm: swarm, output: self.output, stop: stop)
        let end = await monitor.watch()
        self.output.note("\(end == .completed ? "" : "Stopping: ")waiting for the last answers.")
        await swarm.stop()
        await monitor.sample()
        let totals = RunTotals(merging: await swarm.totals())
        let resends = await swarm.resends()
        await swarm.shutDown()
        return RunOutcome(
            totals: totals,
            resends: resends,
            health: monitor.health,
            series: monitor.series,
            end: end,
            harnessFailure: monitor.harnessFailure,
            loopCount: swarm.loopCount,
            startedAt: timebase.wallStart.microseconds,
            endedAt: MonotonicClock.wallMicroseconds()
        )
    }

    private func document(_ outcome: RunOutcome, target: RunTarget) async throws -> ResultDocument {
        var reconciliation: Reconciliation?
        var defects = outcome.harnessFailure.map { [$0] } ?? []
        switch await target.ownCounts() {
        case .none: break
        case .read(let truth):
            reconciliation = Reconciliation(
                totals: outcome.totals,
                originReceived: truth.requests.mapValues(\.received),
                connections: .init(truth),
                resends: outcome.resends
            )
        case .gone: self.output.note("The embedded origin ended during the run: there are no counts to compare with.")
        case .unreadable: defects.append("the counts of the embedded origin could not be read")
        }
        return ResultDocument(
            run: RunDescription(self.plan, labels: self.labels, target: target, outcome: outcome),
            totals: outcome.totals,
            health: outcome.health,
            series: outcome.series,
            rules: self.rules,
            allowedFindings: self.plan.allowedFindings,
            reconciliation: reconciliation,
            defects: defects
        )
    }

    /// The profile's thresholds; where it says nothing of breaks, that most viewers have their pods in time.
    ///
    /// A run that served nobody must not pass for want of a threshold.
    private var rules: [ThresholdRule] {
        let rules = self.plan.thresholds.rules
        guard !rules.contains(where: { $0.metricName.hasPrefix("breaks") }) else { return rules }
        return rules + ((try? ThresholdRule(parsing: Self.standardThreshold)).map { [$0] } ?? [])
    }

    private static let standardThreshold = "breaks.on_time >= 99%"

    private func write(_ document: ResultDocument) throws -> URL {
        do {
            // A file name has room for one label; the release is what people look for.
            let label = self.labels["release"] ?? self.labels.min { $0.key < $1.key }?.value
            return try self.store.write(document, label: label)
        } catch {
            self.output.summary(document, file: nil)
            throw CommandFailure(.ownDefect, "the result could not be written: \(error)")
        }
    }
}

/// What a rehearsal came to, before it is judged.
struct RunOutcome {
    var totals: RunTotals
    /// Requests that were sent again because a reused connection turned out to be closed, by kind name.
    var resends: [String: Int]
    var health: HealthLog
    var series: TimeSeries
    var end: RunEnd
    /// Why the generator itself is not to be trusted; nil while it is.
    var harnessFailure: String?
    var loopCount: Int
    /// Microseconds since the Unix epoch.
    var startedAt: Int64
    var endedAt: Int64
}

/// Why viewers stopped watching.
enum RunEnd: Equatable, Sendable {
    case completed
    case interrupted
    /// The abort condition, as it was written.
    case aborted(String)
}

extension Reconciliation.Connections {
    fileprivate init(_ truth: GroundTruth) {
        self.init(
            total: truth.connections.total,
            shared: truth.connections.sharedBetweenSessions,
            viewers: truth.viewers.seen,
            maximumPerViewer: truth.viewers.maximumConnections
        )
    }
}
