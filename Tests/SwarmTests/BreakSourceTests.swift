import AdServing
import HLS
import LoadProfile
import Rulebook
import Testing
import Time

@testable import Audience
@testable import Audit
@testable import Swarm
@testable import Viewer

/// Where breaks come from: the playlist's date ranges, a list, a rule of the clock.
@Suite struct BreakSourceTests {
    private static let announcing = LoadPlan.forTests { $0.breaks.source = .dateRange(classAttribute: nil) }

    private func announced(_ second: Int64, id: String? = nil, lasting: Duration = .seconds(10)) -> ScheduledBreak {
        ScheduledBreak(
            start: ScriptedViewer.wallStart + .seconds(second),
            duration: lasting,
            key: id ?? "break-\(second)",
            ordinal: 1,
            dateRangeID: id ?? "break-\(second)"
        )
    }

    /// Gives the open poll a new version that announces these breaks.
    private func announce(
        _ breaks: [ScheduledBreak],
        version: Int,
        to viewer: inout ScriptedViewer,
        handling: Duration = .zero
    ) throws {
        let request = try #require(viewer.open.first { $0.role == .playlist })
        viewer.take(.playlist)
        viewer.send(
            .playlist(try .forTests(version: version, announced: breaks), plannedAt: request.plannedAt),
            handling: handling
        )
    }

    /// A viewer of an announcing channel with an open first poll, at this second of the run.
    private func viewer(joining second: Double = 0, _ plan: LoadPlan = Self.announcing) throws -> ScriptedViewer {
        var viewer = ScriptedViewer(plan)
        viewer.advance(seconds: second)
        viewer.send(.join)
        viewer.take(.registration)
        viewer.send(.registered(try .forTests))
        viewer.take(.multivariant)
        viewer.send(.multivariant(try .forTests(), url: "http://127.0.0.1:8080/live/main/multivariant.m3u8"))
        return viewer
    }

    @Test func anAnnouncedBreakIsAskedForAtItsInstantAndPlayedAtTheViewersPlayhead() throws {
        var viewer = try self.viewer()
        try announce([announced(20)], version: 1, to: &viewer)
        #expect(viewer.timers[.breakFetch] == ScriptedViewer.start.later(by: .seconds(20)))
        viewer.advance(seconds: 20)
        #expect(viewer.count(.podManifest) == 1)
        // Three target durations of 2 s behind the live edge.
        #expect(viewer.timers[.breakStart] == ScriptedViewer.start.later(by: .seconds(26)))
        try viewer.answerPod()
        viewer.advance(seconds: 6)
        #expect(viewer.outcomes == [.breakDue, .breakOnTime(afterStart: -6_000_000_000)])
        #expect(viewer.adEvents.first == .adBreakStarted)
    }

    @Test func eachBreakIsHadOnce() throws {
        var viewer = try self.viewer()
        for version in 1..<40 {
            try announce([announced(20), announced(45)], version: version, to: &viewer)
            viewer.advance(seconds: 2)
            while viewer.count(.podManifest) > 0 {
                try viewer.answerPod()
            }
        }
        #expect(viewer.scheduled.map(\.0.key) == ["break-20", "break-45"])
        #expect(viewer.outcomes.count { $0 == .breakDue } == 2)
    }

    @Test func oneWhoJoinsLaterDoesNotGetABreakThatIsPast() throws {
        var viewer = try self.viewer(joining: 40)
        try announce([announced(20), announced(60)], version: 1, to: &viewer)
        #expect(viewer.scheduled.map(\.0.key) == ["break-60"])
    }

    @Test func aBreakAheadOfThePlayheadIsAskedForAtOnceAndPlannedForNow() throws {
        var viewer = try self.viewer(joining: 22)
        try announce([announced(20)], version: 1, to: &viewer)
        // A request is planned for the deadline of its timer.
        #expect(viewer.timers[.breakFetch] == ScriptedViewer.start.later(by: .seconds(22)))
        viewer.advance(seconds: 0)
        #expect(viewer.count(.podManifest) == 1)
    }

    /// The playhead is at the break at 26 s.
    @Test func anAnnouncementCountsByWhenItCame() throws {
        var viewer = try self.viewer()
        try announce([], version: 1, to: &viewer)
        viewer.advance(seconds: 26.2)
        try announce([announced(20)], version: 2, to: &viewer, handling: .milliseconds(300))
        viewer.advance(seconds: 0)
        #expect(viewer.count(.podManifest) == 1)
        #expect(viewer.counted(.podsHandledLate) == 0)
    }

    @Test func anAnnouncementThatIsReadTooLateIsPodswarmsOwnDelay() throws {
        var viewer = try self.viewer()
        try announce([], version: 1, to: &viewer)
        viewer.advance(seconds: 26.2)
        try announce([announced(20)], version: 2, to: &viewer, handling: .seconds(2))
        viewer.advance(seconds: 0)
        #expect(viewer.count(.podManifest) == 0)
        #expect(viewer.counted(.podsHandledLate) == 1)
        #expect(viewer.outcomes == [])
    }

    @Test func anAnnouncementThatComesTooLateLosesTheBreak() throws {
        var viewer = try self.viewer()
        try announce([], version: 1, to: &viewer)
        viewer.advance(seconds: 26.2)
        try announce([announced(20)], version: 2, to: &viewer, handling: .milliseconds(100))
        #expect(viewer.outcomes == [.breakDue, .breakFailed(.announcedTooLate)])
    }

    /// A century off, and further than any clock counts: it is lost for no viewer.
    @Test(arguments: [Int64.max, .min, 3_155_760_000_000_000, -3_155_760_000_000_000])
    func aBreakBeyondTimeTrapsNothingAndComesNever(microseconds: Int64) throws {
        var viewer = try self.viewer()
        try announce([], version: 1, to: &viewer)
        viewer.advance(seconds: 6)
        let far = ScheduledBreak(
            start: WallTime(microseconds: ScriptedViewer.wallStart.microseconds.addingClamped(microseconds)),
            duration: .seconds(Int64.max / 4),
            key: "far",
            ordinal: 1,
            dateRangeID: "far"
        )
        try announce([far], version: 2, to: &viewer)
        try viewer.watch(seconds: 30)
        #expect(viewer.count(.podManifest) == 0)
        #expect(!viewer.outcomes.contains(.breakDue))
    }

    @Test func aListIsGoneThroughInOrderAndEnds() throws {
        var viewer = ScriptedViewer(.forTests { $0.breaks.source = .list([.init(.seconds(5)), .init(.seconds(25))]) })
        try viewer.startWatching()
        var asked: [Double] = []
        for _ in 0..<240 {
            try viewer.watch(seconds: 0.25)
            while viewer.count(.podManifest) > 0 {
                asked.append(viewer.seconds)
                try viewer.answerPod()
            }
        }
        #expect(asked == [5, 25])
        #expect(viewer.machine.nextBreakStart == nil)
    }

    @Test(arguments: [nil, "key"])
    func aPodIsAskedForAsLongAsItsBreakIsAndWithItsSplice(key: String?) throws {
        var plan = LoadPlan.forTests {
            $0.breaks.source = .list([
                ListedBreak(.seconds(5), duration: .seconds(15), scte35: "/DAl+A=="), ListedBreak(.seconds(25)),
            ])
        }
        guard case .podServing(var server) = plan.target else { return }
        server.session.scte35 = "00"
        server.session.authTokenKey = key
        plan.target = .podServing(server)
        var viewer = ScriptedViewer(plan)
        try viewer.startWatching()
        try viewer.watch(seconds: 6)
        let first = try #require(viewer.open.last { $0.role == .podManifest }?.url)
        #expect(first.contains("&pd=15000&"))
        #expect(first.hasSuffix("&scte35=%2FDAl%2BA%3D%3D"))
        // The token says the same (pod manifest requests, "Generate an HMAC token").
        #expect(first.contains("scte35%3D%2FDAl%2BA%3D%3D~") == (key != nil) || first.contains("%7Escte35%3D"))
        try viewer.answerPod(durationsMilliseconds: [15_000])
        try viewer.watch(seconds: 20)
        let second = try #require(viewer.open.last { $0.role == .podManifest }?.url)
        #expect(second.contains("&pd=10000&"))
        #expect(second.hasSuffix("&scte35=00"))
    }

    /// Ends that were counted, beside what was scheduled.
    private func settled(_ viewer: ScriptedViewer) -> (scheduled: Int, ended: Int) {
        let ends: [ViewerCounter] = [
            .eventsFinished, .eventsCutShort, .eventsCancelled, .eventsFailed, .eventsSkipped, .eventsLeft,
        ]
        return (viewer.counted(.eventsScheduled), ends.reduce(0) { $0 + viewer.counted($1) })
    }

    @Test func breaksOfAListAndOfThePlaylistComeByTheirStart() throws {
        let plan = LoadPlan.forTests {
            $0.breaks.source = .several([
                .list([ListedBreak(.seconds(30)), ListedBreak(.seconds(70))]), .dateRange(classAttribute: nil),
            ])
        }
        var viewer = try self.viewer(plan)
        // Announced before the one that waits, and after it.
        let announced = [announced(12), announced(50)]
        var asked: [Double] = []
        for version in 1..<60 {
            try announce(announced, version: version, to: &viewer)
            viewer.advance(seconds: 2)
            while viewer.count(.podManifest) > 0 {
                asked.append(viewer.seconds)
                try viewer.answerPod()
            }
        }
        #expect(asked == [12, 30, 50, 70])
        #expect(viewer.outcomes.count { $0 == .breakDue } == 4)
        viewer.send(.leave)
        #expect(settled(viewer) == (4, 4))
    }

    @Test func aBreakOfAnotherSourceThatBeginsDuringAdsIsSkippedAndTheNextOneIsHad() throws {
        let plan = LoadPlan.forTests {
            $0.breaks.source = .several([
                .list([ListedBreak(.seconds(26)), ListedBreak(.seconds(60))]), .dateRange(classAttribute: nil),
            ])
        }
        var viewer = try self.viewer(plan)
        var asked: [Double] = []
        for version in 1..<60 {
            try announce([announced(20)], version: version, to: &viewer)
            viewer.advance(seconds: 2)
            while viewer.count(.podManifest) > 0 {
                asked.append(viewer.seconds)
                try viewer.answerPod()
            }
        }
        #expect(asked == [20, 60])
        #expect(viewer.outcomes.contains(.breakSkipped(.duringAds)))
        #expect(viewer.outcomes.count { $0 == .breakDue } == 2)
        viewer.send(.leave)
        #expect(settled(viewer) == (3, 3))
    }

    @Test func sequenceNumbersAreEqualForAllAndRiseByOne() throws {
        func identifiers(joining second: Double, number: Int) throws -> [Int64: PodIdentifier] {
            var viewer = ScriptedViewer(.forTests { $0.breaks.podIdentifier = .sequence }, number: number)
            viewer.advance(seconds: second)
            try viewer.startWatching()
            for _ in 0..<400 {
                try viewer.watch(seconds: 0.25)
                while viewer.count(.podManifest) > 0 {
                    try viewer.answerPod()
                }
            }
            return Dictionary(viewer.scheduled.map { ($0.0.start.microseconds, $0.1) }) { first, _ in first }
        }
        let early = try identifiers(joining: 0, number: 0)
        let late = try identifiers(joining: 47, number: 1)
        let shared = Set(early.keys).intersection(late.keys).sorted()
        #expect(shared.count >= 2)
        #expect(shared.allSatisfy { early[$0] == late[$0] })
        let numbers = early.sorted { $0.key < $1.key }.map { entry -> Int in
            guard case .sequence(let number) = entry.value else { return -1 }
            return number
        }
        #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $1 == $0 + 1 })
    }

    @Test(arguments: [false, true])
    func aGuideMinuteThatNoPlaylistCameForIsLostOnce(repeats: Bool) throws {
        var viewer = ScriptedViewer(.forTests { $0.breaks.source = .guideMinute(repeats: repeats) })
        viewer.send(.join)
        viewer.advance(seconds: 62)
        #expect(viewer.outcomes == [.breakDue, .breakFailed(.noSession)])
        #expect(viewer.timers[.breakFetch] == (repeats ? ScriptedViewer.start.later(by: .seconds(120)) : nil))
    }

    @Test func aViewerWhoJoinsWithinTheLeadTakesTheNextBreak() throws {
        let plan = LoadPlan.forTests { $0.breaks.lead = .seconds(5) }
        var viewer = ScriptedViewer(plan)
        viewer.advance(seconds: 16)
        try viewer.startWatching()
        #expect(viewer.timers[.breakFetch] == ScriptedViewer.start.later(by: .seconds(35)))
    }
}

/// The calendar of a plan, without a viewer.
@Suite struct BreakCalendarTests {
    private let start = ScriptedViewer.wallStart

    private func calendar(_ source: BreakPlan.Source) -> BreakCalendar {
        BreakCalendar(LoadPlan.forTests { $0.breaks.source = source }.breaks, runStart: start)
    }

    @Test func breaksOfARuleFallOnMultiplesOfTheIntervalWheneverTheRunStarted() {
        let source = BreakPlan.Source.every(interval: .seconds(60), offset: .seconds(15))
        for shift in stride(from: Int64(0), to: 180, by: 7) {
            let plan = LoadPlan.forTests { $0.breaks.source = source }.breaks
            let now = start + .seconds(shift)
            let next = BreakCalendar(plan, runStart: now).nextBreak(after: now, clickedAt: now, isFirst: true)
            let second = (next?.start.microseconds ?? 0) / 1_000_000 % 60
            #expect(second == 15, "run started \(shift) s after the minute")
            #expect((next?.start ?? now) > now)
        }
    }

    @Test func onlyAnnouncedBreaksAreReadFromThePlaylist() {
        #expect(calendar(.dateRange(classAttribute: nil)).readsPlaylist)
        #expect(!calendar(.list([.init(.zero)])).readsPlaylist)
        let none = calendar(.dateRange(classAttribute: nil)).nextBreak(after: start, clickedAt: start, isFirst: true)
        #expect(none == nil)
    }

    @Test func aGuideMinuteComesOnceUnlessItRepeats() {
        let once = calendar(.guideMinute(repeats: false))
        let again = calendar(.guideMinute(repeats: true))
        let first = start + .seconds(60)
        #expect(once.nextBreak(after: start, clickedAt: start, isFirst: true)?.start == first)
        #expect(once.nextBreak(after: first, clickedAt: start, isFirst: false) == nil)
        #expect(again.nextBreak(after: first, clickedAt: start, isFirst: false)?.start == start + .seconds(120))
    }

    @Test func aListCountsFromTheStartOfTheRun() {
        let list = calendar(.list([.init(.seconds(30)), .init(.seconds(10))]))
        let first = list.nextBreak(after: start, clickedAt: start, isFirst: true)
        #expect(first?.start == start + .seconds(10))
        #expect(first?.ordinal == 1)
        #expect(list.nextBreak(after: start + .seconds(30), clickedAt: start, isFirst: false) == nil)
    }

    @Test func breaksOfSeveralSourcesAreMergedByTheirStart() {
        let several = calendar(
            .several([
                .list([.init(.seconds(10)), .init(.seconds(45))]), .every(interval: .seconds(30), offset: .zero),
                .dateRange(classAttribute: nil),
            ])
        )
        #expect(several.readsPlaylist && several.hasSchedule && several.isSameForAll)
        var found: [Int64] = []
        var instant = start - .microseconds(1)
        while found.count < 6, let next = several.nextBreak(after: instant, clickedAt: start, isFirst: false) {
            found.append((next.start.microseconds - start.microseconds) / 1_000_000)
            instant = next.start
        }
        #expect(found == [0, 10, 30, 45, 60, 90])
        #expect(several.overlap(in: start..<start + .seconds(60))?.1.start == nil)
        let near = calendar(
            .several([
                .list([.init(.seconds(10)), .init(.seconds(35))]), .every(interval: .seconds(30), offset: .zero),
            ])
        )
        let both = near.overlap(in: start..<start + .seconds(60))
        #expect(both?.0.start == start + .seconds(30))
        #expect(both?.1.start == start + .seconds(35))
        #expect(near.overlap(in: start..<start + .seconds(35)) == nil)
    }

    @Test func aBreakOfAListHasItsOwnLengthAndSplice() {
        let own = ListedBreak(.seconds(10), duration: .seconds(15), scte35: "/DA=")
        let list = calendar(.list([own, .init(.seconds(30))]))
        let first = list.nextBreak(after: start, clickedAt: start, isFirst: true)
        #expect(first?.duration == .seconds(15))
        #expect(first?.scte35 == "/DA=")
        let second = list.nextBreak(after: start + .seconds(10), clickedAt: start, isFirst: false)
        #expect(second?.duration == .seconds(10))
        #expect(second?.scte35 == nil)
        #expect(second?.ordinal == 2)
    }
}
