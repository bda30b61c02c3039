import CapacityResult
import CapacityRuns
import Console
import ExampleRuns
import Recording
import Rulebook
import RunJournal
import RunResult
import Synchronization
import Testing
import Time

@Suite struct CapacityWatchTests {
    /// What was told, and what was asked of the run.
    private final class Listener: Sendable {
        let told = Mutex<[JudgedBreak.Outcome]>([])
        let requests = RunRequests()

        var outcomes: [JudgedBreak.Outcome] { told.withLock { $0 } }

        var endedBy: String? {
            guard case .stopped(let reason) = requests.end else { return nil }
            return reason
        }
    }

    private static var settings: CollectorSettings {
        let run = ExampleRun.description(startingAt: ExampleRun.start)
        return CollectorSettings(run: run, loopCores: 1, descriptorLimit: 20_000, windowMilliseconds: 5_000)
    }

    /// Breaks of ten viewers each, by the second in which they are due.
    private struct Plan {
        let course: RunCourse
        /// The second in which each begins, and how many viewers have their pods in time.
        let breaks: [(start: Int64, onTime: Int)]
        /// How much later viewers are due.
        var delay: Int64 = 0
        var end: Int64
        var timing = CapacityWatchTests.timing
        var endsAfterTwoMissed = false
    }

    private static let timing = BreakGathering.Timing(
        leadMicroseconds: 1_000_000,
        graceMicroseconds: 1_000_000,
        patienceMicroseconds: 4_000_000
    )

    /// Lets a plan be watched.
    ///
    /// - Returns: The watch at the end of the run, and the second in which it asked for the end.
    private func watch(_ plan: Plan, _ listener: Listener) -> (watch: CapacityWatch, endedAt: Int64?) {
        let watch = CapacityWatch(
            rule: HoldRule(ofProfile: []),
            course: plan.course,
            timing: plan.timing,
            endsAfterTwoMissed: plan.endsAfterTwoMissed,
            requests: listener.requests
        ) { judged in
            listener.told.withLock { $0.append(judged.outcome) }
        }
        let (collector, recorder) = (RunCollector(Self.settings), LoopRecorder())
        recorder.count(.joined, by: 10)
        var endedAt: Int64?
        for second in 0..<plan.end {
            for (start, onTime) in plan.breaks where start + plan.delay == second {
                let at = ExampleRun.start + start * 1_000_000
                let slot = recorder.breakSlot(for: "break \(start)", start: at, durationMilliseconds: 5_000)
                recorder.serve(slot, due: 10, onTime: onTime)
            }
            watch.telling(RunInterval(second: Int(second), of: [recorder]), of: collector)(true)
            if endedAt == nil, listener.requests.end != nil { endedAt = second }
        }
        return (watch, endedAt)
    }

    /// Ten viewers at each break of a timetable, of whom so many have their pods in time.
    private func watch(onTime: [Int], isEscalation: Bool, listener: Listener) -> (watch: CapacityWatch, endedAt: Int64?)
    {
        let timetable = RunTimetable(sizes: onTime.map { _ in 10 }, spacing: .seconds(8), joinsPerSecond: 10)
        let starts = timetable.breaks.map { $0.millisecondsHeld / 1_000 }
        let plan = Plan(
            course: .listed(timetable),
            breaks: Array(zip(starts, onTime)),
            end: timetable.duration.millisecondsHeld / 1_000,
            endsAfterTwoMissed: isEscalation
        )
        return watch(plan, listener)
    }

    @Test func anEscalationEndsAfterTwoMissedBreaksInARow() throws {
        let listener = Listener()
        let ended = watch(onTime: [10, 4, 10, 4, 3, 10], isEscalation: true, listener: listener)
        // In the second after the grace of the fifth, and before the sixth.
        let fifth = try #require(ended.watch.breaks.dropFirst(4).first).startMicroseconds
        let asked = ExampleRun.start + (try #require(ended.endedAt)) * 1_000_000
        #expect((fifth..<fifth + 8_000_000).contains(asked))
        #expect(listener.endedBy == CapacityRunResult.twoMissed)
        #expect(listener.outcomes == [.held, .missed, .held, .missed, .missed, .held])
        #expect(ended.watch.breaks.map(\.outcome) == listener.outcomes)
        #expect(ended.watch.breaks.map(\.planned) == [10, 10, 10, 10, 10, 10])
        // The next run may go on.
        listener.requests.goOn()
        #expect(listener.requests.end == nil)
    }

    @Test func anotherRunGoesOnToItsEnd() {
        let listener = Listener()
        let ended = watch(onTime: [4, 3, 2], isEscalation: false, listener: listener)
        #expect(ended.endedAt == nil)
        #expect(listener.outcomes == [.missed, .missed, .missed])
    }

    @Test func beforeTheRunThereAreNoBreaks() {
        let listener = Listener()
        let ended = watch(onTime: [], isEscalation: true, listener: listener)
        #expect(ended.watch.breaks.isEmpty)
        #expect(ended.watch.problems.isEmpty)
    }

    // MARK: Breaks of the channel

    /// A channel with breaks at these seconds, for which ten viewers are due three seconds later.
    private func watchChannel(
        breaksAt starts: [Int64],
        onTime: [Int],
        enough: Int,
        endsAfterTwoMissed: Bool = false
    ) -> (breaks: [JudgedBreak], endedAt: Int64?, endedBy: String?) {
        let listener = Listener()
        var timing = Self.timing
        (timing.patienceMicroseconds, timing.isSpread) = (61_000_000, true)
        let plan = Plan(
            course: .awaited(AwaitedBreaks(viewers: 10, count: enough, longest: .seconds(600), joinsPerSecond: 10)),
            breaks: Array(zip(starts, onTime)),
            delay: 3,
            end: 100,
            timing: timing,
            endsAfterTwoMissed: endsAfterTwoMissed
        )
        let (watch, endedAt) = watch(plan, listener)
        return (watch.breaks, endedAt, listener.endedBy)
    }

    /// An audience that is all there eleven seconds after the start knows nothing of breaks that began before.
    @Test func breaksThatBeganBeforeTheAudienceHadSettledAreNotJudged() {
        let run = watchChannel(breaksAt: [2, 10, 11, 31], onTime: [3, 3, 10, 10], enough: 9)
        #expect(run.breaks.map(\.key) == ["break 11", "break 31"])
        #expect(run.breaks.map(\.outcome) == [.held, .held])
        #expect(run.breaks.map(\.planned) == [10, 10])
        #expect(run.endedAt == nil)
    }

    @Test func aRunEndsWhenEnoughBreaksOfTheChannelWereJudged() throws {
        let run = watchChannel(breaksAt: [5, 20, 35, 50, 65], onTime: [10, 10, 4, 10, 10], enough: 3)
        #expect(run.endedBy == CapacityRunResult.enoughSeen)
        #expect((53..<65).contains(try #require(run.endedAt)))
        #expect(run.breaks.prefix(3).map(\.outcome) == [.held, .missed, .held])
    }

    @Test func twoMissedBreaksOfTheChannelEndARun() {
        let run = watchChannel(breaksAt: [20, 35, 50], onTime: [4, 4, 10], enough: 9, endsAfterTwoMissed: true)
        #expect(run.endedBy == CapacityRunResult.twoMissed)
    }

    @Test func aChannelWithoutBreaksHasNoneThatCouldBeJudged() {
        let run = watchChannel(breaksAt: [], onTime: [], enough: 2)
        #expect(run.breaks.isEmpty)
        #expect(run.endedAt == nil)
    }

    // MARK: Several shards

    /// Three shards of a run with one break at its sixth second, each with its own viewers.
    private struct Shards {
        let watch: CapacityWatch
        let listener = Listener()
        private var recorders = (0..<3).map { _ in LoopRecorder() }
        private var seconds = [0, 0, 0]
        private let collector = RunCollector(CapacityWatchTests.settings)

        init(viewers: Int) {
            let told = listener
            watch = CapacityWatch(
                rule: HoldRule(ofProfile: []),
                course: .listed(RunTimetable(sizes: [viewers], spacing: .seconds(8), joinsPerSecond: 100)),
                timing: CapacityWatchTests.timing,
                shards: 3,
                endsAfterTwoMissed: false,
                requests: listener.requests
            ) { judged in
                told.told.withLock { $0.append(judged.outcome) }
            }
        }

        /// Lets a shard tell of its next second, or of one later than that.
        mutating func second(
            of shard: Int,
            skipping: Int = 0,
            loopDelayMicroseconds: Int64 = 0,
            _ deeds: (LoopRecorder) -> Void = { _ in }
        ) {
            deeds(recorders[shard])
            seconds[shard] += skipping
            var interval = RunInterval(second: seconds[shard], of: [recorders[shard]])
            interval.health.loopDelayMicroseconds = loopDelayMicroseconds
            watch.take(interval, ofShard: shard, collector.settings)
            seconds[shard] += 1
        }

        /// Lets a shard's viewers come, and have their pods at the sixth second, or not in time.
        mutating func play(
            _ shard: Int,
            until end: Int = 12,
            onTime: Int,
            late: Int = 0,
            loopDelayMicroseconds: Int64 = 0
        ) {
            for second in 0..<end {
                self.second(of: shard, loopDelayMicroseconds: loopDelayMicroseconds) { recorder in
                    if second == 0 { recorder.count(.joined, by: UInt64(onTime + late)) }
                    guard second == 6 else { return }
                    let at = ExampleRun.start + 6_000_000
                    let slot = recorder.breakSlot(for: "break", start: at, durationMilliseconds: 5_000)
                    recorder.serve(slot, due: onTime + late, onTime: onTime, late: late)
                }
            }
        }
    }

    @Test func aBreakIsJudgedWhenAllShardsHaveToldOfIt() throws {
        var shards = Shards(viewers: 300)
        shards.play(0, onTime: 100)
        shards.play(2, onTime: 100)
        #expect(shards.listener.outcomes.isEmpty)
        shards.play(1, onTime: 100)
        #expect(shards.listener.outcomes == [.held])
        let judged = try #require(shards.watch.breaks.first)
        #expect(shards.watch.breaks.count == 1)
        #expect(judged.due == 300)
        #expect(judged.onTime == 300)
        #expect(judged.watching == 300)
        #expect(judged.planned == 300)
    }

    @Test func whatOneShardMissesIsOfAll() throws {
        var shards = Shards(viewers: 300)
        shards.play(0, onTime: 100)
        shards.play(1, onTime: 96, late: 4)
        shards.play(2, onTime: 100)
        let judged = try #require(shards.watch.breaks.first)
        #expect(judged.outcome == .missed)
        #expect(judged.late == 4)
    }

    @Test func aShardThatIsItsOwnLimitCensorsAndIsNamed() throws {
        var shards = Shards(viewers: 300)
        shards.play(0, onTime: 100)
        shards.play(1, onTime: 90, late: 10, loopDelayMicroseconds: 5_000_000)
        shards.play(2, onTime: 100)
        let judged = try #require(shards.watch.breaks.first)
        #expect(judged.outcome == .censored)
        #expect(judged.limits.allSatisfy { $0.hasPrefix("shard 1: ") })
        #expect(!judged.limits.isEmpty)
    }

    @Test func aShardThatIsLostCensorsAndKeepsNobodyWaiting() throws {
        var shards = Shards(viewers: 300)
        shards.play(0, onTime: 100)
        shards.play(1, onTime: 100)
        shards.play(2, until: 4, onTime: 100)
        #expect(shards.listener.outcomes.isEmpty)
        shards.watch.end(ofShard: 2, lostFor: "it has said nothing for 15 s")
        #expect(shards.listener.outcomes == [.censored])
        let judged = try #require(shards.watch.breaks.first)
        #expect(judged.limits == ["shard 2: it has said nothing for 15 s"])
        #expect(shards.watch.breaks.count == 1)
    }

    @Test func aShardThatWasLostAndSpeaksAgainIsNotHeard() throws {
        var shards = Shards(viewers: 300)
        shards.play(0, onTime: 100)
        shards.play(1, onTime: 100)
        shards.watch.end(ofShard: 2, lostFor: "it has said nothing for 15 s")
        #expect(shards.listener.outcomes == [.censored])
        shards.play(2, onTime: 100)
        shards.watch.end(ofShard: 2, lostFor: nil)
        #expect(shards.listener.outcomes == [.censored])
        #expect(shards.watch.breaks.map(\.due) == [200])
    }

    @Test func aShardWithoutAViewerInABreakHasNothingToTell() {
        var shards = Shards(viewers: 200)
        shards.play(0, onTime: 100)
        shards.play(1, onTime: 100)
        for _ in 0..<12 { shards.second(of: 2) }
        #expect(shards.listener.outcomes == [.held])
    }

    @Test func whatWasToldOnlyAsASumIsNotTakenForWhole() throws {
        var shards = Shards(viewers: 200)
        shards.play(0, onTime: 100)
        shards.play(1, until: 4, onTime: 100)
        shards.second(of: 1, skipping: 4)
        for _ in 0..<4 { shards.second(of: 1) }
        for _ in 0..<12 { shards.second(of: 2) }
        let judged = try #require(shards.watch.breaks.first)
        #expect(judged.outcome == .censored)
        #expect(judged.limits == ["shard 1: what it did in this break came only as a sum"])
    }

    @Test func aRunThatAllEndTogetherIsJudgedToItsEnd() {
        var shards = Shards(viewers: 300)
        // The last break is not over for anybody when the run ends.
        for shard in 0..<3 { shards.play(shard, until: 8, onTime: shard == 1 ? 0 : 100, late: shard == 1 ? 100 : 0) }
        for shard in 0..<3 { shards.watch.end(ofShard: shard, lostFor: nil) }
        #expect(shards.watch.breaks.map(\.outcome) == [.missed])
    }
}
