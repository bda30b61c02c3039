import AdServing
import Foundation
import Results
import Synchronization
import TestSupport
import Testing
import Values

@testable import Profile
@testable import Rehearsal

/// How breaks that the first of several shards was called for come to all of them.
@Suite struct CallExchangeTests {
    /// 2026-11-21T20:00:00Z.
    private static let start = WallTime(microseconds: 1_795_291_200_000_000)
    private static let run = start..<start + .seconds(600)

    /// One shard: what time it has, and what it was told.
    private final class Shard: Sendable {
        let breaks = Mutex<[ScheduledBreak]>([])
        let words = Mutex<[String]>([])
        let time = Mutex(CallExchangeTests.start)

        var ordinals: [Int] { breaks.withLock { $0.map(\.ordinal) } }
        var told: [String] { words.withLock { $0 } }

        func exchange(in place: any RendezvousPlace, _ plan: BreakPlan = CallExchangeTests.plan()) -> CallExchange {
            CallExchange(
                in: place,
                plan,
                shards: 2,
                run: CallExchangeTests.run,
                now: { self.time.withLock { $0 } },
                announce: { scheduled in self.breaks.withLock { $0.append(scheduled) } },
                tell: { word in self.words.withLock { $0.append(word) } }
            )
        }
    }

    private static func plan(lead: Duration = .zero) -> BreakPlan {
        .called(lead: lead)
    }

    private static func scheduled(_ ordinal: Int, at second: Int64) -> ScheduledBreak {
        ScheduledBreak(
            calledFor: start + .seconds(second),
            duration: .seconds(15),
            ordinal: ordinal,
            id: "call-\(ordinal)",
            scte35: ordinal == 1 ? "/DA=" : nil
        )
    }

    @Test func allHaveTheSameBreaksOnceAndInTheirOrder() async throws {
        let place = MemoryPlace()
        let shards = [Shard(), Shard()]
        let exchanges = shards.map { $0.exchange(in: place) }
        let breaks = (1...3).map { Self.scheduled($0, at: Int64($0) * 60) }
        for scheduled in breaks {
            try await exchanges[0].post(scheduled)
            for exchange in exchanges { await exchange.look() }
        }
        for exchange in exchanges { await exchange.look() }
        for shard in shards {
            #expect(shard.breaks.withLock { $0 } == breaks)
            #expect(shard.told == [])
        }
        let tally = await exchanges[1].end()
        #expect(tally == CallExchange.Tally(heard: 3))
    }

    /// Of two calls at once the second one may be there first; who comes late has all.
    @Test func whatArrivesOutOfOrderIsHeard() async throws {
        let place = MemoryPlace()
        let (shard, late) = (Shard(), Shard())
        let exchange = shard.exchange(in: place)
        for ordinal in [2, 1, 3] {
            try await exchange.post(Self.scheduled(ordinal, at: Int64(ordinal) * 60))
            await exchange.look()
        }
        #expect(shard.ordinals == [2, 1, 3])
        await late.exchange(in: place).look()
        #expect(late.ordinals == [1, 2, 3])
        for ordinal in 4...200 { try await exchange.post(Self.scheduled(ordinal, at: 300)) }
        await exchange.look()
        await exchange.look()
        #expect(shard.ordinals == [2, 1, 3] + Array(4...200))
    }

    @Test func aLostAnswerPutsABreakOnce() async throws {
        let place = MemoryPlace()
        let shard = Shard()
        let exchange = shard.exchange(in: place)
        place.lostAnswers = 1
        // Time to ask again, whatever the clock of this machine says.
        try await exchange.post(Self.scheduled(1, at: 599))
        await exchange.look()
        #expect(shard.ordinals == [1])
    }

    @Test func whatCannotBePutInTimeIsRefused() async {
        let place = MemoryPlace()
        place.isReachable = false
        let shard = Shard()
        let reason = "where the shards meet the break may not have arrived: out of reach"
        await #expect(throws: CallRefusal.closed(reason)) {
            try await shard.exchange(in: place).post(Self.scheduled(1, at: 0))
        }
        #expect(place.refusals == 1)
    }

    @Test(arguments: [
        (57.9, 0, false), (57.95, 0, true), (59.0, 0, true), (61, 0, true), (57.8, 100, false), (57.85, 100, true),
    ])
    func aBreakThatIsHeardOfTooLateIsCounted(second: Double, moreLead: Int64, isLate: Bool) async throws {
        let place = MemoryPlace()
        let shard = Shard()
        let exchange = shard.exchange(in: place, Self.plan(lead: .milliseconds(2_000 + moreLead)))
        try await exchange.post(Self.scheduled(1, at: 60))
        shard.time.withLock { $0 = Self.start + .milliseconds(Int64((second * 1_000).rounded())) }
        await exchange.look()
        let tally = await exchange.end()
        // Viewers have it, late or not: that they are late is theirs to show.
        #expect(shard.ordinals == [1])
        #expect(tally.heard == 1)
        #expect(tally.late == (isLate ? 1 : 0))
        #expect(shard.told.count == (isLate ? 1 : 0))
        if isLate { #expect(tally.latest == .milliseconds(Int64((second * 1_000).rounded()) - 57_900 + moreLead)) }
    }

    @Test func silenceIsToldOnceAndWhatItHidIsHeardAfterwards() async throws {
        let place = MemoryPlace()
        let shard = Shard()
        let exchange = shard.exchange(in: place)
        try await exchange.post(Self.scheduled(1, at: 60))
        place.isReachable = false
        for second in 0..<12 {
            shard.time.withLock { $0 = Self.start + .seconds(second) }
            await exchange.look()
        }
        #expect(shard.told.count == 1)
        #expect(await exchange.end().trouble == "out of reach")
        place.isReachable = true
        let tally = await exchange.end()
        #expect(tally.trouble == nil && tally.heard == 1)
        #expect(shard.told.last == "The place where the shards meet answers again.")
        // Who ends when the others do may find the place closed: nothing was missed by that.
        place.isReachable = false
        #expect(await exchange.end().trouble == nil)
    }

    /// Whoever waits for a call to be put is not kept when the run ends.
    @Test func nobodyAsksOnWhenItIsOver() async {
        let place = MemoryPlace()
        place.isReachable = false
        let shard = Shard()
        let exchange = shard.exchange(in: place)
        let post = Task { try await exchange.post(Self.scheduled(1, at: 599)) }
        post.cancel()
        await #expect(throws: CallRefusal.self) { try await post.value }
        #expect(place.refusals <= 2)
    }

    /// A break that lies there is not taken for another one of its number.
    @Test func whatLiesUnderItsNameIsLookedAt() async throws {
        let place = MemoryPlace()
        let shard = Shard()
        let exchange = shard.exchange(in: place)
        try await exchange.post(Self.scheduled(1, at: 60))
        try await exchange.post(Self.scheduled(1, at: 60))
        shard.time.withLock { $0 = Self.start + .seconds(595) }
        let reason = "where the shards meet the break may not have arrived: something else lies there"
        await #expect(throws: CallRefusal.closed(reason)) { try await exchange.post(Self.scheduled(1, at: 595)) }
    }

    @Test(arguments: [
        "", "{}", "[]", #"{"start_us": 1, "duration_us": 15000000, "id": "a"}"#,
        #"{"start_us": -9223372036854775808, "duration_us": 15000000, "id": "a"}"#,
        #"{"start_us": 1795291260000000, "duration_us": 9223372036854775807, "id": "a"}"#,
        #"{"start_us": 1795291260000000, "duration_us": 15000000, "id": "a/../b"}"#,
        #"{"start_us": 1795291260000000, "duration_us": 15000000, "id": "a", "scte35": "&"}"#,
        #"{"start_us": 1795291860000000, "duration_us": 15000000, "id": "a"}"#,
    ])
    func whatIsNoCallIsLeftOutAndSaidOnce(text: String) async throws {
        let place = MemoryPlace()
        let shard = Shard()
        let exchange = shard.exchange(in: place)
        let good = PostedCall(Self.scheduled(3, at: 60))
        place.fill(
            CallExchange.group,
            with: [
                PostedCall.name(2): Data(text.utf8), PostedCall.name(3): try good.placed(),
                PostedCall.name(999_999_999): Data(), "call-4": try good.placed(),
                "notes": try good.placed(), "call-99999999999999999999": try good.placed(),
            ]
        )
        await exchange.look()
        await exchange.look()
        #expect(shard.ordinals == [3])
        let names = [2, 999_999_999].map { PostedCall.name($0) }
        #expect(
            shard.told == names.map { "calls/\($0) is not a valid break call and is ignored." }
        )
    }

    @Test func aCallThatNobodyElseHeardOfIsRefusedAndItsTimeStaysTaken() async throws {
        let scheduler = CallScheduler(Self.plan(), TriggerPlan(), shards: 2, run: Self.run) { _ in }
        let late = CallRefusal.outOfBounds("1s is too late: viewers are to know of a break 1s100ms before it")
        #expect(throws: late) { try scheduler.take(BreakCall(lead: .seconds(1)), at: Self.start) }
        let first = try scheduler.take(BreakCall(lead: .seconds(5)), at: Self.start)
        scheduler.withdraw()
        #expect(scheduler.tally == .init(taken: 0, refused: 2))
        #expect(throws: CallRefusal.self) { try scheduler.take(BreakCall(lead: .seconds(6)), at: Self.start) }
        let second = try scheduler.take(BreakCall(lead: .seconds(60)), at: Self.start)
        #expect(first.ordinal == 1 && second.ordinal == 2)
        #expect(scheduler.tally == .init(taken: 1, refused: 3))
    }
}
