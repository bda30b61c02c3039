import Testing
import Values

@testable import Transport

/// Keeps the thread at work for a while by the clock, and returns how long that was in truth.
@discardableResult private func work(nanoseconds: Int64) -> Int64 {
    let start = MonotonicClock.now()
    while MonotonicClock.now() < start.later(by: nanoseconds) {}
    return MonotonicClock.now() &- start
}

/// More than any test may take on however slow a machine: a loop that only waits for it, or spins until then, is late.
private let anHour: Int64 = 3_600_000_000_000

/// What comes first within a turn, and what a turn that waits or spins still lets through.
///
/// Over sockets, because it is the kernel that a turn waits for.
@Suite(.timeLimit(.minutes(15))) struct TurnTests {
    @Test func everyTimerThatIsDueFiresBeforeADescriptorIsRead() async throws {
        try await LoopFixture.run { fixture in
            let pipe = try fixture.pipe()
            try await fixture.onLoop { loop, journal in
                loop.stallLimit = .max
                try loop.watch(pipe.reader, for: .readable, journal)
                journal.onReady = { _, _ in loop.unwatch(pipe.reader) }
                journal.onTimer = { token in if token % 100 == 0 { work(nanoseconds: 3_000_000) } }
                pipe.send()
                let instant = MonotonicClock.now()
                for token in 0..<UInt64(1000) { loop.schedule(at: instant, token: token, handler: journal) }
            }
            #expect(try await fixture.entries(1001) == (0..<1000).map { "timer \($0)" } + ["ready 1"])
        }
    }

    /// A loop that was kept from its work for longer than it may be: what came meanwhile is told before what was due.
    @Test func aLoopThatIsLateDeliversWhatIsReadyBeforeATimerFires() async throws {
        try await LoopFixture.run { fixture in
            let pipes = try (0..<3).map { _ in try fixture.pipe() }
            let stall = try await fixture.onLoop { loop, journal in
                loop.stallLimit = 1_000_000
                for pipe in pipes {
                    try loop.watch(pipe.reader, for: .readable, journal)
                    let before = journal.onReady
                    journal.onReady = { descriptor, readiness in
                        before?(descriptor, readiness)
                        if descriptor == pipe.reader { loop.unwatch(descriptor) }
                    }
                    pipe.send()
                }
                loop.schedule(at: MonotonicClock.now(), token: 1, handler: journal)
                work(nanoseconds: 2_000_000)
                return MonotonicClock.now()
            }
            #expect(try await fixture.entries(4) == ["ready 1", "ready 1", "ready 1", "timer 1"])
            let found = try #require(try await fixture.onLoop { loop, _ in loop.lastStall })
            #expect(found.length > 1_000_000)
            #expect(found.endedAt >= stall)
            #expect(found.reaches(found.endedAt.later(by: found.length - 1)))
            #expect(!found.reaches(found.endedAt.later(by: found.length)))
        }
    }

    /// What lies outside of what can be is none: as after a step of the wall clock between the stamp and its reading.
    @Test func aStampOfTheWallClockBecomesAMomentOfTheLoopsOwn() async throws {
        try await LoopFixture.run { fixture in
            try await fixture.onLoop { loop, _ in
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
        }
    }

    @Test func handlersThatTakeLongKeepTimersWaitingForAFewOfThemOnly() async throws {
        try await LoopFixture.run { fixture in
            let count = 32
            let pipes = try (0..<count).map { _ in try fixture.pipe() }
            for pipe in pipes { pipe.send() }
            try await fixture.onLoop { loop, journal in
                for pipe in pipes { try loop.watch(pipe.reader, for: .readable, journal) }
                journal.onReady = { descriptor, _ in
                    // The first makes a timer that is due at once, and each takes a round's time alone.
                    if journal.entries.isEmpty { loop.schedule(at: .distantPast, token: 7, handler: journal) }
                    loop.unwatch(descriptor)
                    work(nanoseconds: 25_000_000)
                }
            }
            let entries = try await fixture.entries(count + 1)
            let timer = try #require(entries.firstIndex(of: "timer 7"))
            #expect(timer < 8, "as many as are told between two looks at the clock")
            #expect(entries.count { $0 == "ready 1" } == count, "each was told once, whatever came between")
        }
    }

    @Test func aHandlerThatSchedulesInThePastKeepsNobodyWaiting() async throws {
        try await LoopFixture.run { fixture in
            let pipe = try fixture.pipe()
            try await fixture.onLoop { loop, journal in
                loop.stallLimit = .max
                try loop.watch(pipe.reader, for: .readable, journal)
                journal.onReady = { _, _ in if journal.entries.count > 6 { loop.unwatch(pipe.reader) } }
                journal.onTimer = { token in
                    guard token < 100, journal.entries.count < 6 else { return }
                    loop.schedule(at: .distantPast, token: 0, handler: journal)
                }
                pipe.send()
                for token in 0..<UInt64(3) { loop.schedule(at: .zero, token: token, handler: journal) }
            }
            let first = ["timer 0", "timer 1", "timer 2", "ready 1"]
            let second = ["timer 0", "timer 0", "timer 0", "ready 1"]
            #expect(try await fixture.entries(8).prefix(8) == ArraySlice(first + second))
        }
    }

    @Test func workHandedOverWaitsForOneRoundOnly() async throws {
        try await LoopFixture.run { fixture in
            try await fixture.onLoop { loop, journal in
                journal.extraTurns = 1000
                journal.onTimer = { _ in loop.execute { journal.note("work") } }
                loop.addTurnHandler(journal)
                loop.schedule(at: .zero, token: 1, handler: journal)
            }
            let entries = try await fixture.entries(1002)
            // One round, and one more where the next turn was queued before the work.
            #expect(try #require(entries.firstIndex(of: "work")) <= 3)
            #expect(entries.count == 1002)
        }
    }

    /// Nothing else would end the wait of a loop without timers.
    @Test func workHandedOverEndsAWait() async throws {
        try await LoopFixture.run { fixture in
            var sum = 0
            for number in 0..<10_000 { sum += try await fixture.onLoop { _, _ in number } }
            #expect(sum == 49_995_000)
        }
    }

    @Test func aLoopThatSpinsServesWorkAndDescriptors() async throws {
        try await LoopFixture.run(spin: .nanoseconds(anHour)) { fixture in
            let pipe = try fixture.pipe()
            let timer = try await fixture.onLoop { loop, journal in
                try loop.watch(pipe.reader, for: .readable, journal)
                journal.onReady = { _, _ in loop.unwatch(pipe.reader) }
                return loop.schedule(at: MonotonicClock.now().later(by: anHour), token: 1, handler: journal)
            }
            pipe.send()
            #expect(try await fixture.entries(1) == ["ready 1"])
            #expect(try await fixture.onLoop { loop, _ in loop.cancel(timer) }, "it was pending")
        }
    }

    @Test(arguments: [Duration.zero, .microseconds(200), .seconds(1)], [true, false])
    func timersFireInOrderAndNeverEarlyHoweverTheLoopWaits(spin: Duration, waitsPrecisely: Bool) async throws {
        let delays: [Int64] = [50_000, 700_000, 5_000_000, 15_000_000, 40_000_000, 130_000_000]
        try await LoopFixture.run(spin: spin) { fixture in
            try await fixture.onLoop { loop, journal in
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
            #expect(try await fixture.entries(delays.count) == delays.indices.map { "timer \($0)" })
        }
    }

    @Test(arguments: [Duration.zero, .microseconds(50), .nanoseconds(anHour)])
    func aLoopThatWaitsOrSpinsShutsDownAtOnce(spin: Duration) async throws {
        for _ in 0..<20 {
            let journal = try await LoopFixture.run(spin: spin) { fixture in
                try await fixture.onLoop { loop, journal in
                    loop.schedule(at: MonotonicClock.now().later(by: 2 * anHour), token: 2, handler: journal)
                    loop.schedule(at: MonotonicClock.now().later(by: anHour), token: 1, handler: journal)
                    return journal
                }
            }
            #expect(journal.entries == [])
        }
    }

    @Test func aTimerMayStopTheInterestThatAnEventWasTakenFor() async throws {
        try await LoopFixture.run { fixture in
            let pipe = try fixture.pipe()
            try await fixture.onLoop { loop, journal in
                try loop.watch(pipe.reader, for: .readable, journal)
                journal.onReady = { _, _ in loop.unwatch(pipe.reader) }
                journal.onTimer = { token in
                    #expect((try? loop.watch(pipe.reader, for: token == 1 ? [] : .readable, journal)) != nil)
                }
                pipe.send()
                loop.schedule(at: .zero, token: 1, handler: journal)
                loop.schedule(at: MonotonicClock.now().later(by: .milliseconds(1)), token: 2, handler: journal)
            }
            #expect(try await fixture.entries(3) == ["timer 1", "timer 2", "ready 1"])
        }
    }

    @Test func theDelayOfEachTimerOfABurstCountsWhatFiredBeforeIt() async throws {
        try await LoopFixture.run { fixture in
            try await fixture.onLoop { loop, journal in
                journal.onTimer = { _ in work(nanoseconds: 1_000_000) }
                let instant = MonotonicClock.now()
                for token in 0..<UInt64(10) { loop.schedule(at: instant, token: token, handler: journal) }
            }
            _ = try await fixture.entries(10)
            #expect(try await fixture.onLoop { loop, _ in loop.takeLongestTimerDelay() } >= 9_000_000)
        }
    }

    @Test func moreLoopsThanCoresAllFireWhileOthersSpin() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<6 {
                group.addTask {
                    try await LoopFixture.run(spin: number % 2 == 0 ? .seconds(1) : .zero) { fixture in
                        try await fixture.onLoop { loop, journal in
                            let instant = MonotonicClock.now().later(by: .milliseconds(100))
                            loop.schedule(at: instant, token: 1, handler: journal)
                        }
                        #expect(try await fixture.entries(1) == ["timer 1"])
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
