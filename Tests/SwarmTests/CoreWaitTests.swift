import Glibc
import Recording
import Swarm
import Testing

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
        guard access("/proc/self/schedstat", R_OK) == 0, let threads = ThreadSchedule.ofThreads() else { return }
        #expect(threads[getpid()] != nil)
        #expect(ThreadSchedule.ofThreads(of: getpid())?.keys.contains(getpid()) == true)
    }

    @Test func aProcessThatIsNotThereIsUnknown() {
        #expect(ThreadSchedule.ofThreads(of: .max) == nil)
    }

    @Test func theLongestWaitIsOfOneThread() {
        var meter = CoreWaitMeter([1: thread(ran: 100, waited: 10), 2: thread(ran: 50, waited: 0)])
        let now: Threads = [1: thread(ran: 400, waited: 310), 2: thread(ran: 150, waited: 50)]
        #expect(meter.look(at: now, elapsedMicroseconds: 1_000_000) == wait(ran: 400, waited: 350, longest: 300))
        #expect(meter.look(at: now, elapsedMicroseconds: 1_000_000) == wait(ran: 0, waited: 0, longest: 0))
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

    @Test func threadsThatEndTakeNothingAway() {
        var meter = CoreWaitMeter([1: thread(ran: 100, waited: 900), 2: thread(ran: 100, waited: 100)])
        let left: Threads = [2: thread(ran: 200, waited: 150)]
        #expect(meter.look(at: left, elapsedMicroseconds: 1_000_000) == wait(ran: 100, waited: 50, longest: 50))
    }

    @Test func threadsThatBeginCountFromTheirBeginningUnderAnyNumber() {
        var meter = CoreWaitMeter([1: thread(ran: 100, waited: 900), 2: thread(ran: 100, waited: 100)])
        let now: Threads = [
            1: thread(ran: 10, waited: 20), 2: thread(ran: 100, waited: 100), 3: thread(ran: 5, waited: 7),
        ]
        #expect(meter.look(at: now, elapsedMicroseconds: 1_000_000) == wait(ran: 15, waited: 27, longest: 20))
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
