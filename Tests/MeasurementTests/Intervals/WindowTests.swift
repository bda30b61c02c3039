import Foundation
import Measurement
import Testing

@Suite struct WindowTests {
    private func poll(_ loops: CollectedLoops, times: Int = 1) {
        for _ in 0..<times { loops.recorders[0].record(ExampleRun.firstSample) }
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
        #expect(windows.map(\.isComplete) == [true, true, true, true, false])
        #expect(windows.first?.startMilliseconds == 0)
        for (earlier, later) in zip(windows, windows.dropFirst()) {
            #expect(earlier.endMilliseconds == later.startMilliseconds)
        }
        #expect(windows.last?.endMilliseconds == loops.collector.endMicroseconds / 1_000)
        let response = try #require(windows[0].requests["playlist"]?.response)
        #expect(response.count == 10)
        #expect(response.maximumMicroseconds == 4_000)
    }

    @Test(arguments: [(1, 287), (1, 288), (1, 289), (3, 1_000), (1, 2_000), (2, 5_000)])
    func pastTheLimitNeighboursAreJoinedAndNothingIsLost(length: Int, seconds: Int) throws {
        var loops = CollectedLoops(loops: 1, settings: .example(windowMilliseconds: Int64(length) * 1_000))
        let slot = loops.recorders[0].breakSlot(for: "a", start: ExampleRun.start + 3_500_000, durationMilliseconds: 1)
        loops.recorders[0].viewerDue(slot)
        for second in 0..<seconds {
            poll(loops)
            loops.recorders[0].count(.pingsSent, by: 2)
            if second % 7 == 0 { loops.recorders[0].liveEdge(ageMicroseconds: Int64(second)) }
            loops.close()
        }
        let windows = loops.collector.windowResults
        #expect(windows.count <= 288)
        #expect(windows.reduce(0) { $0 + ($1.requests["playlist"]?.count ?? 0) } == UInt64(seconds))
        #expect(windows.reduce(0) { $0 + ($1.requests["playlist"]?.response?.count ?? 0) } == UInt64(seconds))
        #expect(windows.reduce(0) { $0 + ($1.viewers["pings_sent"] ?? 0) } == UInt64(seconds * 2))
        #expect(windows.reduce(0) { $0 + ($1.liveEdgeAge?.count ?? 0) } == UInt64((seconds + 6) / 7))
        #expect(windows.reduce(0) { $0 + $1.due } == 1)
        for (earlier, later) in zip(windows, windows.dropFirst()) {
            #expect(earlier.endMilliseconds == later.startMilliseconds)
        }
        let lengths = Set(windows.dropLast().map { $0.endMilliseconds - $0.startMilliseconds })
        #expect(lengths.count == 1, "\(lengths.sorted())")
        let joined = try #require(lengths.first)
        #expect(windows.count * Int(joined) >= seconds * 1_000)
        #expect(joined == Int64(length) * 1_000 || windows.count >= 144)
    }

    @Test func theWarmUpHasWindowsOfItsOwn() {
        var loops = CollectedLoops(
            loops: 1,
            settings: .example(windowMilliseconds: 5_000, warmUpMilliseconds: 7_000)
        )
        for _ in 0..<20 { loops.close() }
        let windows = loops.collector.windowResults
        #expect(windows.map(\.startMilliseconds) == [0, 5_000, 7_000, 12_000, 17_000])
        #expect(windows.map(\.isWarmUp) == [true, true, false, false, false])
    }

    @Test func joiningKeepsTheWarmUpApart() {
        var loops = CollectedLoops(
            loops: 1,
            settings: .example(windowMilliseconds: 1_000, warmUpMilliseconds: 5_000)
        )
        for _ in 0..<700 {
            poll(loops)
            loops.close()
        }
        let windows = loops.collector.windowResults
        #expect(windows.count <= 288)
        let warm = windows.filter(\.isWarmUp)
        #expect(warm.reduce(0) { $0 + ($1.requests["playlist"]?.count ?? 0) } == 5)
        #expect(warm.last?.endMilliseconds == 5_000)
        #expect(windows.reduce(0) { $0 + ($1.requests["playlist"]?.count ?? 0) } == 700)
    }

    @Test func aStandstillIsOneIntervalAndItsSecondsCount() {
        var loops = CollectedLoops(loops: 1, settings: .example(windowMilliseconds: 5_000))
        for _ in 0..<3 { loops.close() }
        let budget = GeneratorBudget.standard.loopDelayMicroseconds
        let wall = ExampleRun.start + 33_000_000
        loops.close(after: 30_000, health: HealthSample(wallMicroseconds: wall, loopDelayMicroseconds: budget + 1))
        for _ in 0..<3 { loops.close() }
        #expect(loops.collector.health.seconds == 36)
        #expect(loops.collector.health.secondsOverLoopDelay == 30)
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
        #expect(window.residentBytesMinimum == 3)
        #expect(window.residentBytesMaximum == 9)
        #expect(window.openDescriptorsMinimum == 30)
        #expect(window.openDescriptorsMaximum == 90)
        #expect(window.droppedStarts == 4)
        #expect(window.cpuCoresMean == 5.25)
    }

    /// Eight hours, a break every two minutes on two loops.
    @Test func memoryDoesNotGrowWithTheLengthOfARun() throws {
        var loops = CollectedLoops(loops: 2, settings: .example(windowMilliseconds: 300_000))
        var generator = SeededGenerator(seed: 1)
        var sizes: [Int] = []
        for second in 0..<28_800 {
            for (index, recorder) in loops.recorders.enumerated() {
                let start = ExampleRun.start + Int64(second / 120) * 120_000_000
                let slot = recorder.breakSlot(for: "\(second / 120)", start: start, durationMilliseconds: 20_000)
                recorder.record(ExampleRun.sample(.playlist, at: ExampleRun.second, using: &generator))
                if second % 120 < 3 {
                    recorder.viewerDue(slot)
                    recorder.podRequested(slot, identifier: "a", viewer: index, wallMicroseconds: start)
                    recorder.viewerOnTime(slot, inHandAfterStart: 0)
                }
            }
            loops.close()
            if second == 14_399 || second == 28_799 { sizes.append(try JSONEncoder().encode(loops.collector).count) }
        }
        #expect(loops.collector.series.points.count <= TimeSeries.standardLimit)
        #expect(loops.collector.windowResults.count == 96)
        #expect(sizes.allSatisfy { $0 < 3_000_000 }, "\(sizes)")
        // Twice the breaks and twice the windows, at less than 1 KB a break and loop and 4 KB a window.
        #expect(sizes[1] - sizes[0] < 120 * 2 * 1_000 + 48 * 4_000, "\(sizes)")
        #expect(loops.collector.totals.requestCount(of: .playlist) == 57_600)
    }
}

@Suite struct ClockTests {
    @Test func aStepOfTheWallClockIsListedAndSlewingIsNot() {
        var loops = CollectedLoops(loops: 1)
        for second in 0..<40 {
            // 500 ppm for ever, as much as NTP slews.
            loops.wallOffset += 500
            if second == 10 { loops.wallOffset += 3_600_000_000 }
            if second == 20 { loops.wallOffset -= 60_000 }
            if second == 30 { loops.wallOffset += 49_000 }
            loops.close()
        }
        let clock = loops.collector.document(RunEnding(endedAtMicroseconds: 0)).clock
        #expect(clock?.stepCount == 2)
        #expect(clock?.steps.map(\.atMilliseconds) == [11_000, 21_000])
        #expect(clock?.steps.map(\.byMicroseconds) == [3_600_000_500, -59_500])
        #expect(clock?.driftMicroseconds == 40 * 500 + 3_600_000_000 - 60_000 + 49_000)
    }

    @Test func ofManyStepsTheFirstAreListedAndAllCounted() {
        var loops = CollectedLoops(loops: 1)
        for _ in 0..<250 {
            loops.wallOffset += 100_000
            loops.close()
        }
        let clock = loops.collector.document(RunEnding(endedAtMicroseconds: 0)).clock
        #expect(clock?.stepCount == 250)
        #expect(clock?.steps.count == 100)
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
    }
}
