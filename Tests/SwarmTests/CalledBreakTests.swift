import AdServing
import LoadProfile
import Rulebook
import Testing
import Time

@testable import Audience
@testable import Swarm
@testable import Viewer

/// Breaks that nobody planned, as one viewer has them.
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
        #expect(viewer.outcomes == [.breakDue, .breakOnTime(afterStart: 0)])
        #expect(viewer.adEvents.last == .adBreakEnded)
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

    @Test func whoJoinsBetweenTheCallAndItsBreakHasItToo() throws {
        let viewer = ScriptedCrowd(Self.calling())
        _ = viewer.plan.breakBook.call(scheduled(7))
        viewer.advance(seconds: 5)
        viewer.startWatching()
        // Told all the same, because it watched when its loop came to it.
        call(scheduled(7), viewer)
        #expect(try watch(viewer, seconds: 20) == [7])
        #expect(viewer.books == .init(scheduled: 1, ended: 1))
    }

    @Test func whoJoinsAfterItBeganDoesNotHaveIt() throws {
        let viewer = ScriptedCrowd(Self.calling())
        _ = viewer.plan.breakBook.call(scheduled(7))
        viewer.advance(seconds: 7.5)
        viewer.startWatching()
        #expect(try watch(viewer, seconds: 20).isEmpty)
        #expect(viewer.books == .init(scheduled: 0, ended: 0))
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

    /// The book hands out one break to all, whoever asked before it was called for.
    @Test func theBookForgetsWhatItKnewOfTheTimeBefore() {
        let called = CalledBreaks()
        let plan = Self.calling([.list([ListedBreak(.seconds(20))])]).breaks
        let start = ScriptedCrowd.wallStart
        let book = BreakBook(BreakCalendar(plan, runStart: start, called: called), called: called)
        func next(_ second: Int64) -> WallTime? {
            book.nextBreak(after: start + .seconds(second), clickedAt: start, isFirst: true)?.scheduled.start
        }
        #expect(next(0) == start + .seconds(20))
        let planned = book.call(scheduled(10))
        #expect(next(0) == start + .seconds(10))
        #expect(next(9) == start + .seconds(10))
        #expect(next(10) == start + .seconds(20))
        #expect(next(20) == nil)
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
