import Foundation
package import Profile
package import Results
import Rules
import Swarm
package import Transport
package import Values

/// A process's part in a run of several shards.
package struct ShardEnrolment: Sendable {
    let mark: ShardMark
    let place: any RendezvousPlace
    let timing: ShardMeeting.Timing
    /// Silence allowed to another shard; nil unless this one makes the merged result.
    var mergesWithin: Duration?
    var toleratedLimitedShare = 0.0

    /// Seldom enough for a file system that a thousand shards share.
    private static let period = Duration.milliseconds(200)

    package init(_ mark: ShardMark, at place: any RendezvousPlace, timing: ShardMeeting.Timing) {
        (self.mark, self.place, self.timing) = (mark, place, timing)
    }

    var stripe: AudienceStripe { AudienceStripe(mark.index, of: mark.count) }

    var fileLabel: String { "\(mark.runID)-shard-\(mark.index)-of-\(mark.count)" }

    func check(_ plan: LoadPlan) throws(CommandFailure) { try mark.check(plan) }

    /// A stop in `requests` ends the waiting; `abandon` releases the prepared state of a run that does not start, which throws
    /// `CommandFailure`.
    func begin<Ready>(
        _ plan: LoadPlan,
        requests: RunRequests,
        output: RunOutput,
        prepare: (WallTime, ShardTimekeeper) async throws -> Ready,
        abandon: (Ready) async -> Void
    ) async throws -> Ready {
        output.note("Shard \(mark.index) of \(mark.count) of run \(mark.runID): waiting for the others.")
        var time = try await timekeeper(requests: requests, output: output)
        var meeting = ShardMeeting(hello(plan, time.facts.start), runID: mark.runID, timing: timing, now: time.now())
        var ready: Ready?
        while true {
            switch requests.end == nil ? await meeting.step(at: time.now(), in: place) : .refused("interrupted") {
            case .wait: try? await Task.sleep(for: Self.period)
            case .prepare(let start):
                output.note("All \(mark.count) shards are there and begin at \(start.iso8601).")
                // Clocks drift while shards wait for each other.
                if let later = try? await ShardTimekeeper.measured(by: place) { time = later }
                ready = try await prepare(start, time)
                meeting.arm()
            case .begin:
                if let ready { return ready }
            case .refused(let reason):
                if let ready { await abandon(ready) }
                throw CommandFailure(requests.end == nil ? .badInput : .interrupted, reason)
            }
        }
    }

    /// Includes this one.
    func shardsOfThisMachine() async -> Int {
        let here = ProcessInfo.processInfo.hostName
        return max(await ShardHello.all(of: mark.count, in: place).count { $0.host == here }, 1)
    }

    /// Nil unless this shard makes the merged result.
    func watch(output: RunOutput, live: LiveServer?, requests: RunRequests) -> ShardWatch? {
        mergesWithin.map { silence in
            var watch = ShardWatch(mark.runID, at: place, output: output)
            (watch.beginsWithin, watch.silence) = (timing.gathering + timing.lead, silence)
            (watch.live, watch.requests, watch.showsProgress) = (live, requests, false)
            return watch
        }
    }

    func lastWords(of swarm: SwarmRun, resends: [String: Int], _ target: RunTarget) async -> LastWords {
        LastWords(resends: resends, besides: target.requestsBesidesViewers, sessions: await swarm.sessionKnowledge())
    }

    /// The meeting point may not answer yet.
    private func timekeeper(requests: RunRequests, output: RunOutput) async throws -> ShardTimekeeper {
        let clock = ContinuousClock()
        let giveUp = clock.now + timing.gathering
        while true {
            do {
                let time = try await ShardTimekeeper.measured(by: place)
                output.note(Self.words(time.facts.start))
                return time
            } catch {
                guard requests.end == nil else { throw CommandFailure(.interrupted, "interrupted") }
                guard clock.now < giveUp, !error.isLasting else {
                    throw CommandFailure(.badInput, "the rendezvous does not answer: \(error); nothing is sent")
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

    private func hello(_ plan: LoadPlan, _ clock: ShardClock.Offset) -> ShardHello {
        var hello = ShardHello(mark, profileDigest: plan.digest)
        hello.clockOffsetMicroseconds = clock.offsetMicroseconds
        hello.clockBoundMicroseconds = clock.boundMicroseconds
        return hello
    }
}

extension ShardMark {
    /// Throws `CommandFailure` with the remedy for a plan that shards cannot share.
    package func check(_ plan: LoadPlan) throws(CommandFailure) {
        guard !plan.target.isEmbedded || count == 1 else {
            throw CommandFailure(
                .badInput,
                "--shard: each of \(count) shards would start an origin of its own; serve one with podswarm origin, and "
                    + "name it as the profile's target"
            )
        }
        if let problem = plan.problemOfCalls(shards: count) { throw CommandFailure(.badInput, "--shard: \(problem)") }
        guard plan.audience.viewers >= count else {
            throw CommandFailure(
                .badInput,
                "--shard \(index)/\(count): \(plan.audience.viewers) viewers are too few for \(count) shards"
            )
        }
    }
}

extension ShardEnrolment {
    func stream(of settings: CollectorSettings) -> JournalStream {
        let planned = Duration.microseconds(settings.plannedMicroseconds ?? 0)
        return JournalStream(to: place, shard: mark.index, settings: settings, timing: .forRun(lasting: planned))
    }
}

extension RunSession {
    /// Nil unless this shard makes the merged result; the task returns once all shards have ended, or at a stop in `requests`.
    func resultOfAllShards(requests: RunRequests) -> Task<PodswarmExit, any Error>? {
        guard let shard, let watch = shard.watch(output: output, live: live, requests: requests) else { return nil }
        let merge = ShardMerge(
            toleratedLimitedShare: shard.toleratedLimitedShare,
            exports: exports,
            writesReport: writesReport,
            output: output
        )
        let results = store.folder
        return Task { try await watch.merged(by: merge, into: results) }
    }
}

/// Continues the meeting place's clock by this machine's monotonic clock: its wall clock has no effect.
package struct ShardTimekeeper: Sendable {
    package let clock: PlaceClock
    package let facts: ShardClock
    /// To add to this machine's wall clock.
    package var correction: Duration { .microseconds(facts.start.offsetMicroseconds) }

    package static func measured(by place: any RendezvousPlace) async throws(RendezvousError) -> ShardTimekeeper {
        let clock = try await measure(place)
        return ShardTimekeeper(clock, offset: offset(of: clock), kernel: KernelClock.now())
    }

    private init(_ clock: PlaceClock, offset: Int64, kernel: KernelClock?) {
        self.clock = clock
        var facts = ShardClock(
            start: .init(offsetMicroseconds: offset, boundMicroseconds: clock.bound.wholeMicroseconds)
        )
        facts.isSynchronised = kernel?.isSynchronised
        facts.kernelMaximumErrorMicroseconds = kernel?.maximumErrorMicroseconds
        self.facts = facts
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
        do {
            let later = try await Self.measure(place)
            let drift = later.wall.duration(since: clock.reading(at: later.moment))
            facts.end = .init(
                offsetMicroseconds: Self.offset(of: later),
                boundMicroseconds: later.bound.wholeMicroseconds,
                driftMicroseconds: drift.wholeMicroseconds
            )
        } catch {
            // No measurement at the end.
        }
        return facts
    }

    private static func measure(_ place: any RendezvousPlace) async throws(RendezvousError) -> PlaceClock {
        try await PlaceClock.measured(
            by: place,
            now: { MonotonicClock.now() },
            rest: { try? await Task.sleep(for: $0) }
        )
    }

    private static func offset(of clock: PlaceClock) -> Int64 {
        let reading = ClockReading.now()
        return clock.reading(at: reading.monotonic).duration(since: WallTime(microseconds: reading.wall))
            .wholeMicroseconds
    }
}
