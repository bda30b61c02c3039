import CapacityResult
import CapacityRuns
import Console
import Recording
import Rulebook
import RunJournal
import RunResult
import Synchronization
import Testing
import Time

@Suite struct CapacityWatchTests {
    private static let start: Int64 = 1_795_291_200_000_000

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
        let host = CapacityDocument.new().search.host
        let run = RunDescription(
            profileName: "searched",
            profileDigest: "sha256:00ff",
            seed: 1,
            target: "embedded",
            startedAtMicroseconds: start,
            endedAtMicroseconds: start,
            loops: 1,
            transports: ["http/1.1"],
            tlsVerified: nil,
            host: host,
            asked: []
        )
        return CollectorSettings(
            run: run,
            thresholds: [],
            loopCores: 1,
            descriptorLimit: 20_000,
            windowMilliseconds: 5_000,
            warmUpMilliseconds: 0
        )
    }

    /// Ten viewers at each break, of whom so many have their pods in time.
    ///
    /// - Returns: The watch at the end of the run, and how many breaks there had been when it asked for that.
    private func watch(onTime: [Int], isEscalation: Bool, listener: Listener) -> (watch: CapacityWatch, breaks: Int?) {
        let timetable = RunTimetable(sizes: onTime.map { _ in 10 }, spacing: .seconds(8), joinsPerSecond: 10)
        let watch = CapacityWatch(
            rule: HoldRule(ofProfile: []),
            course: .listed(timetable),
            timing: BreakGathering.Timing(
                leadMicroseconds: 1_000_000,
                graceMicroseconds: 1_000_000,
                patienceMicroseconds: 4_000_000
            ),
            endsAfterTwoMissed: isEscalation,
            requests: listener.requests
        ) { judged in
            listener.told.withLock { $0.append(judged.outcome) }
        }
        let collector = RunCollector(Self.settings)
        let recorder = LoopRecorder()
        recorder.count(.joined, by: 10)
        var endedAt: Int?
        for second in 0..<(timetable.duration.millisecondsHeld / 1_000) {
            let now = Duration.seconds(second)
            let begun = timetable.breaks.count { $0 <= now }
            if let index = timetable.breaks.firstIndex(of: now) {
                let at = Self.start + second * 1_000_000
                let slot = recorder.breakSlot(for: "break \(index)", start: at, durationMilliseconds: 5_000)
                for viewer in 0..<10 {
                    recorder.viewerDue(slot)
                    if viewer < onTime[index] {
                        recorder.viewerOnTime(slot, inHandAfterStart: 0)
                    } else {
                        recorder.viewerFailed(slot, .podManifestFailed)
                    }
                }
            }
            var interval = RunInterval(
                number: Int(second),
                startMicroseconds: second * 1_000_000,
                endMicroseconds: (second + 1) * 1_000_000,
                wallMicroseconds: Self.start + (second + 1) * 1_000_000,
                health: HealthSample(wallMicroseconds: Self.start + (second + 1) * 1_000_000)
            )
            var part = recorder.takeInterval()
            interval.add(part, index: 0)
            if let set = part.takeClearedSet() { recorder.giveBack(set) }
            watch.telling(interval, of: collector)(true)
            if endedAt == nil, listener.requests.end != nil { endedAt = begun }
        }
        return (watch, endedAt)
    }

    @Test func anEscalationEndsAfterTwoMissedBreaksInARow() {
        let listener = Listener()
        let ended = watch(onTime: [10, 4, 10, 4, 3, 10], isEscalation: true, listener: listener)
        #expect(ended.breaks == 5)
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
        #expect(ended.breaks == nil)
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
    ///
    /// - Returns: What was judged, and the second in which the watch asked for the end.
    private func watchChannel(
        breaksAt starts: [Int],
        onTime: [Int],
        enough: Int,
        until end: Int = 100,
        endsAfterTwoMissed: Bool = false
    ) -> (breaks: [JudgedBreak], endedAt: Int?, endedBy: String?) {
        let listener = Listener()
        let awaited = AwaitedBreaks(viewers: 10, count: enough, longest: .seconds(600), joinsPerSecond: 10)
        let watch = CapacityWatch(
            rule: HoldRule(ofProfile: []),
            course: .awaited(awaited),
            timing: BreakGathering.Timing(
                leadMicroseconds: 1_000_000,
                graceMicroseconds: 1_000_000,
                patienceMicroseconds: 61_000_000,
                isSpread: true
            ),
            endsAfterTwoMissed: endsAfterTwoMissed,
            requests: listener.requests
        ) { judged in
            listener.told.withLock { $0.append(judged.outcome) }
        }
        let (collector, recorder) = (RunCollector(Self.settings), LoopRecorder())
        recorder.count(.joined, by: 10)
        var endedAt: Int?
        for second in 0..<end {
            if let index = starts.firstIndex(of: second - 3) {
                let at = Self.start + Int64(starts[index]) * 1_000_000
                let slot = recorder.breakSlot(for: "range-\(index)", start: at, durationMilliseconds: 5_000)
                for viewer in 0..<10 {
                    recorder.viewerDue(slot)
                    if viewer < onTime[index] {
                        recorder.viewerOnTime(slot, inHandAfterStart: 0)
                    } else {
                        recorder.viewerFailed(slot, .podManifestFailed)
                    }
                }
            }
            var interval = RunInterval(
                number: second,
                startMicroseconds: Int64(second) * 1_000_000,
                endMicroseconds: Int64(second + 1) * 1_000_000,
                wallMicroseconds: Self.start + Int64(second + 1) * 1_000_000,
                health: HealthSample(wallMicroseconds: Self.start + Int64(second + 1) * 1_000_000)
            )
            var part = recorder.takeInterval()
            interval.add(part, index: 0)
            if let set = part.takeClearedSet() { recorder.giveBack(set) }
            watch.telling(interval, of: collector)(true)
            if endedAt == nil, listener.requests.end != nil { endedAt = second }
        }
        return (watch.breaks, endedAt, listener.endedBy)
    }

    /// An audience that is all there eleven seconds after the start knows nothing of breaks that began before.
    @Test func breaksThatBeganBeforeTheAudienceHadSettledAreNotJudged() {
        let run = watchChannel(breaksAt: [2, 10, 11, 31], onTime: [3, 3, 10, 10], enough: 9)
        #expect(run.breaks.map(\.key) == ["range-2", "range-3"])
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
                timing: BreakGathering.Timing(
                    leadMicroseconds: 1_000_000,
                    graceMicroseconds: 1_000_000,
                    patienceMicroseconds: 4_000_000
                ),
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
            let start = Int64(seconds[shard]) * 1_000_000
            var health = HealthSample(wallMicroseconds: CapacityWatchTests.start + start + 1_000_000)
            health.loopDelayMicroseconds = loopDelayMicroseconds
            var interval = RunInterval(
                number: seconds[shard],
                startMicroseconds: start,
                endMicroseconds: start + 1_000_000,
                wallMicroseconds: CapacityWatchTests.start + start + 1_000_000,
                health: health
            )
            var part = recorders[shard].takeInterval()
            interval.add(part, index: 0)
            if let set = part.takeClearedSet() { recorders[shard].giveBack(set) }
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
                    let at = CapacityWatchTests.start + 6_000_000
                    let slot = recorder.breakSlot(for: "break", start: at, durationMilliseconds: 5_000)
                    for viewer in 0..<(onTime + late) {
                        recorder.viewerDue(slot)
                        if viewer < onTime {
                            recorder.viewerOnTime(slot, inHandAfterStart: 0)
                        } else {
                            recorder.viewerLate(slot, lateness: 3_000_000_000)
                        }
                    }
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
