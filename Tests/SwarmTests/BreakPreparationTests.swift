import AdServing
import HLS
import LoadProfile
import Testing

@testable import Audience
@testable import Swarm
@testable import Viewer

/// The pod's URL is built before the break's instant, and not for all viewers at once.
@Suite struct BreakPreparationTests {
    private static let second: Int64 = 1_000_000_000

    @Test func theURLIsBuiltSomeSecondsBeforeItIsAsked() throws {
        for number in [0, 1, 511, 1023, 1024, 4999] {
            var viewer = ScriptedViewer(number: number)
            try viewer.startWatching()
            let at = try #require(viewer.timers[.breakPreparation])
            let ahead = ScriptedViewer.start.later(by: .seconds(20)).nanoseconds(since: at)
            #expect((2 * Self.second..<6 * Self.second).contains(ahead), "viewer \(number)")
            try viewer.watch(seconds: 14.75)
            #expect(viewer.scheduled.last?.2 == nil, "viewer \(number)")
            try viewer.watch(seconds: 3.5)
            let url = try #require(viewer.scheduled.last?.2, "viewer \(number)")
            try viewer.watch(seconds: 1.75)
            #expect(viewer.take(.podManifest) == url, "viewer \(number)")
        }
    }

    @Test func viewersPrepareAtMomentsOfTheirOwn() throws {
        let moments = try (0..<1024).map { number in
            var viewer = ScriptedViewer(number: number)
            try viewer.startWatching()
            return try #require(viewer.timers[.breakPreparation])
        }
        #expect(Set(moments).count == 1024)
    }

    @Test func aBreakThatIsNearIsPreparedAtOnce() throws {
        var viewer = ScriptedViewer()
        viewer.advance(seconds: 19)
        try viewer.startWatching()
        #expect(viewer.scheduled.last?.2?.contains("/ad_break_id/break-1795291220") == true)
        #expect(viewer.timers[.breakPreparation] == nil)
    }

    @Test func aSessionThatComesAfterThePreparationIsStillInTime() throws {
        var viewer = ScriptedViewer()
        viewer.send(.join)
        viewer.take(.multivariant)
        viewer.send(.multivariant(try .forTests(), url: "http://127.0.0.1:8080/live/main/multivariant.m3u8"))
        try viewer.answerPlaylist()
        try viewer.watch(seconds: 19)
        #expect(viewer.scheduled.last?.2 == nil)
        viewer.take(.registration)
        viewer.send(.registered(try .forTests))
        #expect(viewer.scheduled.last?.2 != nil)
        try viewer.watch(seconds: 1)
        #expect(viewer.count(.podManifest) == 1)
    }

    @Test func nothingIsPreparedWithoutASession() throws {
        var viewer = ScriptedViewer()
        try viewer.startWatching(registers: false)
        try viewer.watch(seconds: 20)
        #expect(viewer.scheduled.allSatisfy { $0.2 == nil })
    }
    @Test(arguments: [0, 511, 1023])
    func aConnectionIsWarmedSoLongBeforeTheBreaksInstant(number: Int) throws {
        let plan = LoadPlan.forTests {
            $0.breaks.lead = .seconds(1)
            $0.breaks.preconnect = .milliseconds(1500)
        }
        var viewer = ScriptedViewer(plan, number: number)
        try viewer.startWatching()
        try viewer.watch(seconds: 18.25)
        #expect(viewer.warmed.isEmpty)
        #expect(viewer.scheduled.last?.2 != nil)
        try viewer.watch(seconds: 1)
        #expect(viewer.warmed == [ScriptedViewer.start.later(by: .milliseconds(18_500))])
        #expect(viewer.count(.podManifest) == 1)
    }

    @Test func aPlayheadsConnectionIsWarmedBeforeThePlayheadIsThere() throws {
        let plan = LoadPlan.forTests {
            $0.breaks.source = .dateRange(classAttribute: nil)
            $0.breaks.trigger = .playhead
            $0.breaks.preconnect = .seconds(3)
        }
        var viewer = ScriptedViewer(plan)
        try viewer.startWatching()
        viewer.advance(seconds: 2)
        let announced = ScheduledBreak(
            start: ScriptedViewer.wallStart + .seconds(20),
            duration: .seconds(10),
            ordinal: 1
        )
        viewer.take(.playlist)
        viewer.send(.playlist(try .forTests(version: 2, announced: [announced]), plannedAt: viewer.now))
        viewer.advance(seconds: 24)
        // Three target durations of 2 s behind the live edge.
        #expect(viewer.warmed == [ScriptedViewer.start.later(by: .seconds(23))])
    }

    @Test func nothingIsWarmedWhereThePlanSaysNothing() throws {
        var viewer = ScriptedViewer()
        try viewer.startWatching()
        try viewer.watch(seconds: 45)
        #expect(viewer.warmed.isEmpty)
    }

    @Test func aViewerWithoutASessionWarmsNothing() throws {
        var viewer = ScriptedViewer(.forTests { $0.breaks.preconnect = .seconds(2) })
        try viewer.startWatching(registers: false)
        try viewer.watch(seconds: 20)
        #expect(viewer.warmed.isEmpty)
    }

    @Test func aSessionThatComesAfterTheInstantOfWarmingWarmsAtOnce() throws {
        var viewer = ScriptedViewer(.forTests { $0.breaks.preconnect = .seconds(5) })
        viewer.send(.join)
        viewer.take(.multivariant)
        viewer.send(.multivariant(try .forTests(), url: "http://127.0.0.1:8080/live/main/multivariant.m3u8"))
        try viewer.answerPlaylist()
        try viewer.watch(seconds: 17)
        #expect(viewer.warmed.isEmpty)
        viewer.take(.registration)
        viewer.send(.registered(try .forTests))
        #expect(viewer.warmed == [ScriptedViewer.start.later(by: .seconds(17))])
    }
}

/// One description of a break for all who are to have it.
@Suite struct BreakBookTests {
    private func book(_ change: (inout LoadPlan) -> Void = { _ in }) -> (BreakBook, BreakCalendar) {
        let calendar = BreakCalendar(LoadPlan.forTests(change).breaks, runStart: ScriptedViewer.wallStart)
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
                let instant = ScriptedViewer.wallStart + .milliseconds(Int64(random.next() % 60_000) - 5000)
                let click = ScriptedViewer.wallStart + .milliseconds(Int64(random.next() % 200_000))
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
        let clicks = [5, 20].map { ScriptedViewer.wallStart + .seconds($0) }
        let both = try clicks.map { try #require(book.nextBreak(after: $0, clickedAt: $0, isFirst: true)) }
        #expect(both[0] === both[1])
    }

    @Test func viewersOfOneBreakAndTwoNamesGetTwo() throws {
        let (book, _) = self.book {
            $0.breaks.source = .guideMinute(repeats: false)
            $0.breaks.podIdentifier = .guideSample
        }
        let clicks = [45, 75].map { ScriptedViewer.wallStart + .seconds($0) }
        let both = try clicks.map { try #require(book.nextBreak(after: $0, clickedAt: $0, isFirst: true)) }
        #expect(both[0].scheduled == both[1].scheduled)
        #expect(both[0].identifier != both[1].identifier)
    }

    @Test func aScheduleThatHasEndedStaysEnded() {
        let (book, _) = self.book { $0.breaks.source = .list([.init(.seconds(5))]) }
        let start = ScriptedViewer.wallStart
        for second in [0, 4, 5, 6, 4, 100] as [Int64] {
            let found = book.nextBreak(after: start + .seconds(second), clickedAt: start, isFirst: false)
            #expect((found == nil) == (second >= 5), "\(second)")
        }
    }
}
