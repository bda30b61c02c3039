import AdServing
import Comparison
package import Foundation
import HLS
import Origin
package import Profile
import Report
package import Results
import Swarm
import Transport
import Values
import Viewer

package struct RunSession {
    /// With the default source addresses.
    package private(set) var plan: LoadPlan
    let profileFolder: URL
    let labels: [String: String]
    let store: ResultStore
    let output: RunOutput
    package var clock = RunClock.machine
    package var writesReport = true
    package var judgesDrift = false
    package var keepsJournal = false
    var originTruthFile: String?
    /// In the order in which they receive each interval.
    package var sinks: [any IntervalSink] = []
    var lines: IntervalLines?
    var exports: [ExportTarget] = []
    var exchanges = ExchangesAsked()
    var live: LiveServer?
    var onEnd: EndNotice?
    /// Whether this run is one of a series that is compared.
    package var keepsPhase = false
    package var shard: ShardEnrolment?
    /// Nil: the session listens for signals itself; two listeners would not work.
    package var requests: RunRequests?

    private var hasTakenSources = false
    package var tellsBill = true

    package struct Finished: Sendable {
        package var exit: PodswarmExit
        /// This process's result: each shard has its own.
        package var document: ResultDocument
        package var file: URL
        package var endedBy: String?
    }

    package init(plan: LoadPlan, profileFolder: URL, labels: [String: String], store: ResultStore, output: RunOutput) {
        (self.plan, self.profileFolder, self.labels, self.store) = (plan, profileFolder, labels, store)
        self.output = output
    }

    package func run() async throws -> PodswarmExit { try await finish().exit }

    package func finish() async throws -> Finished {
        var session = self
        session.takeSourceAddresses()
        return try await session.begin()
    }

    /// Each shard on loopback has addresses of its own.
    private mutating func takeSourceAddresses() {
        let taken = clock.sources(of: plan, stripe: stripe)
        guard !taken.isEmpty else { return }
        plan.connection.sourceAddresses = taken
        hasTakenSources = true
        let addresses = taken.count == 1 ? "\(taken[0])" : "\(taken.count) addresses, from \(taken[0]) on"
        output.note("Viewers connect from \(addresses): with the ports of 127.0.0.1 alone requests would leave late.")
    }

    private func begin() async throws -> Finished {
        let requests = self.requests ?? RunRequests()
        if self.requests == nil { Interruption.listen(for: requests) }
        try ScratchFolder.check()
        try shard?.mark.check(plan)
        for warning in try clock.prepare(plan, stripe: stripe) { output.note("this machine: \(warning)") }
        let folders = try ResultFolders(of: plan.name, in: store)
        do {
            tellOfEarlierRuns()
            for note in plan.notes { output.note(note) }
            if tellsBill { await tellBill() }
            let calls = try await CalledRun(plan, profileFolder: profileFolder, shard: shard, clock: clock)
            return try await calls.closed { try await run(calls, requests) }
        } catch {
            folders.removeEmpty()
            throw error
        }
    }

    private func run(_ calls: CalledRun, _ requests: RunRequests) async throws -> Finished {
        let target = try RunTarget(plan, profileFolder: profileFolder, clock: clock)
        defer { target.stop() }
        guard try await requests.unlessEnded({ try await target.checkReachable() }) != nil else {
            throw Self.nothingSent
        }
        if let note = target.nameNote { output.note(note) }

        let all = resultOfAllShards(requests: requests)
        let outcome = try await rehearse(target, requests: requests, calls)
        let (document, truth) = await self.document(outcome, target: target)
        let file = try write(document, journal: outcome.journalResult.path)
        if !keepsJournal { await outcome.journal.remove() }
        requests.parting = nil
        if writesReport { ResultPage.write(document.html, beside: file, output) }
        // Beside a merged result, the shard's own has no exports.
        let unexported = all == nil ? exports.write(document) : nil
        let unwritten = keep(truth) ?? unexported ?? lines?.unwritten
        if all == nil { output.summary(document, file: file, exit: unwritten?.exit) }
        await onEnd?.send(file, output)
        var finished = Finished(
            exit: PodswarmExit(rawValue: Int32(document.verdict.exitCode)) ?? .ownDefect,
            document: document,
            file: file,
            endedBy: outcome.endedBy
        )
        if let all, let shard {
            output.note("Waiting for the other shards.")
            finished.exit = try await shard.place.closed { _ in try await all.value }
            return finished
        }
        await live?.end(document, output: output, requests: requests)
        await shard?.place.shutDown()
        output.verdict(document, exit: unwritten?.exit)
        if let unwritten { throw unwritten }
        return finished
    }

    private static let nothingSent = CommandFailure(
        "interrupted before anything was sent: there is no result (exit \(PodswarmExit.interrupted.rawValue))",
        as: .interrupted
    )

    /// A killed run leaves a journal that its result can be made from.
    private func tellOfEarlierRuns() {
        for run in JournalFolder.runs(in: store.profileFolder(plan.name)) where run.isOrphan {
            guard let newest = run.files.first else { continue }
            output.note("An earlier run left its journal and no result: podswarm recover \(newest.relativePath)")
        }
    }

    private func tellBill() async {
        // The bill covers all shards: one of them shows it.
        guard output.showsProgress, !plan.target.isEmbedded, stripe.index == 0 else { return }
        do {
            let target = BilledTarget(plan, profileFolder: profileFolder)
            let now = WallTime(microseconds: MonotonicClock.wallMicroseconds())
            output.note(try await target.bill(startingAt: now).text)
        } catch {
            output.note("The bill of this run cannot be made out: \((error as? CommandFailure)?.message ?? "\(error)")")
        }
    }

    /// The overlap depends on the start of the run.
    private func tellOverlap(from start: WallTime) {
        let calendar = BreakCalendar(plan.breaks, runStart: start)
        guard let (earlier, later) = calendar.overlap(in: start..<start + plan.duration) else { return }
        output.note(
            "The break at \(later.start.iso8601) begins before the one at \(earlier.start.iso8601) has ended: viewers in the "
                + "ads of one leave the other out."
        )
    }

    private func journal(_ settings: CollectorSettings) -> RunJournalWriter {
        let output = self.output
        let place = store.journalLocation(
            profile: settings.run.profile,
            startedAtMicroseconds: settings.run.startedAtMicroseconds,
            label: fileLabel
        )
        return RunJournalWriter(
            at: place,
            checkpoint: RunCollector(settings),
            disk: clock.disk,
            keepsPace: clock.waitsForWriting
        ) { output.note($0) }
    }

    private var stripe: AudienceStripe { shard?.stripe ?? .whole }

    private var fileLabel: String? { shard?.fileLabel ?? ResultStore.fileLabel(of: labels) }

    private func ready(_ target: RunTarget, requests: RunRequests) async throws -> ReadySwarm {
        guard let shard else {
            let lead = try await leadToStart(requests)
            return ReadySwarm(swarm: try await swarm(target, target.timebase(startingIn: lead)))
        }
        return try await ready(shard, target, requests: requests)
    }

    /// Waits for the other shards; throws `CommandFailure` for a run that does not start.
    private func ready(
        _ shard: ShardEnrolment,
        _ target: RunTarget,
        requests: RunRequests
    ) async throws -> ReadySwarm {
        let mark = shard.mark
        output.note("Shard \(mark.index) of \(mark.count) of run \(mark.runID): waiting for the others.")
        var time = try await shard.timekeeper(requests: requests, output: output)
        let hello = ShardHello(mark, profileDigest: plan.digest)
        var meeting = ShardMeeting(hello, runID: mark.runID, timing: shard.timing, now: time.now())
        var ready: ReadySwarm?
        while true {
            switch requests.end == nil ? await meeting.step(at: time.now(), in: shard.place) : .refused("interrupted") {
            case .wait: try? await Task.sleep(for: ShardEnrolment.period)
            case .prepare(let start):
                output.note("All \(mark.count) shards are there and begin at \(start.iso8601).")
                // Clocks drift while shards wait for each other.
                if let later = try? await ShardTimekeeper.measured(by: shard.place) { time = later }
                let sharing = hasTakenSources ? 1 : await shard.shardsOfThisMachine()
                try check(Preflight(ConnectionNeed(plan, stripe, sharing: sharing), .ofThisMachine()))
                let swarm = try await swarm(target, time.timebase(start: start))
                ready = ReadySwarm(swarm: swarm, time: time, sharing: sharing)
                meeting.arm()
            case .begin:
                if let ready { return ready }
            case .refused(let reason):
                await ready?.swarm.shutDown()
                throw CommandFailure(reason, as: requests.end == nil ? .badInput : .interrupted)
            }
        }
    }

    /// Waits until the run is about to start where runs that are compared start.
    private func leadToStart(_ requests: RunRequests) async throws -> Duration {
        let least = OriginLayout.headStart
        let asked = plan.channel.startEvery ?? (keepsPhase ? plan.channel.breakInterval : nil)
        guard let every = asked, !plan.target.isEmbedded else { return least }
        let now = WallTime(microseconds: MonotonicClock.wallMicroseconds())
        let start = Self.start(after: now + least, every: every, offset: plan.channel.breakOffset ?? .zero)
        output.note("Starting at \(start.iso8601), half way between two breaks, as runs that are compared do.")
        let wait = start.duration(since: now + least)
        guard try await requests.unlessEnded({ try await Task.sleep(for: wait) }) != nil else { throw Self.nothingSent }
        return max(.zero, start.duration(since: WallTime(microseconds: MonotonicClock.wallMicroseconds())))
    }

    /// First moment after `time` that is half way between two, `every` apart from `offset` on.
    static func start(after time: WallTime, every: Duration, offset: Duration) -> WallTime {
        let step = every.wholeMicroseconds
        let past = (time.microseconds - offset.wholeMicroseconds - step / 2) % step
        return time + .microseconds(step - (past < 0 ? past + step : past))
    }

    private struct ReadySwarm {
        var swarm: SwarmRun
        /// Nil for this machine's own clock.
        var time: ShardTimekeeper?
        /// Shards of this machine that connect from the same addresses.
        var sharing = 1
    }

    private func check(_ sharedPorts: Preflight) throws {
        if let problem = sharedPorts.portProblem { throw CommandFailure("this machine: \(problem)") }
        if let warning = sharedPorts.portWarning { output.note("this machine: \(warning)") }
    }

    private func swarm(_ target: RunTarget, _ timebase: Timebase) async throws -> SwarmRun {
        try await CommandFailure.awaiting("the swarm could not be set up: ", as: .ownDefect) {
            try await SwarmRun(
                target.plan,
                endpoints: target.endpoints,
                authorisedHosts: target.authorisedHosts,
                timebase: timebase,
                place: target.place,
                stripe: stripe,
                sharesSessionsAs: shard?.mark.runID,
                exchanges: exchanges
            )
        }
    }

    private func rehearse(_ target: RunTarget, requests: RunRequests, _ calls: CalledRun) async throws -> RunOutcome {
        let ready = try await ready(target, requests: requests)
        let swarm = ready.swarm
        tellOverlap(from: swarm.timebase.wallStart)
        let need = ConnectionNeed(plan, stripe, sharing: ready.sharing)
        var settings = CollectorSettings(self, target, swarm, need: need)
        settings.run.shard?.clock = ready.time?.facts
        let journal = self.journal(settings)
        let stream = shard.map {
            JournalStream(
                to: $0.place,
                shard: $0.mark.index,
                settings: settings,
                timing: .forRun(lasting: plan.duration)
            )
        }
        let others: [(any IntervalSink)?] = [lines, stream]
        var monitor = RunMonitor(
            settings,
            of: self,
            target: target,
            swarm: swarm,
            requests: requests,
            journal: journal,
            sinks: sinks + others.compactMap(\.self),
            // The shard that makes the merged result shows the whole run.
            live: shard?.mergesWithin == nil ? live : nil,
            time: ready.time
        )
        requests.parting = partingWords
        let planned = swarm.timebase.start &+ plan.duration.nanosecondsHeld
        let impatience = Task { await swarm.endWaits { requests.end != nil || swarm.now >= planned } }
        defer { impatience.cancel() }
        let end = await watch(swarm, by: &monitor, calls)
        let resends = await swarm.resends()
        var words: LastWords?
        if shard != nil {
            let sessions = await swarm.sessionKnowledge()
            words = LastWords(resends: resends, besides: target.requestsBesidesViewers, sessions: sessions)
        }
        await swarm.shutDown()
        if end == .interrupted, shard == nil, monitor.collector.counts.requests == 0 {
            await journal.remove()
            throw Self.nothingSent
        }
        if let shard, let time = ready.time { monitor.note(clock: await time.factsAtEnd(by: shard.place)) }
        var ending = monitor.ending(end, words)
        ending.defect = ending.defect ?? calls.defect
        let ended = monitor.collector.ended(ending)
        let kept = await journal.finish(checkpoint: ended, saysItEnded: true)
        if journal.isIncomplete {
            ending.ownFailure = ending.ownFailure ?? "the journal could not be kept: \(kept.error ?? "its disk failed")"
        }
        await stream?.finish(ended)
        return RunOutcome(
            collector: monitor.collector,
            journal: journal,
            journalResult: kept,
            resends: resends,
            end: end,
            ending: ending,
            notes: [lines?.problem, stream?.problem].compactMap(\.self) + calls.notes + end.notes + clock.notes
        )
    }

    private func watch(_ swarm: SwarmRun, by monitor: inout RunMonitor, _ calls: CalledRun) async -> RunEnd {
        calls.begin(swarm) { [output] in output.note($0) }
        let end = await monitor.watch()
        calls.refuse()
        if case .ownPartFailed = end {
            monitor.leaveOutUnresolved()
        } else {
            output.note("\(end == .completed ? "" : "Stopping: ")waiting for the last answers.")
            await swarm.stop()
            await monitor.sample()
        }
        await calls.end()
        return end
    }

    private var partingWords: String {
        let folder = store.profileFolder(plan.name).relativePath
        guard let shard else { return "there is no result: podswarm recover \(folder) makes one of the journal" }
        return
            "there is no result of this shard: podswarm merge takes its journal of run \(shard.mark.runID) in \(folder)"
    }

    private func document(_ outcome: RunOutcome, target: RunTarget) async -> (ResultDocument, GroundTruth?) {
        var reconciliation: Reconciliation?
        var kept: GroundTruth?
        var ending = outcome.ending
        var defects = outcome.ending.defect.map { [$0] } ?? []
        let endedAt = WallTime(microseconds: outcome.collector.endedAtMicroseconds)
        // A stopped origin would not answer.
        let isWhole = outcome.ending.ownFailure == nil
        let counts: RunTarget.OwnCounts = if isWhole { await target.ownCounts(at: endedAt) } else { .none }
        switch counts {
        case .none: break
        case .read(let truth):
            reconciliation = Reconciliation(
                totals: outcome.collector.wholeTotals,
                originReceived: truth.requests.mapValues(\.received),
                connections: .init(truth),
                resends: outcome.resends
            )
            defects += PlannedFields(plan).defects(in: truth.told ?? [:], cookies: truth.cookies)
            kept = truth
        case .gone: ending.ownFailure = ending.ownFailure ?? "the embedded origin ended during the run"
        case .outOfPorts: output.note("No port is left to ask the embedded origin for its counts.")
        case .unreadable: defects.append("the counts of the embedded origin could not be read")
        }
        var document = outcome.collector.document(
            ending,
            reconciliation: reconciliation,
            defects: defects,
            notes: outcome.notes,
            isOver: isWhole,
            drift: DriftJudge.verdicts
        )
        if outcome.end == .completed, let note = driftNote(document) {
            document.notes = (document.notes ?? []) + [note]
        }
        document.journal = outcome.journalResult
        if !keepsJournal { document.journal?.path = nil }
        return (document, kept)
    }

    /// A soak can be too short to show the absence of a trend.
    private func driftNote(_ document: ResultDocument) -> String? {
        guard judgesDrift, let drift = document.drift, !drift.isEmpty,
            drift.allSatisfy({ $0.verdict == .tooFewWindows })
        else { return nil }
        let windows = (document.windows ?? []).count { $0.isComplete && !$0.isWarmUp }
        return "Nothing is known of creeping: \(windows) whole windows after the warm-up are too few for any series. "
            + "Give the soak more time, or shorter windows with --window."
    }

    private func keep(_ truth: GroundTruth?) -> CommandFailure? {
        guard let truth, let originTruthFile else { return nil }
        do throws(CommandFailure) {
            try OutputPlace.write(json: truth.json(), to: originTruthFile)
            return nil
        } catch {
            let exit = "(exit \(PodswarmExit.notWritten.rawValue))"
            return CommandFailure("the origin's counts could not be written \(exit): \(error.message)", as: .notWritten)
        }
    }

    private func write(_ document: ResultDocument, journal: String?) throws -> URL {
        do {
            return try store.write(document, label: fileLabel, journal: journal.map { URL(fileURLWithPath: $0) })
        } catch {
            output.summary(document, file: nil, exit: .notWritten)
            let advice = journal.map { "free disk space, then: podswarm recover \($0)" } ?? "there is no journal either"
            throw CommandFailure(
                "the result could not be written (exit \(PodswarmExit.notWritten.rawValue)): "
                    + "\((error as? FileError)?.description ?? (error as NSError).localizedDescription); \(advice)",
                as: .notWritten
            )
        }
    }
}

struct RunOutcome {
    var collector: RunCollector
    var journal: RunJournalWriter
    var journalResult: JournalResult
    /// Repeats because a reused connection was closed, by kind name.
    var resends: [String: Int]
    var end: RunEnd
    var ending: RunEnding
    var notes: [String]

    var endedBy: String? {
        switch end {
        case .completed: nil
        case .interrupted: "interrupted"
        case .aborted(let condition): condition
        case .stopped(let reason), .ownPartFailed(let reason): reason
        }
    }
}

extension RunEnd {
    fileprivate var notes: [String] {
        if case .stopped(let reason) = self { ["Ended before its time: \(reason)."] } else { [] }
    }
}

extension Reconciliation.Connections {
    init(_ truth: GroundTruth) {
        self.init(
            total: truth.connections.total,
            shared: truth.connections.sharedBetweenSessions,
            viewers: truth.viewers.seen,
            maximumPerViewer: truth.viewers.maximumConnections
        )
    }
}
