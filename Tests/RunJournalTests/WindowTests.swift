import ExampleRuns
import Foundation
import Rules
import TestSupport
import Testing
import Values

@testable import Results

@Suite struct WindowTests {
    private func poll(_ loops: CollectedLoops, times: Int = 1) {
        for _ in 0..<times { loops.recorders[0].record(ExampleRun.firstSample) }
    }

    /// One second, or some, in which one poll was answered and two pings were sent.
    private func second(number: Int, lasting seconds: Int64 = 1, breaks: [BreakRecord] = []) -> RunInterval {
        var interval = Self.template
        (interval.number, interval.startMicroseconds) = (number, Int64(number) * seconds * 1_000_000)
        interval.endMicroseconds = interval.startMicroseconds + seconds * 1_000_000
        interval.wallMicroseconds = ExampleRun.start + interval.endMicroseconds
        if !breaks.isEmpty { interval.changes = (0..<2).map { LoopChanges(loop: $0, breaks: breaks) } }
        return interval
    }

    private static let template: RunInterval = {
        var loops = CollectedLoops(loops: 1)
        loops.recorders[0].record(ExampleRun.firstSample)
        loops.recorders[0].count(.pingsSent, by: 2)
        loops.recorders[0].liveEdge(ageMicroseconds: 7_000_000)
        return loops.close()
    }()

    private func sum(_ windows: [WindowResult], of count: (WindowResult) -> UInt64?) -> UInt64 {
        windows.reduce(0) { $0 + (count($1) ?? 0) }
    }

    private func polls(_ windows: [WindowResult]) -> UInt64 { sum(windows) { $0.requests["playlist"]?.count } }

    private static func breakRecord(_ index: Int) -> BreakRecord? {
        let recorder = LoopRecorder()
        let start = ExampleRun.start + Int64(index) * 120_000_000 + 3_500_000
        let slot = recorder.breakSlot(for: "\(index)", start: start, durationMilliseconds: 20_000)
        for viewer in 0..<8 {
            recorder.viewerDue(slot)
            recorder.podRequested(slot, identifier: "a", viewer: viewer, wallMicroseconds: start)
            recorder.viewerOnTime(slot, inHandAfterStart: Int64(viewer) * 300_000_000)
        }
        return RunTotals(merging: [recorder.whole()]).breaks.first
    }

    @Test func windowsMeetWithoutGapsAndHoldEverything() throws {
        var loops = CollectedLoops(loops: 1, settings: .example(windowMilliseconds: 5_000))
        var generator = SeededGenerator(seed: 7)
        for second in 0..<23 {
            poll(loops, times: second)
            // A clock that ends seconds a little late or early must not move a second into another window.
            let drift = Int64.random(in: -40...40, using: &generator)
            loops.close(after: (Int64(second) + 1) * 1_000 + drift - loops.collector.endMicroseconds / 1_000)
        }
        let windows = loops.collector.windowResults
        #expect(windows.count == 5)
        #expect(windows.map { $0.requests["playlist"]?.count ?? 0 } == [10, 35, 60, 85, 63])
        #expect((windows.map(\.isComplete), windows.first?.startMilliseconds) == ([true, true, true, true, false], 0))
        for (earlier, later) in zip(windows, windows.dropFirst()) {
            #expect(earlier.endMilliseconds == later.startMilliseconds)
        }
        #expect(windows.last?.endMilliseconds == loops.collector.endMicroseconds / 1_000)
        let response = try #require(windows[0].requests["playlist"]?.response)
        #expect((response.count, response.maximumMicroseconds) == (10, 4_000))
    }

    @Test(arguments: [(1, 287), (1, 288), (1, 289), (3, 900), (1, 600)])
    func pastTheLimitNeighboursAreJoinedAndNothingIsLost(length: Int, seconds: Int) throws {
        var collector = RunCollector(.example(windowMilliseconds: Int64(length) * 1_000))
        let record = try #require(Self.breakRecord(0))
        for number in 0..<seconds { collector.fold(second(number: number, breaks: number == 5 ? [record] : [])) }
        let windows = collector.windowResults
        #expect(windows.count <= 288)
        let sums = [
            polls(windows), sum(windows) { $0.requests["playlist"]?.response?.count },
            sum(windows) { $0.liveEdgeAge?.count }, sum(windows) { $0.viewers["pings_sent"] }, sum(windows) { $0.due },
        ]
        #expect(sums == [seconds, seconds, seconds, seconds * 2, 16].map { UInt64($0) })
        let due = try #require(windows.first { $0.due > 0 })
        #expect(due.startMilliseconds <= 3_500 && due.endMilliseconds > 3_500)
        #expect(windows.allSatisfy { $0.breaks == ($0.due > 0 ? 1 : 0) })
        for (earlier, later) in zip(windows, windows.dropFirst()) {
            #expect(earlier.endMilliseconds == later.startMilliseconds)
        }
        let lengths = Set(windows.dropLast().map { $0.endMilliseconds - $0.startMilliseconds })
        #expect(lengths.count == 1, "\(lengths.sorted())")
        let joined = try #require(lengths.first)
        #expect(windows.count * Int(joined) >= seconds * 1_000)
        #expect(joined == Int64(length) * 1_000 || windows.count >= 144)
    }

    @Test(arguments: [100, 600]) func breaksPastTheLimitCountWhereTheyHappen(seconds: Int) throws {
        let recorder = LoopRecorder(breakLimit: 1)
        _ = recorder.breakSlot(for: "first", start: ExampleRun.start, durationMilliseconds: 1_000)
        var collector = RunCollector(.example(windowMilliseconds: 1_000))
        for number in 0..<seconds {
            let start = ExampleRun.start + Int64(number) * 1_000_000
            let slot = recorder.breakSlot(for: "\(number)", start: start, durationMilliseconds: 500)
            recorder.viewerDue(slot)
            recorder.viewerOnTime(slot, inHandAfterStart: 0)
            var interval = second(number: number)
            interval.take(from: [recorder])
            collector.fold(interval)
        }
        let windows = collector.windowResults
        #expect(windows.reduce(0) { $0 + $1.due } == UInt64(seconds))
        let length = UInt64(try #require(windows.first).endMilliseconds) / 1_000
        #expect(windows.dropLast().allSatisfy { $0.due == length && $0.onTime == length })
        #expect(collector.totals.breaks.last?.due == UInt64(seconds))
        #expect(windows.allSatisfy { $0.breaks == 0 }, "no viewer is due for the one that is listed")
    }

    /// On a busy machine a second may end late, across the end of a window.
    @Test func aLateSecondMakesNoWindowOfItsOwn() {
        var loops = CollectedLoops(loops: 1, settings: .example(windowMilliseconds: 10_000))
        for milliseconds in [9_400, 1_500, 8_000, 1_900, 9_300, 1_300] as [Int64] { loops.close(after: milliseconds) }
        let windows = loops.collector.windowResults
        #expect(windows.map(\.startMilliseconds) == [0, 9_400, 20_800, 30_100])
        #expect(windows.map(\.isComplete) == [true, true, true, false])
    }

    @Test func theWarmUpHasWindowsOfItsOwn() {
        var loops = CollectedLoops(loops: 1, settings: .example(windowMilliseconds: 5_000, warmUpMilliseconds: 7_000))
        for _ in 0..<20 { loops.close() }
        let windows = loops.collector.windowResults
        #expect(windows.map(\.startMilliseconds) == [0, 5_000, 7_000, 12_000, 17_000])
        #expect(windows.map(\.isWarmUp) == [true, true, false, false, false])
    }

    @Test func joiningKeepsTheWarmUpApart() {
        var collector = RunCollector(.example(windowMilliseconds: 1_000, warmUpMilliseconds: 5_000))
        for number in 0..<700 { collector.fold(second(number: number)) }
        let windows = collector.windowResults
        #expect(windows.count <= 288)
        let warm = windows.filter(\.isWarmUp)
        #expect(warm.last?.endMilliseconds == 5_000)
        #expect((polls(warm), polls(windows)) == (5, 700))
    }

    @Test func aStandstillIsOneIntervalAndItsSecondsCount() {
        var loops = CollectedLoops(loops: 1, settings: .example(windowMilliseconds: 5_000))
        for _ in 0..<3 { loops.close() }
        let budget = GeneratorBudget.standard.loopDelayMicroseconds
        let wall = ExampleRun.start + 33_000_000
        loops.close(after: 30_000, health: HealthSample(wallMicroseconds: wall, loopDelayMicroseconds: budget + 1))
        for _ in 0..<3 { loops.close() }
        #expect((loops.collector.health.seconds, loops.collector.health.secondsOverLoopDelay) == (36, 30))
        let windows = loops.collector.windowResults
        #expect(windows.map(\.endMilliseconds) == [3_000, 33_000, 35_000, 36_000])
    }

    @Test func leastAndMostOfTheGeneratorAreThoseOfTheSamples() throws {
        var loops = CollectedLoops(loops: 1)
        for resident in [5, 3, 9, 4] as [Int64] {
            loops.close(
                health: HealthSample(
                    wallMicroseconds: 0,
                    cpuCores: Double(resident),
                    residentBytes: resident,
                    openDescriptors: Int(resident) * 10,
                    droppedStarts: 1
                )
            )
        }
        let window = try #require(loops.collector.windowResults.first)
        #expect((window.residentBytesMinimum, window.residentBytesMaximum) == (3, 9))
        #expect((window.openDescriptorsMinimum, window.openDescriptorsMaximum, window.droppedStarts) == (30, 90, 4))
        #expect(window.cpuCoresMean == 5.25)
    }

    /// Eight hours in intervals of ten seconds, a break every two minutes on two loops.
    @Test func memoryDoesNotGrowWithTheLengthOfARun() throws {
        var collector = RunCollector(.example(windowMilliseconds: 300_000))
        var sizes: [Int] = []
        for number in 0..<2_880 {
            let record = number % 12 == 0 ? Self.breakRecord(number / 12) : nil
            collector.fold(second(number: number, lasting: 10, breaks: [record].compactMap(\.self)))
            if number == 1_439 || number == 2_879 { sizes.append(try DocumentEncoding.journal.encode(collector).count) }
        }
        #expect(collector.windowResults.count == 96)
        #expect(collector.windowResults.reduce(0) { $0 + ($1.breaks ?? 0) } == 240, "both loops have each of them")
        #expect(sizes.allSatisfy { $0 < 3_000_000 }, "\(sizes)")
        // Twice the breaks, windows and steps of the series, of which there are never more than its limit.
        let growth = 120 * 2 * 1_000 + 48 * 4_000 + 1_440 * 250
        #expect(sizes[1] - sizes[0] < growth && growth < TimeSeries.standardLimit * 250, "\(sizes)")
        #expect(collector.totals.requestCount(of: .playlist) == 2_880)
        #expect(collector.totals.breaks.reduce(0) { $0 + $1.due } == 240 * 16)
    }
}

@Suite struct ClockTests {
    @Test func aStepOfTheWallClockIsListedAndSlewingIsNot() {
        var loops = CollectedLoops(loops: 1)
        for second in 0..<40 {
            // 500 ppm for ever, as much as NTP slews.
            loops.wallOffset += 500
            if second == 10 { loops.wallOffset += 3_600_000_000 }
            if second == 20 { loops.wallOffset -= 110_000 }
            if second == 30 { loops.wallOffset += 99_000 }
            loops.close()
        }
        let clock = loops.document.clock
        #expect((clock?.stepCount, clock?.steps.map(\.atMilliseconds)) == (2, [11_000, 21_000]))
        #expect(clock?.steps.map(\.byMicroseconds) == [3_600_000_500, -109_500])
        #expect(clock?.driftMicroseconds == Int64(3_600_009_000))
    }

    @Test func ofManyStepsTheFirstAreListedAndAllCounted() {
        var loops = CollectedLoops(loops: 1)
        for _ in 0..<250 {
            loops.wallOffset += 100_001
            loops.close()
        }
        let clock = loops.document.clock
        #expect((clock?.stepCount, clock?.steps.count) == (250, 100))
    }

    /// A part of podswarm that failed outweighs what viewers met, in what the journal keeps too.
    @Test func aPartThatFailedDecides() throws {
        var loops = CollectedLoops(loops: 1)
        loops.close()
        let reason = "the embedded origin ended during the run (signal 9)"
        let ended = loops.collector.ended(RunEnding(endedAtMicroseconds: 0, ownFailure: reason))
        let kept = try reread(ended)
        let document = kept.document(try #require(kept.ending))
        #expect(document.verdict.outcome == .clientLimited && document.verdict.reasons.first == reason)
        #expect(document.health.withinBudget)
    }

    /// Steps of an hour, to the second day of 1970, and of 230 years.
    @Test(arguments: [3_600_000_000, -3_600_000_000, 86_400_000_000 - ExampleRun.start, 7_253_280_000_000_000])
    func aStepMakesARunNeitherLongerNorShorter(step: Int64) {
        var loops = CollectedLoops(loops: 1)
        for second in 0..<10 {
            if second == 5 { loops.wallOffset += step }
            loops.close()
        }
        let document = loops.document
        #expect(document.run.endedAtMicroseconds == document.run.startedAtMicroseconds + 10_000_000)
        #expect(document.run.asked.first { $0.name == RunDescription.Asked.duration }?.observed == 10)
        #expect(document.clock?.stepCount == 1)
    }

    @Test func aStepMovesNoBreakIntoAnotherWindow() {
        var loops = CollectedLoops(loops: 1, settings: .example(windowMilliseconds: 1_000))
        let recorder = loops.recorders[0]
        loops.close()
        loops.wallOffset = -7_200_000_000
        let slot = recorder.breakSlot(for: "a", start: ExampleRun.start + 1_500_000, durationMilliseconds: 1)
        recorder.viewerDue(slot)
        loops.close()
        loops.close()
        #expect(loops.collector.windowResults.map(\.due) == [0, 1, 0])
        #expect(loops.collector.windowResults.map(\.breaks) == [0, 1, 0])
    }
}
