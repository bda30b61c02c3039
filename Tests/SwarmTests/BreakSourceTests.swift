import AdServing
import Rules
import Testing
import Values

@testable import Profile
@testable import Swarm
@testable import Viewer

/// Breaks of several sources; each source alone is a case of `sources`.
@Suite struct BreakSourceTests {
    private static let announcing = LoadPlan.forTests { $0.breaks.source = .dateRange(classAttribute: nil) }

    /// A viewer that was told of breaks for two minutes, and given each pod at once.
    private static func told(_ breaks: [Double], _ plan: LoadPlan = announcing) -> ScriptedCrowd {
        let viewer = ScriptedCrowd.joined(plan)
        let tags = breaks.map { AnswerBody.breakTag(at: $0) }.joined()
        for version in 1..<60 {
            viewer.answerPlaylist(AnswerBody.media(100 + version, header: tags))
            viewer.advance(seconds: 2)
            while viewer.count(.podManifest) > 0 { viewer.answerPod() }
        }
        return viewer
    }

    @Test func eachBreakIsHadOnce() {
        let viewer = Self.told([20, 45])
        #expect(viewer.scheduled.map(\.scheduled.key) == ["break-20", "break-45"])
        #expect(viewer.outcomes.count { $0 == .breakDue } == 2)
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
        #expect(second.contains("&pd=10000&") && second.hasSuffix("&scte35=00"))
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
            return Dictionary(viewer.scheduled.map { ($0.scheduled.start.microseconds, $0.identifier) }) { $1 }
        }
        let early = identifiers(joining: 0, number: 0)
        let late = identifiers(joining: 47, number: 1)
        let shared = Set(early.keys).intersection(late.keys).sorted()
        #expect(shared.count >= 2 && shared.allSatisfy { early[$0] == late[$0] })
        let numbers = early.sorted { $0.key < $1.key }.map { entry -> Int in
            guard case .sequence(let number) = entry.value else { return -1 }
            return number
        }
        #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $1 == $0 + 1 })
    }
}

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

    @Test func breaksOfSeveralSourcesAreMergedByTheirStart() {
        let several = calendar(
            .several([
                .list([.init(.seconds(10)), .init(.seconds(45))]), .every(interval: .seconds(30), offset: .zero),
                .dateRange(classAttribute: nil),
            ])
        )
        #expect(several.readsPlaylist && several.isSameForAll)
        var found: [Int64] = []
        var instant = start - .microseconds(1)
        while found.count < 6, let next = several.nextBreak(after: instant, clickedAt: start, isFirst: false) {
            found.append((next.start.microseconds - start.microseconds) / 1_000_000)
            instant = next.start
        }
        #expect(found == [0, 10, 30, 45, 60, 90])
        #expect(several.overlap(in: start..<start + .seconds(60))?.1.start == nil)
        let list = BreakPlan.Source.list([.init(.seconds(10)), .init(.seconds(35))])
        let near = calendar(.several([list, .every(interval: .seconds(30), offset: .zero)]))
        let both = near.overlap(in: start..<start + .seconds(60))
        #expect(both?.0.start == start + .seconds(30) && both?.1.start == start + .seconds(35))
        #expect(near.overlap(in: start..<start + .seconds(35)) == nil)
    }
}

/// The pod's URL is built before the break's instant, and not for all viewers at once.
@Suite struct BreakPreparationTests {
    @Test func viewersPrepareAtMomentsOfTheirOwn() {
        let crowd = ScriptedCrowd.allWatching(viewers: 1024)
        let moments = (0..<1024).map { crowd.timers(of: $0)[.breakPreparation] }
        #expect(Set(moments).count == 1024 && !moments.contains(nil))
    }

    @Test(arguments: [0, 511, 1023])
    func aConnectionIsWarmedSoLongBeforeTheBreaksInstant(number: Int) {
        let plan = LoadPlan.forTests {
            $0.breaks.lead = .seconds(1)
            $0.breaks.preconnect = .milliseconds(1500)
        }
        let viewer = ScriptedCrowd.watching(plan, number: number, seconds: 18.25)
        #expect(viewer.warmed.isEmpty && viewer.scheduled.last?.url != nil)
        viewer.watch(seconds: 1)
        #expect(viewer.warmed == [18.5] && viewer.count(.podManifest) == 1)
        let asked = viewer.transport.requests(.podManifest).first
        #expect(asked != nil && viewer.transport.warmed.first?.request === asked)
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

    @Test(arguments: sources, IdentifierPolicy.allCases)
    func itAnswersWhatTheCalendarDoes(source: BreakPlan.Source, identifier: IdentifierPolicy) {
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
                let identifier = wanted.map { calendar.identifier(for: $0, clickedAt: click) }
                #expect(found?.scheduled == wanted && found?.identifier == identifier, "seed \(seed)")
                #expect(found?.pathComponent == found?.identifier.pathComponent)
                let again = book.nextBreak(after: instant, clickedAt: click, isFirst: true)
                #expect(again === found, "one description for all")
            }
        }
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

/// Breaks that are called for, as one viewer has them.
@Suite struct CalledBreakTests {
    private static func calling(_ others: [BreakPlan.Source] = []) -> LoadPlan {
        .forTests { $0.breaks.source = BreakPlan.Source(others + [.trigger(TriggerPlan())]) }
    }

    private func scheduled(_ second: Int64, lasting: Duration = .seconds(5), ordinal: Int = 1) -> ScheduledBreak {
        var scheduled = ScheduledBreak(
            start: ScriptedCrowd.wallStart + .seconds(second),
            duration: lasting,
            ordinal: ordinal
        )
        scheduled.scte35 = "/DA="
        return scheduled
    }

    /// Calls for a break as a run does: the book is told, and then the viewer.
    private func call(_ scheduled: ScheduledBreak, _ viewer: ScriptedCrowd) {
        _ = viewer.crowd.call(viewer.plan.breakBook.call(scheduled), from: 0)
    }

    /// Watches on, has each pod as soon as it is asked for, and says when that was.
    private func watch(_ viewer: ScriptedCrowd, seconds: Double) throws -> [Double] {
        var asked: [Double] = []
        for _ in 0..<Int(seconds * 4) {
            viewer.watch(seconds: 0.25)
            while let url = viewer.first(.podManifest)?.url {
                asked.append(viewer.seconds)
                let length = url.firstRange(of: "pd=").map { url[$0.upperBound...].prefix { $0.isNumber } } ?? ""
                viewer.answerPod([try #require(Double(length)) / 1000])
            }
        }
        return asked
    }

    @Test func aBreakThatIsCalledForIsHadAtItsInstantWithItsLengthAndSplice() throws {
        let viewer = ScriptedCrowd.watching(Self.calling())
        #expect(viewer.machine.nextBreakStart == nil)
        call(scheduled(7), viewer)
        #expect(viewer.machine.nextBreakStart == ScriptedCrowd.wallStart + .seconds(7))
        viewer.watch(seconds: 7)
        let url = try #require(viewer.first(.podManifest)?.url)
        #expect(url.contains("pd=5000&") && url.hasSuffix("scte35=%2FDA%3D"))
        viewer.answerPod([5])
        viewer.watch(seconds: 6)
        #expect(viewer.outcomes == [.breakDue, .breakOnTime(afterStart: 0)] && viewer.adEvents.last == .adBreakEnded)
        #expect(viewer.books == .init(scheduled: 1, ended: 1))
    }

    @Test func oneThatComesBeforeWhatIsPlannedIsHadFirst() throws {
        let listed = BreakPlan.Source.list([ListedBreak(.seconds(25)), ListedBreak(.seconds(60))])
        // The last of those whose requests are made out one after another.
        let viewer = ScriptedCrowd.watching(Self.calling([listed]), number: 1_023, seconds: 18)
        #expect(viewer.scheduled.last?.url == nil)
        viewer.watch(seconds: 2)
        #expect(viewer.scheduled.last?.url?.hasSuffix("pd=10000") == true)
        call(scheduled(21, lasting: .seconds(3)), viewer)
        call(scheduled(40, ordinal: 2), viewer)
        #expect(try watch(viewer, seconds: 60) == [21, 25, 40, 60])
        #expect(viewer.outcomes.count { $0 == .breakDue } == 4)
        #expect(viewer.scheduled.last?.scheduled.start == ScriptedCrowd.wallStart + .seconds(60))
        viewer.leave()
        #expect(viewer.books == .init(scheduled: 4, ended: 4))
    }

    /// A viewer that joins before its start is told all the same, because it watched when its loop came to it.
    @Test(arguments: [(5.0, [7.0]), (7.5, [])])
    func whoJoinsBetweenTheCallAndItsBreakHasItToo(second: Double, asked: [Double]) throws {
        let viewer = ScriptedCrowd(Self.calling())
        _ = viewer.plan.breakBook.call(scheduled(7))
        viewer.advance(seconds: second)
        viewer.startWatching()
        if second < 7 { call(scheduled(7), viewer) }
        #expect(try watch(viewer, seconds: 20) == asked)
        #expect(viewer.books == .init(scheduled: asked.count, ended: asked.count))
    }

    /// A loop that was held up, which is no fault of the target.
    @Test func oneThatIsLearnedOfTooLateIsSkipped() throws {
        let viewer = ScriptedCrowd.watching(Self.calling(), seconds: 8)
        call(scheduled(7), viewer)
        #expect(viewer.outcomes == [.breakSkipped(.joinedLate)])
        call(scheduled(20, ordinal: 2), viewer)
        #expect(try watch(viewer, seconds: 20) == [20])
        #expect(viewer.books == .init(scheduled: 2, ended: 2))
    }

    @Test func oneThatBeginsDuringAdsIsSkipped() throws {
        let viewer = ScriptedCrowd.watching(Self.calling())
        call(scheduled(7, lasting: .seconds(20)), viewer)
        viewer.watch(seconds: 7)
        viewer.answerPod([20])
        call(scheduled(15, ordinal: 2), viewer)
        viewer.watch(seconds: 25)
        #expect(viewer.outcomes == [.breakDue, .breakOnTime(afterStart: 0), .breakSkipped(.duringAds)])
        #expect(viewer.books == .init(scheduled: 2, ended: 2))
    }

    /// The book hands out one break to all, also to those who asked before it was called for.
    @Test func theBookForgetsWhatItKnewOfTheTimeBefore() {
        let called = CalledBreaks()
        let plan = Self.calling([.list([ListedBreak(.seconds(20))])]).breaks
        let start = ScriptedCrowd.wallStart
        let book = BreakBook(BreakCalendar(plan, runStart: start, called: called))
        func next(_ second: Int64) -> WallTime? {
            book.nextBreak(after: start + .seconds(second), clickedAt: start, isFirst: true)?.scheduled.start
        }
        #expect(next(0) == start + .seconds(20))
        let planned = book.call(scheduled(10))
        #expect(next(0) == start + .seconds(10) && next(9) == start + .seconds(10))
        #expect(next(10) == start + .seconds(20) && next(20) == nil)
        #expect(book.nextBreak(after: start, clickedAt: start, isFirst: false) === planned)
        _ = book.call(scheduled(30, ordinal: 2))
        #expect(next(20) == start + .seconds(30))
    }

    @Test func calledBreaksAreKeptByTheirStartAndWithinBounds() {
        let called = CalledBreaks()
        var random = ViewerChance(seed: 3, viewer: 0)
        var starts: Set<Int64> = []
        for _ in 0..<5_000 {
            let second = Int64(random.next() % 20_000)
            starts.insert(second)
            called.add(scheduled(second))
        }
        let newest = starts.sorted().suffix(4_096)
        var found: [Int64] = []
        var instant = WallTime(microseconds: .min)
        while let next = called.next(after: instant) {
            found.append((next.start.microseconds - ScriptedCrowd.wallStart.microseconds) / 1_000_000)
            instant = next.start
        }
        #expect(found == Array(newest))
    }
}
