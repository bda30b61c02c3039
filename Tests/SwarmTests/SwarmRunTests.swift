import AdServing
import Dispatch
import Glibc
import HLS
import Origin
import Profile
import Results
import Rules
import Synchronization
import TestSupport
import Testing
import Transport
import Values

@testable import Swarm
@testable import Viewer

/// Whole runs on real loops.
///
/// Over sockets, because threads and the kernel are what virtual time has none of.
@Suite(.timeLimit(.minutes(15))) struct SwarmRunTests {
    /// Accepts connections and answers nothing.
    private let silent: LoopbackPort

    init() throws { silent = try LoopbackPort() }

    @Test func aLoopThatNeverAnswersIsNamedAndNotWaitedFor() async throws {
        let plan = LoadPlan.forRuns(viewers: 2)
        let run = try await plan.started(port: Int(silent.number), path: "/", observer: nil)
        let held = DispatchSemaphore(value: 0)
        run.perform(at: run.now) { held.wait() }
        run.endWaits()
        _ = await run.interval(number: 0)
        #expect(await run.pulse().harnessFailure?.hasPrefix("podswarm.loop.0 did not answer") == true)
        await run.stop()
        await run.shutDown()
        held.signal()
    }

    @Test func intervalsTakenWhileARunGoesAddUpToTheBooksOfTheOrigin() async throws {
        let plan = LoadPlan.forRuns(viewers: 20)
        let (intervals, truth) = try await withOrigin { origin, port in
            let milestones = Milestones()
            let run = try await plan.started(port: port, path: origin.multivariantPath, observer: milestones)
            var intervals: [RunInterval] = []
            for ended in [0, 1, 7, 20] {
                await milestones.reach { $0.adBreaksEnded >= ended }
                intervals.append(await run.interval(number: intervals.count))
            }
            await run.stop()
            intervals.append(await run.interval(number: intervals.count))
            let truth = origin.groundTruth()
            await run.shutDown()
            return (intervals, truth)
        }
        var counted: [String: UInt64] = [:]
        var asked: UInt64 = 0
        var inHand: [Int: [String: BreakRecord]] = [:]
        for interval in intervals {
            for kind in RequestKind.allCases {
                counted[kind.name, default: 0] += interval.sums.requests.outcomesByCode(kind).values.reduce(0, +)
            }
            asked += interval.sums.viewers[.podAskedMilliseconds]
            for changes in interval.changes {
                for record in changes.breaks { inHand[changes.loop, default: [:]][record.key] = record }
            }
        }
        for kind in RequestKind.allCases {
            #expect(counted[kind.name, default: 0] == UInt64(truth.requests[kind.name]?.received ?? 0), "\(kind.name)")
        }
        let records = inHand.values.flatMap(\.values)
        #expect(records.reduce(0) { $0 + $1.onTime + $1.late } >= 20)
        for record in records {
            let steps = record.inHand.counts.reduce(0) { $0 + UInt64($1) }
            #expect(steps + record.inHand.earlier + record.inHand.later == record.onTime + record.late)
        }
        let each = plan.breaks.podDuration.nanosecondsHeld / 1_000_000
        // The end of the run cuts what was asked for.
        #expect(asked > 0)
        #expect(asked <= UInt64(each) * records.reduce(0) { $0 + $1.burst.counts.reduce(0) { $0 + UInt64($1) } })
        #expect(intervals.reduce(0) { $0 + $1.sums.liveEdgeAge.count } > 0)
        #expect(intervals.last?.counts.activeViewers == 0)
        #expect(truth.viewers.seen == 20 && truth.connections.sharedBetweenSessions == 0)
    }

    @Test func aTargetThatDiesIsCountedByCodeAndTheRunGoesOn() async throws {
        let plan = LoadPlan.forRuns(viewers: 10)
        let milestones = Milestones()
        let run = try await withOrigin { origin, port in
            let run = try await plan.started(port: port, path: origin.multivariantPath, observer: milestones)
            await milestones.reach { $0.counted[.startedWatching, default: 0] >= 10 }
            return run
        }
        let before = milestones.seen.playlistsFailed
        await milestones.reach { $0.playlistsFailed >= before + 20 }
        await run.stop()
        let totals = RunTotals(merging: await run.totals())
        let pulse = await run.pulse()
        await run.shutDown()
        #expect(totals.requests.outcomesByCode(.playlist)["connect_refused", default: 0] > 0)
        #expect(totals.requests.outcomesByCode(.playlist)["http_200", default: 0] > 0)
        #expect(pulse.viewers(.gone) == run.planned && pulse.harnessFailure == nil)
    }

    /// A run of viewers whose requests are not answered.
    private func unanswered(
        viewers: Int,
        _ change: (inout LoadPlan) -> Void = { _ in }
    ) async throws -> (run: SwarmRun, milestones: Milestones) {
        var plan = LoadPlan.forRuns(viewers: viewers)
        plan.connection.firstByteTimeout = .milliseconds(200)
        change(&plan)
        let milestones = Milestones()
        let run = try await plan.started(port: Int(silent.number), path: "/live.m3u8", observer: milestones)
        return (run, milestones)
    }

    @Test func stoppingWaitsForRequestsThatNobodyAnswers() async throws {
        let (run, _) = try await unanswered(viewers: 4)
        await run.stop()
        let totals = RunTotals(merging: await run.totals())
        #expect(await run.pulse().viewers(.gone) == run.planned)
        await run.shutDown()
        let outcomes = totals.requests.outcomesByCode(.multivariant)
        #expect(outcomes.keys.allSatisfy { $0 == "first_byte_timeout" }, "\(outcomes)")
        // A viewer whose request timed out before the stop has asked again.
        #expect(totals.requestCount(of: .multivariant) >= totals.count(of: .joined))
    }

    @Test func stoppingTwiceAndAgainAfterwardsEnds() async throws {
        let (run, milestones) = try await unanswered(viewers: 4)
        await milestones.reach { $0.joined.count == 4 }
        async let first: Void = run.stop()
        async let second: Void = run.stop()
        _ = await (first, second)
        await run.stop()
        for _ in 0..<2 { await run.shutDown() }
        #expect(milestones.seen.counted[.left] == 4)
    }

    @Test func afterShuttingDownInTheMiddleNoConnectionIsOpen() async throws {
        let (run, milestones) = try await unanswered(viewers: 6) { $0.connection.firstByteTimeout = .seconds(60) }
        await milestones.reach { $0.joined.count == 6 }
        await run.shutDown()
        #expect(silent.connectionsFromThisProcess() == 0 && milestones.seen.joined.count == 6)
    }

    @Test func aSourceAddressThatIsNotOursIsCountedAndNoTrap() async throws {
        let foreign: (inout LoadPlan) -> Void = { $0.connection.sourceAddresses = ["203.0.113.7"] }
        guard let (run, milestones) = try? await unanswered(viewers: 2, foreign) else { return }
        await milestones.reach { $0.playlistsFailed >= 2 }
        await run.stop()
        let totals = RunTotals(merging: await run.totals())
        await run.shutDown()
        #expect(totals.requests.outcomesByCode(.multivariant)["http_200"] == nil)
    }

    @Test func neverMoreLoopsThanViewers() async throws {
        let (run, _) = try await unanswered(viewers: 1) { ($0.generator.loops, $0.audience.ramp) = (8, .seconds(3600)) }
        #expect(run.loopCount == 1)
        await run.shutDown()
    }
}

extension LoadPlan {
    /// A run of a second or two: a break every two seconds, ads of one second.
    fileprivate static func forRuns(viewers: Int) -> LoadPlan {
        .forTests {
            $0.audience.viewers = viewers
            $0.generator.loops = 2
            $0.breaks.source = .every(interval: .seconds(2), offset: .zero)
            $0.breaks.podDuration = .seconds(1)
            $0.playback.segments = .all
            // What a starved machine takes is no failure of the target's.
            $0.connection.connectTimeout = .seconds(60)
            $0.connection.firstByteTimeout = .seconds(60)
            $0.connection.totalTimeout = .seconds(120)
        }
    }

    /// Starts the plan against a port of this machine, now.
    fileprivate func started(port: Int, path: String, observer: (any ViewerObserver)?) async throws -> SwarmRun {
        let server = "http://127.0.0.1:\(port)"
        return try await SwarmRun(
            self,
            endpoints: TargetEndpoints(
                contentURL: server + path,
                adServers: [server],
                session: session,
                identifiesViewers: true
            ),
            authorisedHosts: AuthorisedHosts(),
            timebase: Timebase(
                start: MonotonicClock.now(),
                wallStart: WallTime(microseconds: MonotonicClock.wallMicroseconds())
            ),
            observer: observer
        )
    }
}

/// Starts an origin with a break every two seconds on a free port for as long as a closure runs.
private func withOrigin<Outcome: Sendable>(
    _ body: @Sendable (OriginServer, Int) async throws -> Outcome
) async throws -> Outcome {
    var configuration = OriginConfiguration()
    configuration.segmentDuration = .seconds(1)
    configuration.breakInterval = .seconds(2)
    configuration.breakDuration = .seconds(1)
    configuration.adDuration = .seconds(1)
    let server = try OriginServer(configuration: configuration)
    return try await LentServer.serving(run: server.run, stop: server.stop) { port in try await body(server, port) }
}

extension SwarmRun {
    fileprivate func interval(number: Int) async -> RunInterval {
        var interval = RunInterval(number: number)
        (interval.startMicroseconds, interval.endMicroseconds) = (Int64(number), Int64(number) + 1)
        _ = await takeInterval(into: &interval)
        return interval
    }
}

/// Watches all viewers of a run and wakes a test when enough has happened, so that no test waits by the clock.
final class Milestones: ViewerObserver {
    struct Seen: Sendable {
        var counted: [ViewerCounter: Int] = [:]
        var adBreaksEnded = 0
        var playlistsFailed = 0
        var joined: [Int] = []
    }

    private struct Waiter {
        let condition: @Sendable (Seen) -> Bool
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var seen = Seen()
        var waiters: [Waiter] = []
    }

    private let state = Mutex(State())

    func viewer(_ number: Int, wasWarnedBy kind: RequestKind, _ text: String) {}

    func viewer(_ number: Int, met event: ViewerEvent, did actions: [ViewerAction], now: Instant) {
        change { seen in
            switch event {
            case .playlistFailed: seen.playlistsFailed += 1
            case .join: seen.joined.append(number)
            default: break
            }
            for case .note(let note, _) in actions {
                switch note {
                case .counted(let counter): seen.counted[counter, default: 0] += 1
                case .adEvent(.adBreakEnded): seen.adBreaksEnded += 1
                default: break
                }
            }
        }
    }

    func viewer(_ number: Int, found code: FindingCode, _ evidence: Evidence) {}

    private func change(_ body: (inout Seen) -> Void) {
        let reached = state.withLock { state -> [Waiter] in
            body(&state.seen)
            let seen = state.seen
            let reached = state.waiters.filter { $0.condition(seen) }
            state.waiters.removeAll { $0.condition(seen) }
            return reached
        }
        for waiter in reached { waiter.continuation.resume() }
    }

    func reach(_ condition: @escaping @Sendable (Seen) -> Bool) async {
        await withCheckedContinuation { continuation in
            state.withLock { $0.waiters.append(Waiter(condition: condition, continuation: continuation)) }
            change { _ in }
        }
    }

    var seen: Seen { state.withLock { $0.seen } }
}
