import Glibc
import HLS
import Results
import Swarm
import Testing
import Values
import Viewer

@Suite struct CoreWaitTests {
    private typealias Threads = [Int32: ThreadSchedule]

    private func thread(ran: UInt64, waited: UInt64) -> ThreadSchedule {
        ThreadSchedule(ranNanoseconds: ran * 1_000_000, waitedNanoseconds: waited * 1_000_000)
    }

    private func wait(ran: Int64, waited: Int64, longest: Int64) -> CoreWait {
        CoreWait(
            ranMicroseconds: ran * 1_000,
            waitedMicroseconds: waited * 1_000,
            threadWaitedMicroseconds: longest * 1_000
        )
    }

    @Test func theKernelsLineIsRead() {
        let thread = ThreadSchedule(ranNanoseconds: 203_679, waitedNanoseconds: 2_210_071)
        #expect(ThreadSchedule(line: "203679 2210071 3\n") == thread)
        #expect(ThreadSchedule(line: "203679 2210071") == thread)
        #expect(ThreadSchedule(line: "18446744073709551615 0 0")?.ranNanoseconds == .max)
    }

    @Test(arguments: [
        ("12 (podswarm) S 1 12", ProcessState.running), ("12 (a) T (b) R 1", .running), ("12 (a) R) T 1", .stopped),
        ("12 (podswarm) t 1", .stopped), ("12 (podswarm) Z 1", .gone), ("12 (podswarm) X 1", .gone), ("", .running),
    ]) func theStateOfAProcessStandsBehindItsName(line: String, state: ProcessState) {
        #expect(ProcessState(line: line) == state)
    }

    @Test(arguments: ["", "\n", "5", "5 x 1", "-5 1 1", "1.5 2 3", "18446744073709551616 0 0", "\u{0}", "🎬 🎬 🎬"])
    func nothingElseIs(line: String) {
        #expect(ThreadSchedule(line: line) == nil)
    }

    @Test func theThreadsOfThisProcessAreFoundWhereTheKernelTellsOfThem() {
        #expect(ThreadSchedule.ofThreads(of: .max) == nil, "a process that is not there")
        guard access("/proc/self/schedstat", R_OK) == 0, let threads = ThreadSchedule.ofThreads() else { return }
        #expect(threads[getpid()] != nil)
        #expect(ThreadSchedule.ofThreads(of: getpid())?.keys.contains(getpid()) == true)
    }

    /// Threads before and after a second: the longest wait is of one thread, threads that end take nothing away, and those that
    /// begin count from their beginning under any number.
    @Test(
        arguments: [
            ([1: (100, 10), 2: (50, 0)], [1: (400, 310), 2: (150, 50)], [400, 350, 300]),
            ([1: (100, 900), 2: (100, 100)], [2: (200, 150)], [100, 50, 50]),
            ([1: (100, 900), 2: (100, 100)], [1: (10, 20), 2: (100, 100), 3: (5, 7)], [15, 27, 20]),
        ] as [([Int32: (UInt64, UInt64)], [Int32: (UInt64, UInt64)], [Int64])]
    )
    func waitsAreThoseOfTheThreads(before: [Int32: (UInt64, UInt64)], now: [Int32: (UInt64, UInt64)], sums: [Int64]) {
        var meter = CoreWaitMeter(before.mapValues { thread(ran: $0.0, waited: $0.1) })
        let threads = now.mapValues { thread(ran: $0.0, waited: $0.1) }
        let expected = wait(ran: sums[0], waited: sums[1], longest: sums[2])
        #expect(meter.look(at: threads, elapsedMicroseconds: 1_000_000) == expected)
        #expect(meter.look(at: threads, elapsedMicroseconds: 1_000_000) == wait(ran: 0, waited: 0, longest: 0))
    }

    @Test func aLongIntervalCountsByTheSecondAndAShortOneAsOne() {
        let now: Threads = [1: thread(ran: 400, waited: 800)]
        for (elapsed, expected) in [
            (2_000_000, wait(ran: 200, waited: 400, longest: 400)), (10_000, wait(ran: 400, waited: 800, longest: 800)),
            (0, wait(ran: 400, waited: 800, longest: 800)), (-5, wait(ran: 400, waited: 800, longest: 800)),
        ] as [(Int64, CoreWait)] {
            var meter = CoreWaitMeter([1: thread(ran: 0, waited: 0)])
            #expect(meter.look(at: now, elapsedMicroseconds: elapsed) == expected, "\(elapsed)")
        }
    }

    @Test func whatIsUnknownOnEitherSideStaysUnknown() {
        let known: Threads = [1: thread(ran: 100, waited: 100)]
        var meter = CoreWaitMeter(nil)
        #expect(meter.look(at: known, elapsedMicroseconds: 1_000_000) == nil)
        #expect(meter.look(at: nil, elapsedMicroseconds: 1_000_000) == nil)
        #expect(meter.look(at: known, elapsedMicroseconds: 1_000_000) == nil)
        #expect(meter.look(at: known, elapsedMicroseconds: 1_000_000) == wait(ran: 0, waited: 0, longest: 0))
    }

    @Test func noFigureOfAKernelTraps() {
        var meter = CoreWaitMeter([1: ThreadSchedule(ranNanoseconds: 0, waitedNanoseconds: 0)])
        let most = ThreadSchedule(ranNanoseconds: .max, waitedNanoseconds: .max)
        let now: Threads = [1: most, 2: most]
        #expect((meter.look(at: now, elapsedMicroseconds: .min)?.waitedMicroseconds ?? 0) > 0)
    }
}

@Suite struct HeapMemoryTests {
    /// The seconds at which memory is given back, where intervals end up to 40 ms early or late.
    private func seconds(window: Int64, over length: Int64, isQuiet: (Int64) -> Bool) -> [Int64] {
        var memory = HeapMemory(windowMilliseconds: window)
        return (1...length).filter { second in
            let end = second * 1_000_000 + (second.isMultiple(of: 2) ? -40_000 : 40_000)
            return memory.isDue(endMicroseconds: end, isQuiet: isQuiet(second))
        }
    }

    /// Short windows count as ten seconds, and one longer than all time is never due.
    @Test(
        arguments: [
            (60_000, 300, [60, 120, 180, 240, 300]), (10_000, 35, [10, 20, 30]), (1_000, 35, [10, 20, 30]),
            (0, 12, [10]), (.max, 100, []),
        ] as [(Int64, Int64, [Int64])]
    )
    func itIsDueOnceAWindow(window: Int64, length: Int64, due: [Int64]) {
        #expect(seconds(window: window, over: length) { _ in true } == due)
    }

    @Test func itWaitsForAQuietMomentButNotForEver() {
        #expect(seconds(window: 60_000, over: 150) { !(55...85).contains($0) } == [86, 120])
        #expect(seconds(window: 10_000, over: 65) { _ in false } == [30, 60])
    }

    @Test func aMomentIsQuietAwayFromBreaks() {
        let now = WallTime(microseconds: 1_800_000_000_000_000)
        var pulse = SwarmPulse()
        #expect(pulse.isQuiet(at: now, podRequests: 0) && !pulse.isQuiet(at: now, podRequests: 1))
        for (offset, isQuiet) in [(5, true), (4, false), (0, false), (-3, false)] {
            pulse.nextBreakStart = now + .seconds(offset)
            #expect(pulse.isQuiet(at: now, podRequests: 0) == isQuiet, "a break in \(offset) s")
        }
        pulse.nextBreakStart = nil
        pulse.viewersByPhase[Int(ViewerMachine.Phase.inBreak.rawValue)] = 1
        #expect(!pulse.isQuiet(at: now, podRequests: 0))
    }

    @Test func givingBackNothingIsHarmless() { for _ in 0..<2 { HeapMemory.giveBack() } }
}
