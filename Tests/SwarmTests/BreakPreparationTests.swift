import AdServing
import LoadProfile
import Testing
import Time

@testable import Audience
@testable import Swarm
@testable import Viewer

/// The pod's URL is built before the break's instant, and not for all viewers at once.
@Suite struct BreakPreparationTests {
    @Test(arguments: [0, 1, 511, 1023, 1024, 4999])
    func theURLIsBuiltSomeSecondsBeforeItIsAsked(number: Int) throws {
        let viewer = ScriptedCrowd.watching(number: number)
        let wait = try #require(viewer.wait(.breakPreparation))
        #expect((14.0...18).contains(wait))
        viewer.watch(seconds: 14.75)
        #expect(viewer.scheduled.last?.url == nil)
        viewer.watch(seconds: 3.5)
        let url = try #require(viewer.scheduled.last?.url)
        viewer.watch(seconds: 1.75)
        #expect(viewer.first(.podManifest)?.url == url)
    }

    @Test func viewersPrepareAtMomentsOfTheirOwn() {
        let crowd = ScriptedCrowd.allWatching(viewers: 1024)
        let moments = (0..<1024).map { crowd.timers(of: $0)[.breakPreparation] }
        #expect(Set(moments).count == 1024 && !moments.contains(nil))
    }

    @Test func aBreakThatIsNearIsPreparedAtOnce() {
        let viewer = ScriptedCrowd()
        viewer.advance(seconds: 19)
        viewer.startWatching()
        #expect(viewer.scheduled.last?.url?.contains("/ad_break_id/break-1795291220") == true)
        #expect(viewer.timers[.breakPreparation] == nil)
    }

    /// A viewer that watches before it has a session.
    private static func unregistered(_ plan: LoadPlan = .forTests(), seconds: Double) -> ScriptedCrowd {
        let viewer = ScriptedCrowd(plan)
        viewer.join()
        viewer.answer(.multivariant)
        viewer.answer(.playlist)
        viewer.watch(seconds: seconds)
        return viewer
    }

    @Test func aSessionThatComesAfterThePreparationIsStillInTime() {
        let viewer = Self.unregistered(seconds: 19)
        #expect(viewer.scheduled.last?.url == nil)
        viewer.answer(.registration)
        #expect(viewer.scheduled.last?.url != nil)
        viewer.watch(seconds: 1)
        #expect(viewer.count(.podManifest) == 1)
    }

    @Test func aSessionThatComesAfterTheInstantOfWarmingWarmsAtOnce() {
        let viewer = Self.unregistered(.forTests { $0.breaks.preconnect = .seconds(5) }, seconds: 17)
        #expect(viewer.warmed.isEmpty)
        viewer.answer(.registration)
        #expect(viewer.warmed == [17])
    }

    @Test func withoutASessionNothingIsPreparedOrWarmed() {
        let plan = LoadPlan.forTests { $0.breaks.preconnect = .seconds(2) }
        let viewer = ScriptedCrowd.watching(plan, registers: false, seconds: 20)
        #expect(viewer.scheduled.allSatisfy { $0.url == nil })
        #expect(viewer.warmed.isEmpty)
    }

    @Test func nothingIsWarmedWhereThePlanSaysNothing() {
        #expect(ScriptedCrowd.watching(seconds: 45).warmed.isEmpty)
    }

    @Test(arguments: [0, 511, 1023])
    func aConnectionIsWarmedSoLongBeforeTheBreaksInstant(number: Int) {
        let plan = LoadPlan.forTests {
            $0.breaks.lead = .seconds(1)
            $0.breaks.preconnect = .milliseconds(1500)
        }
        let viewer = ScriptedCrowd.watching(plan, number: number, seconds: 18.25)
        #expect(viewer.warmed.isEmpty)
        #expect(viewer.scheduled.last?.url != nil)
        viewer.watch(seconds: 1)
        #expect(viewer.warmed == [18.5])
        #expect(viewer.count(.podManifest) == 1)
        let asked = viewer.transport.requests(.podManifest).first
        #expect(asked != nil && viewer.transport.warmed.first?.request === asked)
    }

    @Test func aPlayheadsConnectionIsWarmedBeforeThePlayheadIsThere() {
        let plan = LoadPlan.forTests {
            $0.breaks.source = .dateRange(classAttribute: nil)
            $0.breaks.trigger = .playhead
            $0.breaks.preconnect = .seconds(3)
        }
        let viewer = ScriptedCrowd.watching(plan)
        viewer.advance(seconds: 2)
        viewer.answer(.playlist, AnswerBody.media(102, header: AnswerBody.breakTag(at: 20)))
        viewer.advance(seconds: 24)
        // Three target durations of 2 s behind the live edge.
        #expect(viewer.warmed == [23])
    }
}

/// One description of a break for all who are to have it.
@Suite struct BreakBookTests {
    private func book(_ change: (inout LoadPlan) -> Void = { _ in }) -> (BreakBook, BreakCalendar) {
        let calendar = BreakCalendar(LoadPlan.forTests(change).breaks, runStart: ScriptedCrowd.wallStart)
        return (BreakBook(calendar), calendar)
    }

    private static let sources: [BreakPlan.Source] = [
        .every(interval: .seconds(7), offset: .seconds(3)),
        .list([.init(.seconds(5)), .init(.seconds(9)), .init(.seconds(40))]),
        .guideMinute(repeats: true),
    ]

    @Test(arguments: sources, BreakPlan.Identifier.allCases)
    func itAnswersWhatTheCalendarDoes(source: BreakPlan.Source, identifier: BreakPlan.Identifier) {
        let (book, calendar) = self.book {
            $0.breaks.source = source
            $0.breaks.podIdentifier = identifier
        }
        for seed in 0..<50 {
            var random = ViewerChance(seed: 0xB00C, viewer: seed)
            for _ in 0..<100 {
                let instant = ScriptedCrowd.wallStart + .milliseconds(Int64(random.next() % 60_000) - 5000)
                let click = ScriptedCrowd.wallStart + .milliseconds(Int64(random.next() % 200_000))
                let wanted = calendar.nextBreak(after: instant, clickedAt: click, isFirst: true)
                let found = book.nextBreak(after: instant, clickedAt: click, isFirst: true)
                #expect(found?.scheduled == wanted, "seed \(seed)")
                #expect(
                    found?.identifier == wanted.map { calendar.identifier(for: $0, clickedAt: click) },
                    "seed \(seed)"
                )
                #expect(found?.pathComponent == found?.identifier.pathComponent)
            }
        }
    }

    @Test func viewersOfOneBreakAndNameGetOneDescription() throws {
        let (book, _) = self.book { $0.breaks.source = .guideMinute(repeats: false) }
        let clicks = [5, 20].map { ScriptedCrowd.wallStart + .seconds($0) }
        let both = try clicks.map { try #require(book.nextBreak(after: $0, clickedAt: $0, isFirst: true)) }
        #expect(both[0] === both[1])
    }

    @Test func viewersOfOneBreakAndTwoNamesGetTwo() throws {
        let (book, _) = self.book {
            $0.breaks.source = .guideMinute(repeats: false)
            $0.breaks.podIdentifier = .guideSample
        }
        let clicks = [45, 75].map { ScriptedCrowd.wallStart + .seconds($0) }
        let both = try clicks.map { try #require(book.nextBreak(after: $0, clickedAt: $0, isFirst: true)) }
        #expect(both[0].scheduled == both[1].scheduled)
        #expect(both[0].identifier != both[1].identifier)
    }

    @Test func aScheduleThatHasEndedStaysEnded() {
        let (book, _) = self.book { $0.breaks.source = .list([.init(.seconds(5))]) }
        let start = ScriptedCrowd.wallStart
        for second in [0, 4, 5, 6, 4, 100] as [Int64] {
            let found = book.nextBreak(after: start + .seconds(second), clickedAt: start, isFirst: false)
            #expect((found == nil) == (second >= 5), "\(second)")
        }
    }
}
