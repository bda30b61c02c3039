import Comparison
import ExampleRuns
import Rehearsal
import Results
import Rules
import Synchronization
import TestSupport
import Testing
import Values

@Suite struct CapacityWatchTests {
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
        ) { judged in listener.told.withLock { $0.append(judged.outcome) } }
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
        let timetable = RunCourse(sizes: onTime.map { _ in 10 }, spacing: .seconds(8), joinsPerSecond: 10)
        let starts = timetable.breaks.map { $0.millisecondsHeld / 1_000 }
        let plan = Plan(
            course: timetable,
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

    // MARK: Breaks of the channel

    /// A channel with breaks at these seconds, for which ten viewers are due three seconds later.
    private func watchChannel(breaksAt starts: [Int64], onTime: [Int], enough: Int, endsAfterTwoMissed: Bool = false)
        -> (breaks: [JudgedBreak], endedAt: Int64?, endedBy: String?)
    {
        let listener = Listener()
        var timing = Self.timing
        (timing.patienceMicroseconds, timing.isSpread) = (61_000_000, true)
        let plan = Plan(
            course: RunCourse(viewers: 10, count: enough, longest: .seconds(600), joinsPerSecond: 10),
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
        #expect((run.breaks.map(\.key), run.breaks.map(\.outcome)) == (["break 11", "break 31"], [.held, .held]))
        #expect((run.breaks.map(\.planned), run.endedAt) == ([10, 10], nil))
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

    /// What a shard says: of the viewers it has in the break at its sixth second, of seconds in which it has none, or no more.
    private enum Word {
        case viewers(_ shard: Int, onTime: Int = 100, late: Int = 0, seconds: Int = 12, loopDelay: Int64 = 0)
        case nobody(_ shard: Int, skipped: Int = 0, seconds: Int = 12)
        case ended(_ shard: Int)
        case lost(_ shard: Int)
    }

    /// Lines of a watch of three shards, after each report.
    private func told(viewers: Int, _ words: [Word]) -> String {
        let listener = Listener()
        let watch = CapacityWatch(
            rule: HoldRule(ofProfile: []),
            course: RunCourse(sizes: [viewers], spacing: .seconds(8), joinsPerSecond: 100),
            timing: Self.timing,
            shards: 3,
            endsAfterTwoMissed: false,
            requests: listener.requests
        ) { judged in listener.told.withLock { $0.append(judged.outcome) } }
        let (recorders, collector) = ((0..<3).map { _ in LoopRecorder() }, RunCollector(Self.settings))
        var next = [0, 0, 0]
        func second(of shard: Int, loopDelay: Int64 = 0) {
            var interval = RunInterval(second: next[shard], of: [recorders[shard]])
            interval.health.loopDelayMicroseconds = loopDelay
            watch.take(interval, ofShard: shard, collector.settings)
            next[shard] += 1
        }
        let lines = words.map { word in
            switch word {
            case .viewers(let shard, let onTime, let late, let seconds, let loopDelay):
                recorders[shard].count(.joined, by: UInt64(onTime + late))
                for number in 0..<seconds {
                    if number == 6 {
                        let at = ExampleRun.start + 6_000_000
                        let slot = recorders[shard].breakSlot(for: "break", start: at, durationMilliseconds: 5_000)
                        recorders[shard].serve(slot, due: onTime + late, onTime: onTime, late: late)
                    }
                    second(of: shard, loopDelay: loopDelay)
                }
            case .nobody(let shard, let skipped, let seconds):
                next[shard] += skipped
                for _ in 0..<seconds { second(of: shard) }
            case .ended(let shard): watch.end(ofShard: shard, lostFor: nil)
            case .lost(let shard): watch.end(ofShard: shard, lostFor: "it has said nothing for 15 s")
            }
            return "  \(word): \(listener.outcomes.map(\.rawValue))\n"
        }
        let breaks = watch.breaks.map { judged in
            "  \(judged.outcome.rawValue): \(judged.planned) planned, \(judged.watching) watching, \(judged.due) due,"
                + " \(judged.onTime) on time, \(judged.late) late\n"
                + judged.limits.map { "    limit: \($0)\n" }.joined()
        }
        return (lines + breaks).joined()
    }

    @Test func whatShardsTellOfABreakIsPinned() throws {
        let scenes: [(String, viewers: Int, [Word])] = [
            ("all have told of it", 300, [.viewers(0), .viewers(2), .viewers(1)]),
            ("one misses it", 300, [.viewers(0), .viewers(1, onTime: 96, late: 4), .viewers(2)]),
            (
                "one is its own limit", 300,
                [.viewers(0), .viewers(1, onTime: 90, late: 10, loopDelay: 5_000_000), .viewers(2)]
            ), ("one is lost", 300, [.viewers(0), .viewers(1), .viewers(2, seconds: 4), .lost(2)]),
            ("one that was lost speaks again", 300, [.viewers(0), .viewers(1), .lost(2), .viewers(2), .ended(2)]),
            ("one has no viewer in it", 200, [.viewers(0), .viewers(1), .nobody(2)]),
            (
                "some was told only as a sum", 200,
                [.viewers(0), .viewers(1, seconds: 4), .nobody(1, skipped: 4, seconds: 5), .nobody(2)]
            ),
            (
                "it is over for nobody when the run ends", 300,
                [.viewers(0, seconds: 8), .viewers(1, onTime: 0, late: 100, seconds: 8), .viewers(2, seconds: 8)]
                    + (0..<3).map { .ended($0) }
            ),
        ]
        let text = scenes.map { "\($0)\n\(told(viewers: $1, $2))" }.joined(separator: "\n")
        try GoldenFile.expect(text, at: "Tests/CapacityRunsTests/Goldens/shards.txt")
    }
}
