import Glibc
import TestSupport
import Testing
import Time

@testable import EventLoop

/// Keeps the thread at work for a while by the clock.
private func work(nanoseconds: Int64) {
    let end = MonotonicClock.now().later(by: nanoseconds)
    while MonotonicClock.now() < end {}
}

/// More than any test may take on however slow a machine: a loop that only waits for it, or spins until then, is late.
private let anHour: Int64 = 3_600_000_000_000

/// What comes first within a turn, and what a turn that waits or spins still lets through.
@Suite(.timeLimit(.minutes(15))) struct TurnTests {
    @Test func everyTimerThatIsDueFiresBeforeADescriptorIsRead() async throws {
        let fixture = try LoopFixture()
        let ends = try makePipe()
        try await fixture.onLoop { [loop = fixture.loop, journal = fixture.journal] in
            loop.stallLimit = .max
            let registration = try loop.register(descriptor: ends.reader, interest: .readable, handler: journal)
            journal.onReady = { _, _ in loop.deregister(registration) }
            journal.onTimer = { token in if token % 100 == 0 { work(nanoseconds: 3_000_000) } }
            write(ends.writer, "x", 1)
            let instant = MonotonicClock.now()
            for token in 0..<UInt64(1000) { loop.schedule(at: instant, token: token, handler: journal) }
        }
        let entries = try await fixture.entries(1001)
        #expect(entries == (0..<1000).map { "timer \($0)" } + ["ready 1"])
        await fixture.shutDown()
        close(ends.reader)
        close(ends.writer)
    }

    /// A loop that was kept from its work for longer than it may be: what came meanwhile is told before what was due.
    @Test func aLoopThatIsLateDeliversWhatIsReadyBeforeATimerFires() async throws {
        let fixture = try LoopFixture()
        let pipes = try (0..<3).map { _ in try makePipe() }
        let stall = try await fixture.onLoop { [loop = fixture.loop, journal = fixture.journal] in
            loop.stallLimit = 1_000_000
            var registrations: [Int32: Registration] = [:]
            for ends in pipes {
                registrations[ends.reader] = try loop.register(
                    descriptor: ends.reader,
                    interest: .readable,
                    handler: journal
                )
                write(ends.writer, "x", 1)
            }
            let all = registrations
            journal.onReady = { descriptor, _ in
                if let registration = all[descriptor] { loop.deregister(registration) }
            }
            loop.schedule(at: MonotonicClock.now(), token: 1, handler: journal)
            work(nanoseconds: 2_000_000)
            return MonotonicClock.now()
        }
        let entries = try await fixture.entries(4)
        #expect(entries == ["ready 1", "ready 1", "ready 1", "timer 1"])
        let last = try await fixture.onLoop { [loop = fixture.loop] in loop.lastStall }
        let found = try #require(last)
        #expect(found.length > 1_000_000)
        #expect(found.endedAt >= stall)
        #expect(found.reaches(found.endedAt.later(by: found.length - 1)))
        #expect(!found.reaches(found.endedAt.later(by: found.length)))
        await fixture.shutDown()
        for ends in pipes {
            close(ends.reader)
            close(ends.writer)
        }
    }

    /// What lies outside of what can be is none: as after a step of the wall clock between the stamp and its reading.
    @Test func aStampOfTheWallClockBecomesAMomentOfTheLoopsOwn() async throws {
        let fixture = try LoopFixture()
        try await fixture.onLoop { [loop = fixture.loop] in
            let now = MonotonicClock.now()
            let wall = MonotonicClock.wallMicroseconds() * 1_000
            let second: Int64 = 1_000_000_000
            let sentAt = now.earlier(by: second)
            for wrong in [0, wall + 2 * second, wall - 2 * second, .min, .max] {
                #expect(loop.instant(ofStamp: wrong, from: sentAt, to: now) == .zero)
            }
            let good = loop.instant(ofStamp: wall - second / 2, from: sentAt, to: now)
            #expect(good > sentAt)
            #expect(good < now)
            // A clock that reads earlier than when it was read last.
            let earlier = now.earlier(by: 2 * second)
            #expect(loop.instant(ofStamp: wall, from: earlier, to: earlier) == .zero)
        }
        await fixture.shutDown()
    }

    @Test func handlersThatTakeLongKeepTimersWaitingForAFewOfThemOnly() async throws {
        let fixture = try LoopFixture()
        let count = 32
        let pipes = try (0..<count).map { _ in try makePipe() }
        try await fixture.onLoop { [loop = fixture.loop, journal = fixture.journal] in
            var registrations: [Int32: Registration] = [:]
            for ends in pipes {
                registrations[ends.reader] = try loop.register(
                    descriptor: ends.reader,
                    interest: .readable,
                    handler: journal
                )
                write(ends.writer, "x", 1)
            }
            let all = registrations
            journal.onReady = { descriptor, _ in
                // The first makes a timer that is due at once, and each takes a round's time alone.
                if journal.entries.isEmpty { loop.schedule(at: .distantPast, token: 7, handler: journal) }
                if let registration = all[descriptor] { loop.deregister(registration) }
                work(nanoseconds: 25_000_000)
            }
        }
        let entries = try await fixture.entries(count + 1)
        let timer = try #require(entries.firstIndex(of: "timer 7"))
        #expect(timer < 8, "as many as are told between two looks at the clock")
        #expect(entries.count { $0 == "ready 1" } == count, "each was told once, whatever came between")
        await fixture.shutDown()
        for ends in pipes {
            close(ends.reader)
            close(ends.writer)
        }
    }

    @Test func aHandlerThatSchedulesInThePastKeepsNobodyWaiting() async throws {
        let fixture = try LoopFixture()
        let ends = try makePipe()
        try await fixture.onLoop { [loop = fixture.loop, journal = fixture.journal] in
            loop.stallLimit = .max
            let registration = try loop.register(descriptor: ends.reader, interest: .readable, handler: journal)
            journal.onReady = { _, _ in if journal.entries.count > 6 { loop.deregister(registration) } }
            journal.onTimer = { token in
                guard token < 100, journal.entries.count < 6 else { return }
                loop.schedule(at: .distantPast, token: 0, handler: journal)
            }
            write(ends.writer, "x", 1)
            for token in 0..<UInt64(3) { loop.schedule(at: .zero, token: token, handler: journal) }
        }
        let entries = try await fixture.entries(8)
        let first = ["timer 0", "timer 1", "timer 2", "ready 1"]
        let second = ["timer 0", "timer 0", "timer 0", "ready 1"]
        #expect(Array(entries.prefix(8)) == first + second)
        await fixture.shutDown()
        close(ends.reader)
        close(ends.writer)
    }

    @Test func workHandedOverWaitsForOneRoundOnly() async throws {
        let fixture = try LoopFixture()
        try await fixture.onLoop { [loop = fixture.loop, journal = fixture.journal] in
            journal.extraTurns = 1000
            journal.onTimer = { _ in loop.execute { journal.note("work") } }
            loop.addTurnHandler(journal)
            loop.schedule(at: .zero, token: 1, handler: journal)
        }
        let entries = try await fixture.entries(1002)
        // One round, and one more where Dispatch had queued a turn of its own before the work came.
        #expect(try #require(entries.firstIndex(of: "work")) <= 3)
        #expect(entries.count == 1002)
        await fixture.shutDown()
    }

    /// Ten thousand round trips: were each to wait for the end of the loop's patience, the suite would run out of time.
    @Test func workHandedOverEndsAWait() async throws {
        let fixture = try LoopFixture()
        var sum = 0
        for number in 0..<10_000 { sum += try await fixture.onLoop { number } }
        #expect(sum == 49_995_000)
        await fixture.shutDown()
    }

    @Test func aLoopThatSpinsServesWorkAndDescriptors() async throws {
        let fixture = try LoopFixture(spin: .nanoseconds(anHour))
        let ends = try makePipe()
        let timer = try await fixture.onLoop { [loop = fixture.loop, journal = fixture.journal] in
            let registration = try loop.register(descriptor: ends.reader, interest: .readable, handler: journal)
            journal.onReady = { _, _ in loop.deregister(registration) }
            return loop.schedule(at: MonotonicClock.now().later(by: anHour), token: 1, handler: journal)
        }
        write(ends.writer, "x", 1)
        #expect(try await fixture.entries(1) == ["ready 1"])
        let wasPending = try await fixture.onLoop { [loop = fixture.loop] in loop.cancel(timer) }
        #expect(wasPending)
        await fixture.shutDown()
        close(ends.reader)
        close(ends.writer)
    }

    @Test(arguments: [Duration.zero, .microseconds(200), .seconds(1)], [true, false])
    func timersFireInOrderAndNeverEarlyHoweverTheLoopWaits(spin: Duration, waitsPrecisely: Bool) async throws {
        let fixture = try LoopFixture(spin: spin)
        let delays: [Int64] = [50_000, 700_000, 5_000_000, 15_000_000, 40_000_000, 130_000_000]
        try await fixture.onLoop { [loop = fixture.loop, journal = fixture.journal] in
            // The kernel says ENOSYS where there is no epoll_pwait2.
            loop.hasPreciseWait = waitsPrecisely
            let start = MonotonicClock.now()
            journal.onTimer = { token in
                if MonotonicClock.now() < start.later(by: delays[Int(token)]) { journal.note("early \(token)") }
            }
            for (token, delay) in delays.enumerated().reversed() {
                loop.schedule(at: start.later(by: delay), token: UInt64(token), handler: journal)
            }
        }
        let entries = try await fixture.entries(delays.count)
        #expect(entries == delays.indices.map { "timer \($0)" })
        await fixture.shutDown()
    }

    @Test(arguments: [Duration.zero, .microseconds(50), .nanoseconds(anHour)])
    func aLoopThatWaitsOrSpinsShutsDownAtOnce(spin: Duration) async throws {
        for _ in 0..<20 {
            let fixture = try LoopFixture(spin: spin)
            try await fixture.onLoop { [loop = fixture.loop, journal = fixture.journal] in
                loop.schedule(at: MonotonicClock.now().later(by: 2 * anHour), token: 2, handler: journal)
                loop.schedule(at: MonotonicClock.now().later(by: anHour), token: 1, handler: journal)
            }
            await fixture.shutDown()
            let entries = try await fixture.onLoop { [journal = fixture.journal] in journal.entries }
            #expect(entries == [])
        }
    }

    @Test func aTimerMayStopTheInterestThatAnEventWasTakenFor() async throws {
        let fixture = try LoopFixture()
        let ends = try makePipe()
        try await fixture.onLoop { [loop = fixture.loop, journal = fixture.journal] in
            let registration = try loop.register(descriptor: ends.reader, interest: .readable, handler: journal)
            journal.onReady = { _, _ in loop.deregister(registration) }
            journal.onTimer = { token in
                #expect((try? loop.update(registration, interest: token == 1 ? [] : .readable)) != nil)
            }
            write(ends.writer, "x", 1)
            loop.schedule(at: .zero, token: 1, handler: journal)
            loop.schedule(at: MonotonicClock.now().later(by: .milliseconds(1)), token: 2, handler: journal)
        }
        let entries = try await fixture.entries(3)
        #expect(entries == ["timer 1", "timer 2", "ready 1"])
        await fixture.shutDown()
        close(ends.reader)
        close(ends.writer)
    }

    @Test(arguments: [Duration.zero, .seconds(2)])
    func waitingAndSpinningAreNotBusyAndWorkIs(spin: Duration) async throws {
        // On a busy machine the work itself may take the rest of the second.
        let (statistics, elapsed) = try await Patience.agreeing {
            let fixture = try LoopFixture(spin: spin)
            let start = MonotonicClock.now()
            try await fixture.onLoop { [loop = fixture.loop, journal = fixture.journal] in
                journal.onTimer = { _ in work(nanoseconds: 5_000_000) }
                loop.schedule(at: start.later(by: .seconds(1)), token: 1, handler: journal)
                work(nanoseconds: 5_000_000)
            }
            _ = try await fixture.entries(1)
            let statistics = try await fixture.onLoop { [loop = fixture.loop] in loop.takeStatistics() }
            let elapsed = MonotonicClock.now().nanoseconds(since: start)
            await fixture.shutDown()
            return (statistics, elapsed)
        } on: { statistics, elapsed in
            statistics.busy < elapsed / 2
        }
        #expect(statistics.busy >= 10_000_000)
        #expect(statistics.busy < elapsed / 2)
        #expect(statistics.wakeUps > 0)
    }

    @Test func theDelayOfEachTimerOfABurstCountsWhatFiredBeforeIt() async throws {
        let fixture = try LoopFixture()
        try await fixture.onLoop { [loop = fixture.loop, journal = fixture.journal] in
            journal.onTimer = { _ in work(nanoseconds: 1_000_000) }
            let instant = MonotonicClock.now()
            for token in 0..<UInt64(10) { loop.schedule(at: instant, token: token, handler: journal) }
        }
        _ = try await fixture.entries(10)
        let statistics = try await fixture.onLoop { [loop = fixture.loop] in loop.takeStatistics() }
        #expect(statistics.timersFired == 10)
        #expect(statistics.maximumTimerDelay >= 9_000_000)
        #expect(statistics.totalTimerDelay >= 45_000_000)
        await fixture.shutDown()
    }

    @Test func moreLoopsThanCoresAllFireWhileOthersSpin() async throws {
        let fixtures = try (0..<6).map { try LoopFixture(spin: $0 % 2 == 0 ? .seconds(1) : .zero) }
        let instant = MonotonicClock.now().later(by: .milliseconds(100))
        for fixture in fixtures {
            try await fixture.onLoop { [loop = fixture.loop, journal = fixture.journal] in
                loop.schedule(at: instant, token: 1, handler: journal)
            }
        }
        for fixture in fixtures {
            #expect(try await fixture.entries(1) == ["timer 1"])
            await fixture.shutDown()
        }
    }
}
