import AdServing
import LoadProfile
import Rulebook
import Testing
import Time

@testable import Audience
@testable import Swarm
@testable import Viewer

/// Where breaks come from: the playlist's date ranges, a list, a rule of the clock.
@Suite struct BreakSourceTests {
    private static let announcing = LoadPlan.forTests { $0.breaks.source = .dateRange(classAttribute: nil) }

    /// A version of the channel that announces breaks at seconds of the run.
    private static func playlist(_ version: Int, _ breaks: [Double]) -> String {
        AnswerBody.media(100 + version, header: breaks.map { AnswerBody.breakTag(at: $0) }.joined())
    }

    private static func announce(
        _ breaks: [Double],
        version: Int,
        to viewer: ScriptedCrowd,
        handling: Duration = .zero
    ) {
        viewer.answerPlaylist(playlist(version, breaks), handling: handling)
    }

    /// A viewer that was told of breaks for two minutes, and given each pod at once.
    private static func told(_ breaks: [Double], _ plan: LoadPlan = announcing) -> ScriptedCrowd {
        let viewer = ScriptedCrowd.joined(plan)
        for version in 1..<60 {
            announce(breaks, version: version, to: viewer)
            viewer.advance(seconds: 2)
            while viewer.count(.podManifest) > 0 { viewer.answerPod() }
        }
        return viewer
    }

    @Test func anAnnouncedBreakIsAskedForAtItsInstantAndPlayedAtTheViewersPlayhead() {
        let viewer = ScriptedCrowd.joined(Self.announcing)
        Self.announce([20], version: 1, to: viewer)
        #expect(viewer.timers[.breakFetch] == ScriptedCrowd.instant(20))
        viewer.advance(seconds: 20)
        #expect(viewer.count(.podManifest) == 1)
        // Three target durations of 2 s behind the live edge.
        #expect(viewer.timers[.breakStart] == ScriptedCrowd.instant(26))
        viewer.answerPod()
        viewer.advance(seconds: 6)
        #expect(viewer.outcomes == [.breakDue, .breakOnTime(afterStart: -6_000_000_000)])
        #expect(viewer.adEvents.first == .adBreakStarted)
    }

    @Test func eachBreakIsHadOnce() {
        let viewer = Self.told([20, 45])
        #expect(viewer.scheduled.map(\.scheduled.key) == ["break-20", "break-45"])
        #expect(viewer.outcomes.count { $0 == .breakDue } == 2)
    }

    @Test func oneWhoJoinsLaterDoesNotGetABreakThatIsPast() {
        let viewer = ScriptedCrowd.joined(Self.announcing, at: 40)
        Self.announce([20, 60], version: 1, to: viewer)
        #expect(viewer.scheduled.map(\.scheduled.key) == ["break-60"])
    }

    @Test func aBreakAheadOfThePlayheadIsAskedForAtOnceAndPlannedForNow() {
        let viewer = ScriptedCrowd.joined(Self.announcing, at: 22)
        Self.announce([20], version: 1, to: viewer)
        // A request is planned for the deadline of its timer.
        #expect(viewer.timers[.breakFetch] == ScriptedCrowd.instant(22))
        viewer.advance(seconds: 0)
        #expect(viewer.count(.podManifest) == 1)
    }

    /// The playhead is at the break at 26 s, and the announcement is read 0.2 s later: it counts by when it came.
    @Test(
        arguments: [
            (300, asks: 1, handledLate: 0, []), (2_000, 0, 1, []),
            (100, 0, 0, [.breakDue, .breakFailed(.announcedTooLate)]),
        ] as [(Int, asks: Int, handledLate: Int, [ViewerNote])]
    )
    func anAnnouncementCountsByWhenItCame(handling: Int, asks: Int, handledLate: Int, outcomes: [ViewerNote]) {
        let viewer = ScriptedCrowd.joined(Self.announcing)
        Self.announce([], version: 1, to: viewer)
        viewer.advance(seconds: 26.2)
        Self.announce([20], version: 2, to: viewer, handling: .milliseconds(handling))
        viewer.advance(seconds: 0)
        #expect(viewer.count(.podManifest) == asks)
        #expect(viewer.counted(.podsHandledLate) == handledLate)
        #expect(viewer.outcomes == outcomes)
    }

    /// Dates at both ends of what a playlist can say: the break is lost for no viewer.
    @Test(arguments: ["9999-12-31T23:59:59Z", "0001-01-01T00:00:00Z", "2126-11-21T20:00:00Z", "1926-11-21T20:00:00Z"])
    func aBreakBeyondTimeTrapsNothingAndComesNever(date: String) {
        let viewer = ScriptedCrowd.joined(Self.announcing)
        Self.announce([], version: 1, to: viewer)
        viewer.advance(seconds: 6)
        let tag = #"#EXT-X-DATERANGE:ID="far",START-DATE="\#(date)",PLANNED-DURATION=2e18,SCTE35-OUT=0xFC00"# + "\n"
        viewer.answerPlaylist(AnswerBody.media(102, header: tag))
        viewer.watch(seconds: 30)
        #expect(viewer.count(.podManifest) == 0)
        #expect(!viewer.outcomes.contains(.breakDue))
    }

    @Test func aListIsGoneThroughInOrderAndEnds() {
        let list = BreakPlan.Source.list([.init(.seconds(5)), .init(.seconds(25))])
        let viewer = ScriptedCrowd.watching(.forTests { $0.breaks.source = list })
        viewer.watch(seconds: 60, pods: [5, 5])
        #expect(viewer.asked(.podManifest) == [5, 25])
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
        let viewer = ScriptedCrowd.watching(plan, seconds: 6)
        let first = try #require(viewer.first(.podManifest)?.url)
        #expect(first.contains("&pd=15000&"))
        #expect(first.hasSuffix("&scte35=%2FDAl%2BA%3D%3D"))
        // The token says the same (pod manifest requests, "Generate an HMAC token").
        #expect(first.contains("scte35%3D%2FDAl%2BA%3D%3D~") == (key != nil) || first.contains("%7Escte35%3D"))
        viewer.answerPod([15])
        viewer.watch(seconds: 20)
        let second = try #require(viewer.first(.podManifest)?.url)
        #expect(second.contains("&pd=10000&"))
        #expect(second.hasSuffix("&scte35=00"))
    }

    /// Of breaks of a list beside announced ones, those that begin during ads are skipped.
    @Test(
        arguments: [
            (listed: [30, 70], announced: [12, 50], asked: [12, 30, 50, 70], skipped: 0),
            ([26, 60], [20], [20, 60], 1),
        ] as [(listed: [Int], announced: [Double], asked: [Double], skipped: Int)]
    )
    func breaksOfAListAndOfThePlaylistComeByTheirStart(
        listed: [Int],
        announced: [Double],
        asked: [Double],
        skipped: Int
    ) {
        let plan = LoadPlan.forTests {
            let list = listed.map { ListedBreak(.seconds($0)) }
            $0.breaks.source = .several([.list(list), .dateRange(classAttribute: nil)])
        }
        let viewer = Self.told(announced, plan)
        #expect(viewer.asked(.podManifest) == asked)
        #expect(viewer.outcomes.count { $0 == .breakSkipped(.duringAds) } == skipped)
        #expect(viewer.outcomes.count { $0 == .breakDue } == asked.count)
        viewer.leave()
        let count = listed.count + announced.count
        #expect(viewer.books == .init(scheduled: count, ended: count))
    }

    @Test func sequenceNumbersAreEqualForAllAndRiseByOne() {
        func identifiers(joining second: Double, number: Int) -> [Int64: PodIdentifier] {
            let viewer = ScriptedCrowd(.forTests { $0.breaks.podIdentifier = .sequence }, number: number)
            viewer.advance(seconds: second)
            viewer.startWatching()
            viewer.watch(seconds: 100, pods: [5, 5])
            return Dictionary(viewer.scheduled.map { ($0.scheduled.start.microseconds, $0.identifier) }) { first, _ in
                first
            }
        }
        let early = identifiers(joining: 0, number: 0)
        let late = identifiers(joining: 47, number: 1)
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
    func aGuideMinuteThatNoPlaylistCameForIsLostOnce(repeats: Bool) {
        let viewer = ScriptedCrowd(.forTests { $0.breaks.source = .guideMinute(repeats: repeats) })
        viewer.join()
        viewer.advance(seconds: 62)
        #expect(viewer.outcomes == [.breakDue, .breakFailed(.noSession)])
        #expect(viewer.timers[.breakFetch] == (repeats ? ScriptedCrowd.instant(120) : nil))
    }

    @Test func aViewerWhoJoinsWithinTheLeadTakesTheNextBreak() {
        let viewer = ScriptedCrowd(.forTests { $0.breaks.lead = .seconds(5) })
        viewer.advance(seconds: 16)
        viewer.startWatching()
        #expect(viewer.timers[.breakFetch] == ScriptedCrowd.instant(35))
    }
}

/// The calendar of a plan, without a viewer.
@Suite struct BreakCalendarTests {
    private let start = ScriptedCrowd.wallStart

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
        let announced = calendar(.dateRange(classAttribute: nil))
        #expect(announced.readsPlaylist && !calendar(.list([.init(.zero)])).readsPlaylist)
        #expect(announced.nextBreak(after: start, clickedAt: start, isFirst: true) == nil)
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
