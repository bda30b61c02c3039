import AdServing
import HLS
import LoadProfile
import Players
import Rulebook
import Testing

@testable import Audience
@testable import Swarm
@testable import Viewer

/// A viewer's way through breaks, on a fake clock.
@Suite struct ViewerBreakTests {
    @Test func asksForThePodAtTheBreaksInstant() throws {
        var viewer = ScriptedViewer()
        try viewer.startWatching()
        try viewer.watch(seconds: 19.75)
        #expect(viewer.count(.podManifest) == 0)
        try viewer.watch(seconds: 0.25)
        let request = try #require(viewer.open.first { $0.role == .podManifest })
        #expect(request.plannedAt == ScriptedViewer.start.later(by: .seconds(20)))
        #expect(
            request.url
                == "http://127.0.0.1:8080/linear/pods/v1/hls/network/21775744923/custom_asset/sgai-hls-live/"
                + "ad_break_id/break-1795291220.m3u8"
                + "?stream_id=00000000-0000-4000-8000-000000000001%3ATUL&pd=10000"
        )
    }

    @Test func goesThroughAllAdEventsInOrderAndRejoins() throws {
        var viewer = ScriptedViewer()
        try viewer.startWatching()
        try viewer.watch(seconds: 20)
        try viewer.answerPod()
        try viewer.watch(seconds: 10.5)
        let ad: [TrackingEvent] = [.started, .firstQuartile, .midpoint, .thirdQuartile, .complete]
        #expect(
            viewer.adEvents == [.adBreakStarted, .adPeriodStarted] + ad + ad + [.adPeriodEnded, .adBreakEnded]
        )
        #expect(viewer.outcomes == [.breakDue, .breakOnTime(afterStart: 0)])
        #expect(viewer.notes.contains(.counted(.rejoinedLiveEdge)))
        #expect(viewer.machine.phase == .watching)
    }

    @Test(arguments: [(BreakPlan.Resumption.live, 0.0), (.zero, 10)])
    func whereTheProgrammeGoesOnAfterAPodFollowsFromTheResumption(
        resumption: BreakPlan.Resumption,
        fallsBehind: Double
    ) throws {
        var viewer = ScriptedViewer(.forTests { $0.breaks.resumption = resumption })
        try viewer.startWatching()
        try viewer.watch(seconds: 20)
        let before = try #require(viewer.machine.playback.latency)
        try viewer.answerPod()
        try viewer.watch(seconds: 10.5)
        #expect(viewer.adEvents.last == .adBreakEnded)
        let after = try #require(viewer.machine.playback.latency)
        #expect(abs(Double(after - before) / 1e9 - fallsBehind) < 0.001)
        #expect(viewer.notes.contains(.counted(.rejoinedLiveEdge)) == (resumption == .live))
        // The next break is met all the same, at its instant.
        try viewer.watch(seconds: 9.5)
        #expect(viewer.count(.podManifest) == 1)
    }

    @Test func aPodAfterTheGraceIsLateByWhatIsOver() throws {
        var viewer = ScriptedViewer()
        try viewer.startWatching()
        try viewer.watch(seconds: 22.5)
        try viewer.answerPod()
        #expect(viewer.outcomes == [.breakDue, .breakLate(by: 1_500_000_000)])
    }

    @Test func aPodWithinTheGraceIsOnTime() throws {
        var viewer = ScriptedViewer()
        try viewer.startWatching()
        try viewer.watch(seconds: 20.5)
        try viewer.answerPod()
        #expect(viewer.outcomes == [.breakDue, .breakOnTime(afterStart: 500_000_000)])
    }

    @Test func aFailedPodFailsTheBreakAndTheNextOneIsTried() throws {
        var viewer = ScriptedViewer()
        try viewer.startWatching()
        try viewer.watch(seconds: 20)
        viewer.take(.podManifest)
        viewer.answer(.failed(BreakLoadFailure(.podManifestFailed)))
        #expect(viewer.outcomes == [.breakDue, .breakFailed(.podManifestFailed)])
        try viewer.watch(seconds: 20)
        #expect(viewer.count(.podManifest) == 1)
    }

    @Test(arguments: [(false, 3), (true, 1)])
    func aPlayerThatRetriesAsksForThePodAgain(isClientError: Bool, asks: Int) throws {
        let plan = LoadPlan.forTests {
            var persona = Persona.ofProfile($0.playback)
            persona.requests.assetList.afterError = RetryRule(retries: 2, firstWait: .seconds(1))
            $0.audience.personas = [PersonaShare(persona, share: 1)]
        }
        var viewer = ScriptedViewer(plan)
        try viewer.startWatching()
        var asked: [Double] = []
        for _ in 0..<60 {
            try viewer.watch(seconds: 0.5)
            while viewer.take(.podManifest) != nil {
                asked.append(viewer.seconds)
                viewer.answer(.failed(BreakLoadFailure(.podManifestFailed, isClientError ? .clientError : .error)))
            }
        }
        #expect(asked == [20, 21, 23].prefix(asks).map { $0 })
        #expect(viewer.outcomes == [.breakDue, .breakFailed(.podManifestFailed)])
        #expect(viewer.counted(.eventsFailed) == 1)
    }

    @Test func aPodThatComesAtTheSecondAttemptIsPlayed() throws {
        let plan = LoadPlan.forTests {
            var persona = Persona.ofProfile($0.playback)
            persona.requests.assetList.afterTimeout = RetryRule(retries: 1)
            $0.audience.personas = [PersonaShare(persona, share: 1)]
        }
        var viewer = ScriptedViewer(plan)
        try viewer.startWatching()
        try viewer.watch(seconds: 20)
        viewer.take(.podManifest)
        viewer.answer(.failed(.deadline))
        try viewer.watch(seconds: 0.5)
        #expect(viewer.count(.podManifest) == 1)
        try viewer.answerPod()
        #expect(viewer.outcomes == [.breakDue, .breakOnTime(afterStart: 500_000_000)])
    }

    @Test func aViewerWithoutASessionLosesEveryBreak() throws {
        var viewer = ScriptedViewer()
        try viewer.startWatching(registers: false)
        try viewer.watch(seconds: 45)
        #expect(viewer.count(.podManifest) == 0)
        #expect(
            viewer.outcomes == [.breakDue, .breakFailed(.noSession), .breakDue, .breakFailed(.noSession)]
        )
    }

    @Test func aPlayoutLimitEndsTheAdsEarly() throws {
        var viewer = ScriptedViewer(.forTests { $0.playback.playoutLimit = .seconds(7) })
        try viewer.startWatching()
        try viewer.watch(seconds: 20)
        try viewer.answerPod()
        try viewer.watch(seconds: 7.25)
        #expect(
            viewer.adEvents == [
                .adBreakStarted, .adPeriodStarted, .started, .firstQuartile, .midpoint, .thirdQuartile, .complete,
                .started, .firstQuartile, .adPeriodEnded, .adBreakEnded,
            ]
        )
        #expect(viewer.notes.contains(.counted(.playoutLimited)))
    }

    @Test func aPodOffTheAskedDurationIsAFinding() throws {
        var viewer = ScriptedViewer()
        try viewer.startWatching()
        try viewer.watch(seconds: 20)
        try viewer.answerPod(durationsMilliseconds: [5000, 4000])
        #expect(viewer.notes.contains(.finding(.podUnderfilled, expected: "10000 ms", observed: "9000 ms")))
    }

    @Test func anEmptyPodIsAFindingAndAFailure() throws {
        var viewer = ScriptedViewer()
        try viewer.startWatching()
        try viewer.watch(seconds: 20)
        try viewer.answerPod(durationsMilliseconds: [])
        #expect(viewer.outcomes == [.breakDue, .breakFailed(.podEmpty)])
    }

    @Test func leavingInTheMiddleOfAnAnswerWaitsForItAndFailsNothing() throws {
        var viewer = ScriptedViewer()
        try viewer.startWatching()
        try viewer.watch(seconds: 20)
        viewer.send(.leave)
        #expect(viewer.outcomes == [.breakSkipped(.leftBefore)])
        #expect(!viewer.isGone)
        try viewer.answerPod()
        #expect(viewer.isGone == (viewer.open.isEmpty))
        #expect(viewer.timers.isEmpty)
    }

    @Test func asksOnItsOwnPlayheadWithLeadAndJitterWithinBounds() throws {
        for number in 0..<50 {
            let plan = LoadPlan.forTests {
                $0.breaks.trigger = .playhead
                $0.breaks.lead = .seconds(3)
                $0.breaks.jitter = .milliseconds(500)
            }
            var viewer = ScriptedViewer(plan, number: number)
            try viewer.startWatching()
            let at = try #require(viewer.timers[.breakFetch])
            let away = Double(at.nanoseconds(since: ScriptedViewer.start)) / 1e9
            #expect((16.5...17.5).contains(away), "viewer \(number)")
        }
    }
}

/// The guide's rule and the sample's names: two viewers of one break can ask for two pods.
@Suite struct GuideSampleTests {
    private func plan(_ identifier: BreakPlan.Identifier) -> LoadPlan {
        .forTests {
            $0.breaks.source = .guideMinute(repeats: false)
            $0.breaks.podIdentifier = identifier
        }
    }

    /// Joins this many seconds after 20:00:00 and says which break and pod the viewer heads for.
    private func join(after seconds: Double, _ identifier: BreakPlan.Identifier) throws -> (
        start: Int64, pod: PodIdentifier
    ) {
        var viewer = ScriptedViewer(plan(identifier))
        viewer.advance(seconds: seconds)
        try viewer.startWatching()
        let scheduled = try #require(viewer.scheduled.last)
        return ((scheduled.0.start.microseconds - ScriptedViewer.wallStart.microseconds) / 1_000_000, scheduled.1)
    }

    @Test func theSampleNamesThePodAfterTheMinuteOfTheClick() throws {
        let minute = Int(ScriptedViewer.wallStart.microseconds / 60_000_000)
        let early = try join(after: 45, .guideSample)
        let late = try join(after: 75, .guideSample)
        #expect(early.start == 120)
        #expect(late.start == 120)
        #expect(early.pod == .adBreakID("mid-roll-\(minute + 1)"))
        #expect(late.pod == .adBreakID("mid-roll-\(minute + 2)"))
    }

    @Test func aSynchronisedNameIsTheSameForBoth() throws {
        let early = try join(after: 45, .synchronised)
        let late = try join(after: 75, .synchronised)
        #expect(early.pod == late.pod)
    }

    @Test(arguments: [(0.0, 60), (29, 60), (30, 60), (31, 120), (59, 120)])
    func theBreakIsAtTheNextWholeMinuteWithThirtySecondsLeft(joinedAfter: Double, start: Int64) throws {
        #expect(try join(after: joinedAfter, .guideSample).start == start)
    }
}
