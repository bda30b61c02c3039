import Glibc
import Testing
import Values

@testable import Transport

/// Over sockets, because a loop waits in the kernel, for descriptors and for time.
@Suite(.timeLimit(.minutes(15))) struct EventLoopTests {
    @Test func workRunsInTheOrderItWasHandedOver() async throws {
        try await LoopFixture.run { fixture in
            for number in 0..<100 { fixture.loop.execute { [journal = fixture.journal] in journal.note("\(number)") } }
            let entries = try await fixture.entries(100)
            #expect(entries == (0..<100).map(String.init))
        }
    }

    @Test func timersFireByDeadlineWhateverTheOrderOfScheduling() async throws {
        try await LoopFixture.run { fixture in
            try await fixture.onLoop { loop, journal in
                let now = MonotonicClock.now()
                for token: UInt64 in [3, 1, 2] {
                    loop.schedule(at: now.later(by: .milliseconds(Int(token))), token: token, handler: journal)
                }
                loop.schedule(at: .zero, token: 0, handler: journal)
                loop.schedule(at: .distantPast, token: 9, handler: journal)
            }
            #expect(try await fixture.entries(5) == ["timer 9", "timer 0", "timer 1", "timer 2", "timer 3"])
        }
    }

    @Test func aTimerMayScheduleAndCancelOthers() async throws {
        try await LoopFixture.run { fixture in
            try await fixture.onLoop { loop, journal in
                let soon = MonotonicClock.now().later(by: .milliseconds(1))
                let victim = loop.schedule(at: soon, token: 66, handler: journal)
                journal.onTimer = { token in
                    guard token == 1 else { return }
                    loop.cancel(victim)
                    loop.schedule(at: MonotonicClock.now().later(by: .milliseconds(2)), token: 2, handler: journal)
                }
                loop.schedule(at: .zero, token: 1, handler: journal)
            }
            #expect(try await fixture.entries(2) == ["timer 1", "timer 2"])
            #expect(try await fixture.onLoop { loop, _ in loop.timers.count } == 0)
        }
    }

    @Test func aTimerFiresAfterEveryEarlierOneWasCancelledAndItsTimePassed() async throws {
        try await LoopFixture.run { fixture in
            let deadline = try await fixture.onLoop { loop, journal in
                let deadline = MonotonicClock.now().later(by: .milliseconds(1))
                loop.cancel(loop.schedule(at: deadline, token: 1, handler: journal))
                return deadline
            }
            var isPast = false
            while !isPast {
                isPast = try await fixture.onLoop { _, _ in MonotonicClock.now() > deadline.later(by: .milliseconds(1))
                }
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
        }
    }

    @Test func aReadableDescriptorIsReportedWhileItIsWatched() async throws {
        try await LoopFixture.run { fixture in
            let pipe = try fixture.pipe()
            try await fixture.onLoop { loop, journal in
                try loop.watch(pipe.reader, for: .readable, journal)
                journal.onReady = { _, _ in if journal.entries.count == 2 { loop.unwatch(pipe.reader) } }
                pipe.send()
            }
            let ready = Array(repeating: "ready \(Readiness.readable.rawValue)", count: 3)
            #expect(try await fixture.entries(3) == ready)
            #expect(try await fixture.entries(3) == ready, "one turn later")
        }
    }

    @Test func interestCanBeChanged() async throws {
        try await LoopFixture.run { fixture in
            let pipe = try fixture.pipe()
            try await fixture.onLoop { loop, journal in
                try loop.watch(pipe.writer, for: [], journal)
                journal.onReady = { _, _ in loop.unwatch(pipe.writer) }
                try loop.watch(pipe.writer, for: .writable, journal)
            }
            #expect(try await fixture.entries(1) == ["ready \(Readiness.writable.rawValue)"])
        }
    }

    @Test func aHangUpIsReportedWithoutBeingAskedFor() async throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        let (reader, writer) = (ends[0], ends[1])
        try await LoopFixture.run { fixture in
            try await fixture.onLoop { loop, journal in
                try loop.watch(reader, for: [], journal)
                journal.onReady = { _, _ in loop.unwatch(reader) }
                close(writer)
            }
            #expect(try await fixture.entries(1) == ["ready \(Readiness.failed.rawValue)"])
        }
        close(reader)
    }

    /// Two descriptors are ready in one batch; the first one's handler closes the second and reuses its number.
    @Test func anEventOfAnEarlierWatchIsNeverDelivered() async throws {
        try await LoopFixture.run { fixture in
            let (first, second) = (try fixture.pipe(), try fixture.pipe())
            let stale = Journal()
            try await fixture.onLoop { loop, journal in
                first.send()
                second.send()
                try loop.watch(first.reader, for: .readable, journal)
                try loop.watch(second.reader, for: .readable, journal)
                journal.onReady = { descriptor, _ in
                    for pipe in [first, second] { loop.unwatch(pipe.reader) }
                    let other = descriptor == first.reader ? second : first
                    #expect((try? loop.watch(other.reader, for: [], stale)) != nil)
                }
            }
            #expect(try await fixture.entries(1).count == 1)
            #expect(try await fixture.onLoop { _, _ in stale.entries } == [])
        }
    }

    @Test func watchingAClosedDescriptorIsAnError() async throws {
        try await LoopFixture.run { fixture in
            for descriptor: Int32 in [-1, 1_000_000] {
                let error = try await fixture.watchError(descriptor)
                #expect(error == .system(call: "epoll_ctl", errno: EBADF))
            }
        }
    }

    @Test func aTurnHandlerThatAsksForMoreIsCalledAgainAtOnce() async throws {
        try await LoopFixture.run { fixture in
            try await fixture.onLoop { loop, journal in
                journal.extraTurns = 1000
                loop.addTurnHandler(journal)
            }
            #expect(try await fixture.entries(1000).count == 1000)
        }
    }

    @Test func delaysCountSinceTheLastCall() async throws {
        try await LoopFixture.run { fixture in
            try await fixture.onLoop { loop, journal in
                loop.schedule(at: MonotonicClock.now().earlier(by: .milliseconds(5)), token: 1, handler: journal)
            }
            _ = try await fixture.entries(1)
            #expect(try await fixture.onLoop { loop, _ in loop.takeLongestTimerDelay() } >= 5_000_000)
            #expect(try await fixture.onLoop { loop, _ in loop.takeLongestTimerDelay() } == 0)
        }
    }

    @Test func everyShutDownIsAnsweredAndNothingFiresAfterIt() async throws {
        try await LoopFixture.run { fixture in
            try await fixture.onLoop { loop, journal in
                // Not due before, however slow the machine is.
                loop.schedule(at: MonotonicClock.now().later(by: .seconds(60)), token: 1, handler: journal)
                loop.shutDown { journal.note("first") }
                loop.shutDown { journal.note("second") }
            }
            await fixture.shutDown()
            #expect(try await fixture.entries(2) == ["first", "second"])
            let late = try await fixture.onLoop { loop, journal in loop.schedule(at: .zero, token: 2, handler: journal)
            }
            #expect(late == .none)
            #expect(try await fixture.watchError(0) == .shutDown)
            #expect(try await fixture.entries(2) == ["first", "second"])
        }
    }
}
