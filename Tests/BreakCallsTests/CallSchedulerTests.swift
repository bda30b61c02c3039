import AdServing
import Synchronization
import Testing
import Values

@testable import Profile
@testable import Rehearsal

@Suite struct CallSchedulerTests {
    /// 2026-11-21T20:00:00Z.
    private let start = WallTime(microseconds: 1_795_291_200_000_000)

    /// What viewers were told of.
    private final class Announced: Sendable {
        let breaks = Mutex<[ScheduledBreak]>([])
    }

    private func plan(
        _ source: [BreakPlan.Source] = [],
        lead: Duration = .zero,
        _ trigger: TriggerPlan = TriggerPlan()
    ) -> BreakPlan {
        .called(trigger, besides: source, lead: lead)
    }

    private func scheduler(_ plan: BreakPlan, lasting seconds: Int64 = 600, _ announced: Announced = Announced())
        -> CallScheduler
    {
        CallScheduler(plan, plan.source.triggerPlan ?? TriggerPlan(), run: start..<start + .seconds(seconds)) {
            scheduled in
            announced.breaks.withLock { $0.append(scheduled) }
        }
    }

    private func at(_ seconds: Double) -> WallTime { start + .milliseconds(Int64(seconds * 1_000)) }

    @Test func whatACallLeavesOutIsAsTheProfileSays() throws {
        let announced = Announced()
        let scheduler = scheduler(plan(), announced)
        let first = try scheduler.take(BreakCall(), at: start + .microseconds(1_234_567))
        #expect(first.start == at(3.235))
        #expect(first.duration == .seconds(10))
        #expect(first.scte35 == nil)
        #expect(first.dateRangeID == "call-1")
        #expect(first.key == "2026-11-21T20:00:03.235Z")
        let own = BreakCall(lead: .seconds(20), duration: .seconds(15), scte35: "/DA=", id: "goal")
        let second = try scheduler.take(own, at: at(5))
        #expect(second.start == at(25))
        #expect(second.duration == .seconds(15))
        #expect(second.scte35 == "/DA=")
        #expect(second.dateRangeID == "goal")
        #expect([first.ordinal, second.ordinal] == [1, 2])
        #expect(announced.breaks.withLock { $0 } == [first, second])
        #expect(scheduler.tally == .init(taken: 2, refused: 0))
    }

    @Test func aCallThatIsTooLateForItsOwnTimeIsRefused() throws {
        let scheduler = scheduler(plan(lead: .seconds(1)))
        let late = CallRefusal.outOfBounds("1s is too late: viewers are to know of a break 1s100ms before it")
        #expect(throws: late) { try scheduler.take(BreakCall(lead: .seconds(1)), at: at(0)) }
        #expect(throws: Never.self) { try scheduler.take(BreakCall(lead: .milliseconds(1_100)), at: at(0)) }
        #expect(throws: CallRefusal.outOfBounds("the run is over before the break begins")) {
            try scheduler.take(BreakCall(), at: at(598))
        }
        #expect(scheduler.tally == .init(taken: 1, refused: 2))
    }

    /// Between a list's breaks at 30 s and at 60 s of 10 s each; pods are asked for a second before.
    @Test(arguments: [
        (2.0, 10, true), (17.9, 10, true), (19.5, 10, false), (30, 10, false), (39.9, 10, false), (41, 10, true),
        (48.9, 10, true), (49.1, 10, false), (20, 30, false), (45, 14, true),
    ])
    func aBreakThatWouldMeetAnotherIsRefused(second: Double, length: Int, isTaken: Bool) {
        let scheduler = scheduler(
            plan([.list([ListedBreak(.seconds(30)), ListedBreak(.seconds(60))])], lead: .seconds(1))
        )
        let call = BreakCall(lead: .milliseconds(Int64(second * 1_000)), duration: .seconds(length))
        if isTaken {
            #expect(throws: Never.self) { try scheduler.take(call, at: start) }
        } else {
            let refusal = #expect(throws: CallRefusal.self) { try scheduler.take(call, at: start) }
            #expect(refusal?.text.hasPrefix("it would meet the break at 2026-11-21T20:0") == true)
        }
    }

    @Test func aBreakThatWouldMeetOneThatWasCalledForIsRefused() throws {
        let scheduler = scheduler(plan())
        _ = try scheduler.take(BreakCall(lead: .seconds(60), duration: .seconds(1_800)), at: at(0))
        let refusal = CallRefusal.conflict("it would meet the break at 2026-11-21T20:01:00.000Z of 30m")
        #expect(throws: refusal) { try scheduler.take(BreakCall(lead: .seconds(400)), at: at(0)) }
        #expect(throws: refusal) { try scheduler.take(BreakCall(lead: .seconds(51)), at: at(0)) }
        #expect(throws: Never.self) { try scheduler.take(BreakCall(lead: .seconds(50)), at: at(0)) }
    }

    @Test func anIDIsTakenOnce() throws {
        let scheduler = scheduler(plan())
        _ = try scheduler.take(BreakCall(id: "goal"), at: at(0))
        #expect(throws: CallRefusal.conflict("a break of this id was called for before")) {
            try scheduler.take(BreakCall(id: "goal"), at: at(100))
        }
        #expect(throws: Never.self) { try scheduler.take(BreakCall(id: "goal-2"), at: at(100)) }
    }

    @Test func onlySoManyAreTakenWithinAMinute() throws {
        var trigger = TriggerPlan()
        trigger.mostPerMinute = 3
        let scheduler = scheduler(plan(trigger))
        for second in [0.0, 15, 30] { _ = try scheduler.take(BreakCall(), at: at(second)) }
        #expect(throws: CallRefusal.tooMany("3 calls a minute are taken")) {
            try scheduler.take(BreakCall(), at: at(59))
        }
        #expect(throws: Never.self) { try scheduler.take(BreakCall(), at: at(60)) }
        #expect(throws: CallRefusal.self) { try scheduler.take(BreakCall(), at: at(74)) }
    }

    private func plan(_ trigger: TriggerPlan) -> BreakPlan { plan([], lead: .zero, trigger) }
}
