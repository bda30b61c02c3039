import Comparison
package import Foundation
import Origin
package import Profile
import Report
package import Results
import Rules
import Swarm
package import Transport
package import Values
import Viewer

/// A process's part in a run of several shards.
package struct ShardEnrolment: Sendable {
    let mark: ShardMark
    let place: any RendezvousPlace
    let timing: ShardMeeting.Timing
    /// Silence allowed to another shard; nil unless this one makes the merged result.
    var mergesWithin: Duration?
    var toleratedLimitedShare = 0.0

    /// Seldom enough for a file system that a thousand shards share.
    static let period = Duration.milliseconds(200)

    package init(_ mark: ShardMark, at place: any RendezvousPlace, timing: ShardMeeting.Timing) {
        (self.mark, self.place, self.timing) = (mark, place, timing)
    }

    var stripe: AudienceStripe { AudienceStripe(mark.index, of: mark.count) }

    var fileLabel: String { "\(mark.runID)-shard-\(mark.index)-of-\(mark.count)" }

    /// Includes this one.
    func shardsOfThisMachine() async -> Int {
        let here = ProcessInfo.processInfo.hostName
        let hellos = (try? await MeetingNotes(in: place))?.hellos ?? []
        return max(hellos.count { $0.host == here }, 1)
    }

    /// The meeting point may not answer yet.
    func timekeeper(requests: RunRequests, output: RunOutput) async throws -> ShardTimekeeper {
        let clock = ContinuousClock()
        let giveUp = clock.now + timing.gathering
        while true {
            do {
                let time = try await ShardTimekeeper.measured(by: place)
                output.note(Self.words(time.facts.start))
                return time
            } catch {
                guard requests.end == nil else { throw CommandFailure("interrupted", as: .interrupted) }
                guard clock.now < giveUp, !error.isLasting else {
                    throw CommandFailure("the rendezvous does not answer: \(error); nothing is sent")
                }
                try? await Task.sleep(for: Self.period)
            }
        }
    }

    private static func words(_ clock: ShardClock.Offset) -> String {
        let way = clock.offsetMicroseconds < 0 ? "before" : "behind"
        let offset = MetricText.time(microseconds: abs(Double(clock.offsetMicroseconds)))
        let bound = MetricText.time(microseconds: Double(clock.boundMicroseconds))
        return "This machine's clock is \(offset) \(way) that of the rendezvous (±\(bound)); the run goes by that."
    }
}

extension ShardMark {
    /// Throws `CommandFailure` with the remedy for a plan that shards cannot share.
    package func check(_ plan: LoadPlan) throws(CommandFailure) {
        guard !plan.target.isEmbedded || count == 1 else {
            throw CommandFailure(
                "--shard: each of \(count) shards would start an origin of its own; serve one with podswarm origin, and "
                    + "name it as the profile's target"
            )
        }
        if let problem = plan.problemOfCalls(shards: count) { throw CommandFailure("--shard: \(problem)") }
        guard plan.audience.viewers >= count else {
            throw CommandFailure(
                "--shard \(index)/\(count): the audience of \(GroupedDigits.counted(plan.audience.viewers, "viewer")) is too "
                    + "small for \(count) shards"
            )
        }
    }
}

extension RunSession {
    /// Nil unless this shard makes the merged result; the task returns once all shards have ended, or at a stop in `requests`.
    func resultOfAllShards(requests: RunRequests) -> Task<PodswarmExit, any Error>? {
        guard let shard, let silence = shard.mergesWithin else { return nil }
        var watch = ShardWatch(shard.mark.runID, at: shard.place, output: output)
        (watch.beginsWithin, watch.silence) = (shard.timing.gathering + shard.timing.lead, silence)
        (watch.live, watch.requests, watch.showsProgress) = (live, requests, false)
        let merge = ShardMerge(
            toleratedLimitedShare: shard.toleratedLimitedShare,
            exports: exports,
            writesReport: writesReport,
            output: output
        )
        let results = store.folder
        return Task { [watch] in try await watch.merged(by: merge, into: results) }
    }
}

/// Continues the meeting place's clock by this machine's monotonic clock: its wall clock has no effect.
package struct ShardTimekeeper: Sendable {
    package let clock: PlaceClock
    package let facts: ShardClock

    package static func measured(by place: any RendezvousPlace) async throws(RendezvousError) -> ShardTimekeeper {
        let clock = try await measure(place)
        var facts = ShardClock(start: offset(of: clock))
        let kernel = KernelClock.now()
        facts.isSynchronised = kernel?.isSynchronised
        facts.kernelMaximumErrorMicroseconds = kernel?.maximumErrorMicroseconds
        return ShardTimekeeper(clock: clock, facts: facts)
    }

    /// Reading of the place's clock.
    package func now() -> WallTime { clock.reading(at: MonotonicClock.now()) }

    /// Shows a jump of the wall clock since the measurement.
    package func reading() -> ClockReading {
        var reading = ClockReading.now()
        reading.wall &+= facts.start.offsetMicroseconds
        return reading
    }

    /// `start` is by the place's clock.
    package func timebase(start: WallTime) -> Timebase { Timebase(start: clock.moment(of: start), wallStart: start) }

    /// Without the end if the place no longer answers.
    package func factsAtEnd(by place: any RendezvousPlace) async -> ShardClock {
        var facts = self.facts
        guard let later = try? await Self.measure(place) else { return facts }
        let drift = later.wall.duration(since: clock.reading(at: later.moment))
        facts.end = Self.offset(of: later)
        facts.end?.driftMicroseconds = drift.wholeMicroseconds
        return facts
    }

    private static func measure(_ place: any RendezvousPlace) async throws(RendezvousError) -> PlaceClock {
        try await PlaceClock.measured(
            by: place,
            now: { MonotonicClock.now() },
            rest: { try? await Task.sleep(for: $0) }
        )
    }

    private static func offset(of clock: PlaceClock) -> ShardClock.Offset {
        let reading = ClockReading.now()
        let offset = clock.reading(at: reading.monotonic).duration(since: WallTime(microseconds: reading.wall))
        return ShardClock.Offset(
            offsetMicroseconds: offset.wholeMicroseconds,
            boundMicroseconds: clock.bound.wholeMicroseconds
        )
    }
}

/// Works from any machine that reaches the meeting point.
package struct ShardWatch: Sendable {
    package let runID: String
    package let place: any RendezvousPlace
    package let output: RunOutput
    /// Longest wait for the shards to begin.
    package var beginsWithin = Duration.zero
    /// Silence after which a shard counts as lost.
    package var silence = Duration.zero
    package var live: LiveServer?
    package var requests = RunRequests()
    /// False where a shard shows the run.
    package var showsProgress = true
    /// Judges the breaks of a search's run, which ends with the first of its shards.
    package var judge: CapacityWatch?

    package init(_ runID: String, at place: any RendezvousPlace, output: RunOutput) {
        (self.runID, self.place, self.output) = (runID, place, output)
    }

    package struct Followed: Sendable {
        package var count: Int
        package var sources: [ShardJournals.Source]
        /// Reasons of shards that ended before they were asked to, of a run with a judge.
        package var endedEarly: [String] = []
    }

    /// Does not wait; throws `CommandFailure` without an answer or such a run.
    package func look() async throws -> Followed {
        let notes: MeetingNotes
        do {
            notes = try await MeetingNotes(in: place)
        } catch {
            throw CommandFailure("--rendezvous: \(error)", as: error.isLasting ? .badInput : .unreachable)
        }
        guard let count = notes.count else { throw CommandFailure("no shard of run '\(runID)' has come there") }
        let run = FollowedRun(count: count, silence: silence)
        do {
            try await run.pull(from: place)
        } catch {
            throw CommandFailure("--rendezvous: \(error)", as: .unreachable)
        }
        return Followed(count: count, sources: run.sources)
    }

    /// With a judge, goes on until the shards have ended by themselves, even if the run is to stop.
    ///
    /// Throws `CommandFailure` where the run does not start, or the user stops the following.
    package func follow() async throws -> Followed {
        let beginning = try await awaitedBeginning()
        let run = FollowedRun(count: beginning.count, silence: silence, now: .now + beginning.untilStart)
        var endedEarly: [String] = []
        var trouble = PlaceTrouble()
        var told = run.states()
        while true {
            guard !Task.isCancelled, judge != nil || requests.end == nil else {
                throw CommandFailure("the shards go on; nothing of them is judged", as: .interrupted)
            }
            do {
                try await run.pull(from: place, observe: { judge?.take($1, ofShard: $0, $2.settings) })
                output.note(trouble.note(nil))
            } catch {
                output.note(trouble.note(error))
            }
            let states = run.states()
            let changed = states.indices.filter { states[$0] != told[$0] }
            endedEarly += changed.compactMap { take(states[$0], ofShard: $0, of: states.count, run) }
            told = states
            let took = ContinuousClock().measure { show(run, states) }
            guard states.contains(where: { $0 == .awaited || $0 == .running }) else {
                return Followed(count: beginning.count, sources: run.sources, endedEarly: endedEarly)
            }
            // Looking takes at most a quarter of a core.
            try? await Task.sleep(for: max(.seconds(1), took * 3))
        }
    }

    private func awaitedBeginning() async throws -> (count: Int, untilStart: Duration) {
        let clock = ContinuousClock()
        let giveUp = clock.now + beginsWithin
        output.note("Waiting for the shards of run \(runID).")
        var (isTold, trouble) = (false, PlaceTrouble())
        while clock.now < giveUp {
            guard !Task.isCancelled, requests.end == nil else { throw CommandFailure("interrupted", as: .interrupted) }
            do {
                let reading = try await requests.unlessEnded { [place] in try await MeetingNotes(in: place) }
                guard let notes = reading else { continue }
                output.note(trouble.note(nil))
                if let count = notes.count, let missing = notes.missing {
                    guard missing.isEmpty else {
                        let who = missing.map(String.init).joined(separator: ", ")
                        throw CommandFailure("run not started: of \(count) shards these were not ready in time: \(who)")
                    }
                    return (count, try await notes.untilStart(in: place))
                }
                if !isTold, let count = notes.count {
                    output.note("Run \(runID): \(notes.hellos.count) of \(count) shards have come.")
                    isTold = true
                }
            } catch let error as RendezvousError {
                guard !error.isLasting else { throw CommandFailure("--rendezvous: \(error)") }
                output.note(trouble.note(error))
            }
            try? await Task.sleep(for: .milliseconds(500))
        }
        let seconds = beginsWithin.components.seconds
        let why = trouble.reason.map { "; the rendezvous does not answer: \($0)" } ?? ""
        throw CommandFailure("run '\(runID)' did not begin within \(seconds) s\(why)")
    }

    /// Announces a lost shard; returns why a shard of a run with a judge ended early.
    private func take(_ state: FollowedRun.State, ofShard index: Int, of count: Int, _ run: FollowedRun) -> String? {
        let name = "shard \(index) of \(count)"
        var reason: String?
        if case .lost(let why) = state {
            output.note("Shard \(index) of \(count) is lost: \(why).")
            reason = why
        }
        guard let judge, state != .awaited, state != .running else { return nil }
        let ending = run.collectors.first { $0.index == index }?.collector.ending
        // An interruption that was not requested here happened to the shard itself.
        if reason == nil, ending?.interrupted == true, requests.end == nil { reason = "it was interrupted" }
        judge.end(ofShard: index, lostFor: reason)
        // Without this shard the others answer another question, or exceed the load that the target is to bear.
        if let end = reason ?? ending?.abortedBy { requests.stop(.stopped("\(name): \(end)")) }
        return reason.map { "\(name): \($0)" }
    }

    private var isShown: Bool { showsProgress && output.showsProgress }

    private func show(_ run: FollowedRun, _ states: [FollowedRun.State]) {
        guard isShown || live != nil else { return }
        let shards = run.collectors
        guard let sum = RunCollector.sum(of: shards) else { return }
        let (phases, rows) = (ViewerMachine.Phase.words, LiveShard.all(shards, states))
        let progress = Report.Progress(of: run.latest(states), sum: sum, phases: phases, shards: rows)
        if isShown { output.progress(progress) }
        live?.publish(progress, of: sum, shards: rows)
    }
}

extension ShardWatch {
    /// Throws `CommandFailure` without a result.
    package func merged(by merge: ShardMerge, into results: URL) async throws -> PodswarmExit {
        let document: ResultDocument
        let exit: PodswarmExit
        do {
            let followed = try await follow()
            document = try merge.document(of: followed.sources, runID: runID, expected: followed.count).document
            exit = try merge.write(document, runID: runID, to: results).exit
        } catch {
            await live?.stop()
            throw error
        }
        await live?.end(document, output: output, requests: requests)
        output.verdict(document)
        return exit
    }
}

package struct ShardMerge: Sendable {
    /// Share of viewers, from 0 to 1, that client-limited shards may have together.
    var toleratedLimitedShare = 0.0
    /// Counts of an origin that served only this run.
    var originTruthFile: String?
    var exports: [ExportTarget] = []
    var writesReport: Bool
    package var output: RunOutput

    /// A nil `runID` expects a single run; a nil `expected` trusts the journals; throws every reason against a result.
    package func document(
        of sources: [ShardJournals.Source],
        runID: String?,
        expected: Int?
    ) throws(CommandFailure) -> (document: ResultDocument, runID: String) {
        let origin = try originCounts()
        do throws(Problems) {
            let journals = try ShardJournals(among: sources, runID: runID, expected: expected)
            for note in journals.notes { output.note(note) }
            let merged = try MergedRun(reading: journals)
            guard
                let document = merged.document(
                    toleratedLimitedShare: toleratedLimitedShare,
                    origin: origin,
                    drift: DriftJudge.verdicts
                )
            else { throw Problems(["there is nothing to merge"]) }
            return (document, journals.runID)
        } catch {
            throw CommandFailure(error.all.map { "merge: \($0)" }.joined(separator: "\n"))
        }
    }

    /// Before any journal, so that an unreadable file is reported at once.
    private func originCounts() throws(CommandFailure) -> MergedRun.OriginCounts? {
        guard let originTruthFile else { return nil }
        let data = try? ResultFile.contents(of: originTruthFile)
        if let data, let truth = try? GroundTruth(json: data) {
            let connections = truth.viewers.seen > 0 ? Reconciliation.Connections(truth) : nil
            return (received: truth.requests.mapValues(\.received), connections: connections)
        }
        let fix = "this is not what an origin counted; fetch it from /origin/truth.json there"
        throw CommandFailure("--origin-truth \(originTruthFile): \(fix)")
    }

    /// Includes page and exports; throws `CommandFailure` where one cannot be written.
    package func write(
        _ document: ResultDocument,
        runID: String,
        to results: URL
    ) throws -> (file: URL, exit: PodswarmExit) {
        let file = try CommandFailure.telling("the merged result could not be written: ", as: .notWritten) {
            try ResultStore(folder: results).write(document, label: "\(runID)-merged")
        }
        let unwritten = exports.write(document)
        if writesReport { ResultPage.write(document.html, beside: file, output) }
        output.summary(document, file: file, exit: unwritten?.exit)
        if let unwritten {
            output.verdict(document, exit: unwritten.exit)
            throw unwritten
        }
        return (file, PodswarmExit(rawValue: Int32(clamping: document.verdict.exitCode)) ?? .ownDefect)
    }
}

extension ShardMerge {
    package init(writesReport: Bool, to output: RunOutput) { self.init(writesReport: writesReport, output: output) }
}
