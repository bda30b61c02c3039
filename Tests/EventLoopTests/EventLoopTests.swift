import EventLoop
import Glibc
import Testing
import Time

@Suite(.timeLimit(.minutes(15))) struct EventLoopTests {
    @Test func workRunsInTheOrderItWasHandedOver() async throws {
        let fixture = try LoopFixture()
        for number in 0..<100 { fixture.loop.execute { [journal = fixture.journal] in journal.note("\(number)") } }
        let entries = try await fixture.entries(100)
        #expect(entries == (0..<100).map(String.init))
        await fixture.shutDown()
    }

    @Test func timersFireByDeadlineWhateverTheOrderOfScheduling() async throws {
        let fixture = try LoopFixture()
        try await fixture.onLoop { [loop = fixture.loop, journal = fixture.journal] in
            let now = MonotonicClock.now()
            loop.schedule(at: now.later(by: .milliseconds(3)), token: 3, handler: journal)
            loop.schedule(at: now.later(by: .milliseconds(1)), token: 1, handler: journal)
            loop.schedule(at: now.later(by: .milliseconds(2)), token: 2, handler: journal)
            loop.schedule(at: .zero, token: 0, handler: journal)
            loop.schedule(at: .distantPast, token: 9, handler: journal)
        }
        let entries = try await fixture.entries(5)
        #expect(entries == ["timer 9", "timer 0", "timer 1", "timer 2", "timer 3"])
        await fixture.shutDown()
    }

    @Test func aTimerNeverFiresEarly() async throws {
        let fixture = try LoopFixture()
        try await fixture.onLoop { [loop = fixture.loop, journal = fixture.journal] in
            let start = MonotonicClock.now()
            journal.onTimer = { token in
                if MonotonicClock.now() < start.later(by: Int64(token)) { journal.note("early \(token)") }
            }
            for token in stride(from: UInt64(1000), to: 2_000_000, by: 20_011) {
                loop.schedule(at: start.later(by: Int64(token)), token: token, handler: journal)
            }
        }
        let entries = try await fixture.entries(100)
        #expect(!entries.contains { $0.hasPrefix("early") })
        await fixture.shutDown()
    }

    @Test func aTimerMayScheduleAndCancelOthers() async throws {
        let fixture = try LoopFixture()
        try await fixture.onLoop { [loop = fixture.loop, journal = fixture.journal] in
            let victim = loop.schedule(
                at: MonotonicClock.now().later(by: .milliseconds(1)),
                token: 66,
                handler: journal
            )
            journal.onTimer = { token in
                guard token == 1 else { return }
                loop.cancel(victim)
                loop.schedule(at: MonotonicClock.now().later(by: .milliseconds(2)), token: 2, handler: journal)
            }
            loop.schedule(at: .zero, token: 1, handler: journal)
        }
        let entries = try await fixture.entries(2)
        #expect(entries == ["timer 1", "timer 2"])
        let pending = try await fixture.onLoop { [loop = fixture.loop] in loop.pendingTimers }
        #expect(pending == 0)
        await fixture.shutDown()
    }

    @Test func aTimerFiresAfterEveryEarlierOneWasCancelledAndItsTimePassed() async throws {
        let fixture = try LoopFixture()
        let deadline = try await fixture.onLoop { [loop = fixture.loop, journal = fixture.journal] in
            let deadline = MonotonicClock.now().later(by: .milliseconds(1))
            loop.cancel(loop.schedule(at: deadline, token: 1, handler: journal))
            return deadline
        }
        var isPast = false
        while !isPast {
            isPast = try await fixture.onLoop { MonotonicClock.now() > deadline.later(by: .milliseconds(1)) }
        }
        // The turn's timers have been seen to when its handlers schedule, and nothing else wakes the loop after it.
        await withCheckedContinuation { continuation in
            fixture.loop.execute { [loop = fixture.loop, journal = fixture.journal] in
                journal.onTurn = {
                    loop.schedule(at: MonotonicClock.now().later(by: .milliseconds(1)), token: 2, handler: journal)
                }
                loop.addTurnHandler(journal)
                journal.wait(for: 1, continuation)
            }
        }
        #expect(try await fixture.entries(1) == ["timer 2"])
        await fixture.shutDown()
    }

    @Test func aReadableDescriptorIsReportedUntilDeregistered() async throws {
        let fixture = try LoopFixture()
        let ends = try makePipe()
        try await fixture.onLoop { [loop = fixture.loop, journal = fixture.journal] in
            let registration = try loop.register(descriptor: ends.reader, interest: .readable, handler: journal)
            journal.onReady = { _, _ in
                if journal.entries.count == 2 { loop.deregister(registration) }
            }
            write(ends.writer, "x", 1)
        }
        let entries = try await fixture.entries(3)
        #expect(entries == Array(repeating: "ready \(Readiness.readable.rawValue)", count: 3))
        let later = try await fixture.onLoop { [journal = fixture.journal] in journal.entries.count }
        #expect(later == 3)
        await fixture.shutDown()
        close(ends.reader)
        close(ends.writer)
    }

    @Test func interestCanBeChanged() async throws {
        let fixture = try LoopFixture()
        let ends = try makePipe()
        try await fixture.onLoop { [loop = fixture.loop, journal = fixture.journal] in
            let registration = try loop.register(descriptor: ends.writer, interest: [], handler: journal)
            journal.onReady = { _, readiness in
                #expect(readiness == .writable)
                loop.deregister(registration)
            }
            try loop.update(registration, interest: .writable)
        }
        let count = try await fixture.entries(1).count
        #expect(count == 1)
        await fixture.shutDown()
        close(ends.reader)
        close(ends.writer)
    }

    @Test func aHangUpIsReportedWithoutBeingAskedFor() async throws {
        let fixture = try LoopFixture()
        let ends = try makePipe()
        try await fixture.onLoop { [loop = fixture.loop, journal = fixture.journal] in
            let registration = try loop.register(descriptor: ends.reader, interest: [], handler: journal)
            journal.onReady = { _, _ in loop.deregister(registration) }
            close(ends.writer)
        }
        let entries = try await fixture.entries(1)
        #expect(entries == ["ready \(Readiness.failed.rawValue)"])
        await fixture.shutDown()
        close(ends.reader)
    }

    /// Two descriptors are ready in one batch; the first one's handler closes the second and reuses its number.
    @Test func anEventOfAnEarlierRegistrationIsNeverDelivered() async throws {
        let fixture = try LoopFixture()
        let first = try makePipe()
        let second = try makePipe()
        let stale = Journal()
        try await fixture.onLoop { [loop = fixture.loop, journal = fixture.journal] in
            write(first.writer, "x", 1)
            write(second.writer, "x", 1)
            let one = try loop.register(descriptor: first.reader, interest: .readable, handler: journal)
            let two = try loop.register(descriptor: second.reader, interest: .readable, handler: journal)
            journal.onReady = { descriptor, _ in
                let (other, otherEnd) = descriptor == first.reader ? (two, second) : (one, first)
                loop.deregister(one)
                loop.deregister(two)
                #expect((try? loop.register(descriptor: otherEnd.reader, interest: [], handler: stale)) != nil)
                #expect(other.descriptor == otherEnd.reader)
            }
        }
        let count = try await fixture.entries(1).count
        #expect(count == 1)
        let staleEntries = try await fixture.onLoop { stale.entries }
        #expect(staleEntries == [])
        await fixture.shutDown()
        for end in [first.reader, first.writer, second.reader, second.writer] { close(end) }
    }

    @Test func registeringAClosedDescriptorIsAnError() async throws {
        let fixture = try LoopFixture()
        #expect(try await fixture.registrationError(-1) == .system(call: "epoll_ctl", errno: EBADF))
        #expect(try await fixture.registrationError(1_000_000) == .system(call: "epoll_ctl", errno: EBADF))
        await fixture.shutDown()
    }

    @Test func aTurnHandlerThatAsksForMoreIsCalledAgainAtOnce() async throws {
        let fixture = try LoopFixture()
        try await fixture.onLoop { [loop = fixture.loop, journal = fixture.journal] in
            journal.extraTurns = 1000
            loop.addTurnHandler(journal)
        }
        let count = try await fixture.entries(1000).count
        #expect(count == 1000)
        await fixture.shutDown()
    }

    @Test func statisticsCountWhatHappenedSinceTheLastCall() async throws {
        let fixture = try LoopFixture()
        try await fixture.onLoop { [loop = fixture.loop, journal = fixture.journal] in
            loop.schedule(at: MonotonicClock.now().earlier(by: .milliseconds(5)), token: 1, handler: journal)
        }
        _ = try await fixture.entries(1)
        let first = try await fixture.onLoop { [loop = fixture.loop] in loop.takeStatistics() }
        #expect(first.timersFired == 1)
        #expect(first.maximumTimerDelay >= 5_000_000)
        #expect(first.totalTimerDelay == first.maximumTimerDelay)
        #expect(first.busy > 0)
        let second = try await fixture.onLoop { [loop = fixture.loop] in loop.takeStatistics() }
        #expect(second.timersFired == 0)
        #expect(second.maximumTimerDelay == 0)
        await fixture.shutDown()
    }

    @Test func everyShutDownIsAnsweredAndNothingFiresAfterIt() async throws {
        let fixture = try LoopFixture()
        try await fixture.onLoop { [loop = fixture.loop, journal = fixture.journal] in
            // Not due before, however slow the machine is.
            loop.schedule(at: MonotonicClock.now().later(by: .seconds(60)), token: 1, handler: journal)
            loop.shutDown { journal.note("first") }
            loop.shutDown { journal.note("second") }
        }
        await fixture.shutDown()
        let entries = try await fixture.entries(2)
        #expect(entries == ["first", "second"])
        let late = try await fixture.onLoop { [loop = fixture.loop, journal = fixture.journal] in
            loop.schedule(at: .zero, token: 2, handler: journal)
        }
        #expect(late == .none)
        #expect(try await fixture.registrationError(0) == .shutDown)
        let laterEntries = try await fixture.onLoop { [journal = fixture.journal] in journal.entries }
        #expect(laterEntries == ["first", "second"])
    }

    @Test func theMonotonicClockNeverGoesBack() {
        var last = MonotonicClock.now()
        for _ in 0..<10_000 {
            let now = MonotonicClock.now()
            #expect(now >= last)
            last = now
        }
        #expect(MonotonicClock.wallMicroseconds() > 1_700_000_000_000_000)
    }
}
