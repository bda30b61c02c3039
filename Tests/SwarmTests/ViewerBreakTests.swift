import AdServing
import Rules
import Testing
import Values

@testable import Profile
@testable import Swarm
@testable import Viewer

/// A viewer's way through breaks, on a fake clock.
@Suite struct ViewerBreakTests {
    @Test func asksForThePodAtTheBreaksInstant() throws {
        let viewer = ScriptedCrowd.watching(seconds: 19.75)
        #expect(viewer.count(.podManifest) == 0)
        viewer.watch(seconds: 0.25)
        #expect(viewer.asked(.podManifest) == [20])
        #expect(
            viewer.first(.podManifest)?.url
                == "http://127.0.0.1:8080/linear/pods/v1/hls/network/21775744923/custom_asset/sgai-hls-live/"
                + "ad_break_id/break-1795291220.m3u8"
                + "?stream_id=00000000-0000-4000-8000-000000000000%3ATUL&pd=10000"
        )
    }

    @Test func goesThroughAllAdEventsInOrderAndRejoins() throws {
        let viewer = ScriptedCrowd.watching(seconds: 20)
        viewer.answerPod()
        viewer.watch(seconds: 10.5)
        let ad: [TrackingEvent] = [.started, .firstQuartile, .midpoint, .thirdQuartile, .complete]
        #expect(viewer.adEvents == [.adBreakStarted, .adPeriodStarted] + ad + ad + [.adPeriodEnded, .adBreakEnded])
        #expect(viewer.outcomes == [.breakDue, .breakOnTime(afterStart: 0)])
        #expect(viewer.notes.contains(.counted(.rejoinedLiveEdge)) && viewer.machine.phase == .watching)
    }

    @Test(arguments: [(BreakPlan.Resumption.live, 0.0), (.zero, 10)])
    func aResumptionSaysWhereTheProgrammeGoesOn(resumption: BreakPlan.Resumption, fallsBehind: Double) throws {
        let viewer = ScriptedCrowd.watching(.forTests { $0.breaks.resumption = resumption }, seconds: 20)
        let before = try #require(viewer.machine.playback.latency)
        viewer.answerPod()
        viewer.watch(seconds: 10.5)
        #expect(viewer.adEvents.last == .adBreakEnded)
        let after = try #require(viewer.machine.playback.latency)
        #expect(abs(Double(after - before) / 1e9 - fallsBehind) < 0.001)
        #expect(viewer.notes.contains(.counted(.rejoinedLiveEdge)) == (resumption == .live))
        // The next break is met all the same, at its instant.
        viewer.watch(seconds: 9.5)
        #expect(viewer.count(.podManifest) == 1)
    }

    @Test(
        arguments: [(20.5, .breakOnTime(afterStart: 500_000_000)), (22.5, .breakLate(by: 1_500_000_000))]
            as [(Double, ViewerNote)]
    )
    func aPodAfterTheGraceIsLateByWhatIsOver(second: Double, outcome: ViewerNote) {
        let viewer = ScriptedCrowd.watching(seconds: second)
        viewer.answerPod()
        #expect(viewer.outcomes == [.breakDue, outcome])
    }

    @Test func aFailedPodFailsTheBreakAndTheNextOneIsTried() throws {
        let viewer = ScriptedCrowd.watching(seconds: 20)
        viewer.answer(.podManifest, status: 503)
        #expect(viewer.outcomes == [.breakDue, .breakFailed(.podManifestFailed)])
        viewer.watch(seconds: 20)
        #expect(viewer.count(.podManifest) == 1)
    }

    @Test(arguments: [(503, [20, 21, 23]), (404, [20])] as [(Int, [Double])])
    func aPlayerThatRetriesAsksForThePodAgain(status: Int, asked: [Double]) {
        let viewer = ScriptedCrowd.watching(
            .withPersona { $0.requests.assetList.afterError = RetryRule(retries: 2, firstWait: .seconds(1)) }
        )
        viewer.watch(seconds: 30, step: 0.5) { request in
            switch request.role {
            case .podManifest: .init(status: status)
            case .playlist, .metadata: .init(body: AnswerBody.ordinary(request, version: Int(viewer.seconds)))
            default: nil
            }
        }
        #expect(
            viewer.asked(.podManifest) == asked && viewer.outcomes == [.breakDue, .breakFailed(.podManifestFailed)]
        )
        #expect(viewer.counted(.eventsFailed) == 1)
    }

    @Test func aPodThatComesAtTheSecondAttemptIsPlayed() {
        let viewer = ScriptedCrowd.watching(
            .withPersona { $0.requests.assetList.afterTimeout = RetryRule(retries: 1) },
            seconds: 20
        )
        viewer.answer(.podManifest, failure: .firstByteTimeout)
        viewer.watch(seconds: 0.5)
        viewer.answerPod()
        #expect(viewer.outcomes == [.breakDue, .breakOnTime(afterStart: 500_000_000)])
    }

    @Test func aViewerWithoutASessionLosesEveryBreak() throws {
        let viewer = ScriptedCrowd.watching(registers: false)
        viewer.watch(seconds: 45)
        #expect(viewer.count(.podManifest) == 0)
        #expect(viewer.outcomes == [.breakDue, .breakFailed(.noSession), .breakDue, .breakFailed(.noSession)])
    }

    @Test func aPlayoutLimitEndsTheAdsEarly() throws {
        let viewer = ScriptedCrowd.watching(.forTests { $0.playback.playoutLimit = .seconds(7) }, seconds: 20)
        viewer.answerPod()
        viewer.watch(seconds: 7.25)
        #expect(
            viewer.adEvents == [
                .adBreakStarted, .adPeriodStarted, .started, .firstQuartile, .midpoint, .thirdQuartile, .complete,
                .started, .firstQuartile, .adPeriodEnded, .adBreakEnded,
            ]
        )
        #expect(viewer.notes.contains(.counted(.playoutLimited)))
    }

    @Test func leavingInTheMiddleOfAnAnswerWaitsForItAndFailsNothing() throws {
        let viewer = ScriptedCrowd.watching(seconds: 20)
        viewer.leave()
        #expect(viewer.outcomes == [.breakSkipped(.leftBefore)] && !viewer.isGone)
        viewer.answerPod()
        #expect(viewer.isGone == (viewer.open.isEmpty) && viewer.timers.isEmpty)
    }

    @Test func asksOnItsOwnPlayheadWithLeadAndJitterWithinBounds() throws {
        let plan = LoadPlan.forTests {
            $0.breaks.trigger = .playhead
            $0.breaks.lead = .seconds(3)
            $0.breaks.jitter = .milliseconds(500)
        }
        let crowd = ScriptedCrowd.allWatching(plan, viewers: 50)
        for index in 0..<50 {
            let at = try #require(crowd.timers(of: index)[.breakFetch])
            #expect((16.5...17.5).contains(ScriptedCrowd.seconds(at)), "viewer \(index)")
        }
    }

    // MARK: What else happens during a break

    @Test func breaksThatPassWhileAPodIsAwaitedAreLostWithIt() {
        let viewer = ScriptedCrowd.watching(seconds: 65)
        viewer.answer(.podManifest, status: 503)
        let lost: [ViewerNote] = [.breakDue, .breakFailed(.deadlineMissed)]
        #expect(viewer.outcomes == [.breakDue, .breakFailed(.podManifestFailed)] + lost + lost)
        #expect(viewer.scheduled.last?.scheduled.key == "2026-11-21T20:01:20.000Z")
    }

    @Test func aBreakThatBeginsDuringAdsIsSkipped() {
        let viewer = ScriptedCrowd.watching(seconds: 20)
        viewer.answerPod([25])
        viewer.watch(seconds: 25.25)
        #expect(viewer.adEvents.last == .adBreakEnded)
        #expect(viewer.outcomes == [.breakDue, .breakOnTime(afterStart: 0), .breakSkipped(.duringAds)])
    }

    @Test func aSessionRenewedDuringABreakIsTakenUpWhenTheBreakIsOver() throws {
        let viewer = ScriptedCrowd.watching(seconds: 20)
        let first = try #require(viewer.machine.facts.streamID)
        let second = StreamID(AnswerBody.streamID(2))
        viewer.fireNow(.renewal)
        viewer.answer(.registration, AnswerBody.registration(2))
        #expect(viewer.machine.facts.streamID == first)
        viewer.answerPod()
        viewer.watch(seconds: 10.5)
        #expect(viewer.machine.facts.streamID == second)
        viewer.watch(seconds: 10)
        let next = try #require(viewer.first(.podManifest))
        #expect(next.url.contains("stream_id=\(second.percentEncoded)"))
    }
}

/// The guide's rule and the sample's names: two viewers of one break can ask for two pods.
@Suite struct GuideSampleTests {
    /// Joins this many seconds after 20:00:00 and says which break and pod the viewer heads for.
    private func join(after seconds: Double, _ identifier: BreakPlan.Identifier) throws -> (start: Int64, pod: String) {
        let plan = LoadPlan.forTests {
            $0.breaks.source = .guideMinute(repeats: false)
            $0.breaks.podIdentifier = identifier
        }
        let viewer = ScriptedCrowd(plan)
        viewer.advance(seconds: seconds)
        viewer.startWatching()
        let next = try #require(viewer.scheduled.last)
        let start = next.scheduled.start.microseconds - ScriptedCrowd.wallStart.microseconds
        return (start / 1_000_000, next.identifier.pathComponent)
    }

    /// The sample names the pod after the minute of the click.
    @Test(arguments: [BreakPlan.Identifier.guideSample, .synchronised])
    func aNameIsTheSameForBothOnlyWhereItIsSynchronised(identifier: BreakPlan.Identifier) throws {
        let minute = Int(ScriptedCrowd.wallStart.microseconds / 60_000_000)
        let both = try [45, 75].map { try join(after: $0, identifier) }
        #expect(both.map(\.start) == [120, 120])
        let sample = (1...2).map { "ad_break_id/mid-roll-\(minute + $0)" }
        #expect(identifier == .guideSample ? both.map(\.pod) == sample : both[0].pod == both[1].pod)
    }
}

/// No ad starts in picture in picture; one already running goes on (IMA picture-in-picture guide).
@Suite struct PictureInPictureTests {
    private func viewer(_ rule: PictureInPicturePlan.BreakRule, entersAt: Double, stay: Double) -> ScriptedCrowd {
        let plan = LoadPlan.forTests {
            $0.audience.pictureInPicture.rule = rule
            $0.audience.pictureInPicture.stay = .milliseconds(Int64(stay * 1000))
        }
        let viewer = ScriptedCrowd.watching(plan, seconds: entersAt)
        viewer.fireNow(.pictureInPicture)
        return viewer
    }

    private static let lost = ViewerNote.breakSkipped(.pictureInPictureLost)
    private static let deferred = ViewerNote.breakSkipped(.pictureInPictureDeferred)

    /// The viewer enters at 15 s and the break is at 20 s: its pod comes at a second, or fails then.
    @Test(
        arguments: [
            (.lost, stay: 10, podAt: 20.25, 200, [(20.25, [lost], ads: false)]),
            // Returned to while the pod is on its way, in hand and not in hand; counted once.
            (.deferred, 8, 21, 200, [(21, [], false), (23.25, [deferred], true)]),
            (.deferred, 8, 23.25, 200, [(23.25, [deferred], true), (24, [deferred], true)]),
            // Never returned to in time.
            (.deferred, 40, 20, 200, [(29.75, [], false), (30.25, [lost], false)]),
            // No failure of a due viewer.
            (.deferred, 40, 20.5, 503, [(20.5, [lost], false)]),
        ]
            as [(
                PictureInPicturePlan.BreakRule, stay: Double, podAt: Double, Int,
                [(second: Double, outcomes: [ViewerNote], ads: Bool)]
            )]
    )
    func aBreakMetMeanwhileIsLostOrDeferredByTheRule(
        rule: PictureInPicturePlan.BreakRule,
        stay: Double,
        podAt: Double,
        status: Int,
        checks: [(second: Double, outcomes: [ViewerNote], ads: Bool)]
    ) {
        let viewer = viewer(rule, entersAt: 15, stay: stay)
        viewer.watch(seconds: podAt - 15)
        #expect(viewer.adEvents.isEmpty)
        viewer.answer(.podManifest, status: status)
        for check in checks {
            viewer.watch(seconds: check.second - viewer.seconds)
            #expect(viewer.outcomes == check.outcomes)
            #expect((viewer.adEvents.first == .adBreakStarted) == check.ads)
        }
    }

    @Test func aDeferredBreakStartsOnReturn() {
        let plan = LoadPlan.forTests {
            $0.audience.pictureInPicture.stay = .seconds(8)
            $0.breaks.trigger = .playhead
            $0.breaks.lead = .seconds(2)
        }
        let viewer = ScriptedCrowd.watching(plan, seconds: 16)
        viewer.fireNow(.pictureInPicture)
        viewer.watch(seconds: 2.5)
        viewer.answerPod()
        viewer.watch(seconds: 3)
        #expect(viewer.adEvents.isEmpty)
        viewer.watch(seconds: 3)
        #expect(viewer.outcomes == [.breakSkipped(.pictureInPictureDeferred)])
        #expect(viewer.adEvents.first == .adBreakStarted)
    }

    @Test func anAdAlreadyRunningGoesOn() {
        let viewer = viewer(.lost, entersAt: 0, stay: 1)
        viewer.watch(seconds: 20)
        viewer.answerPod()
        viewer.fireNow(.pictureInPicture)
        viewer.watch(seconds: 10.5)
        #expect(viewer.adEvents.last == .adBreakEnded && viewer.outcomes == [.breakDue, .breakOnTime(afterStart: 0)])
    }

    @Test(arguments: [PictureInPicturePlan.BreakRule.lost, .deferred])
    func aPodThatComesAfterTheViewerEnteredStartsNoAd(rule: PictureInPicturePlan.BreakRule) {
        let viewer = viewer(rule, entersAt: 0, stay: 1)
        viewer.watch(seconds: 20.5)
        viewer.fireNow(.pictureInPicture)
        viewer.answerPod()
        #expect(viewer.adEvents.isEmpty)
        #expect(viewer.outcomes == (rule == .lost ? [.breakSkipped(.pictureInPictureLost)] : []))
        viewer.watch(seconds: 1.25)
        #expect(viewer.adEvents.isEmpty == (rule == .lost) && viewer.outcomes.count == 1)
    }

    @Test func theShareOfViewersThatUseItIsAboutTheOneAskedFor() {
        let plan = LoadPlan.forTests { $0.audience.pictureInPicture.share = 0.25 }
        let crowd = ScriptedCrowd.allWatching(plan, viewers: 2000)
        let users = (0..<2000).count { crowd.timers(of: $0)[.pictureInPicture] != nil }
        #expect((400...600).contains(users))
    }
}

/// Requests of a viewer between the one for a pod and the pod in hand.
@Suite struct PodTests {
    private func viewerAtBreak(_ change: (inout LoadPlan) -> Void = { _ in }) -> ScriptedCrowd {
        .watching(.forTests(change), seconds: 20)
    }

    private let twoSegments = """
        #EXTM3U
        #EXT-X-TARGETDURATION:10
        #EXT-X-MAP:URI="/init.mp4"
        #EXTINF:5,
        /0.m4s
        #EXTINF:5,
        /1.m4s
        #EXT-X-ENDLIST

        """

    @Test func aMultivariantPodLeadsToTheViewersOwnVariant() {
        let viewer = viewerAtBreak { $0.playback.variant = .lowest }
        viewer.answer(.podManifest, AnswerBody.multivariant)
        #expect(viewer.outcomes.isEmpty)
        #expect(viewer.answer(.podPlaylist).hasSuffix("/ad_break_id/v1/media.m3u8"))
        #expect(viewer.outcomes == [.breakDue, .breakOnTime(afterStart: 0)])
    }

    @Test(
        arguments: [
            ("#EXTM3U\n#EXT-X-INDEPENDENT-SEGMENTS\n", BreakFailure.notAPlaylist), (AnswerBody.pod([]), .podEmpty),
            ("<html>", .notAPlaylist),
        ]
    )
    func aPodThatHasNothingToPlayFails(body: String, failure: BreakFailure) {
        let viewer = viewerAtBreak()
        viewer.answer(.podManifest, body)
        #expect(viewer.outcomes == [.breakDue, .breakFailed(failure)])
    }

    @Test func theFirstSegmentMakesThePodPlayable() {
        let viewer = viewerAtBreak { $0.playback.segments = .ads }
        viewer.answer(.podManifest, twoSegments)
        #expect(viewer.answer(.podSegment).hasSuffix("/init.mp4"))
        #expect(viewer.outcomes.isEmpty)
        viewer.advance(seconds: 0.25)
        #expect(viewer.answer(.podSegment).hasSuffix("/0.m4s"))
        #expect(viewer.outcomes == [.breakDue, .breakOnTime(afterStart: 250_000_000)])
        #expect(viewer.answer(.podSegment, status: 503).hasSuffix("/1.m4s"))
        #expect(viewer.count(.podSegment) == 0 && viewer.outcomes.count == 2)
    }

    @Test func segmentsThatMayCountAsViewsAreCountedInPlaceOfLoaded() {
        let viewer = viewerAtBreak {
            $0.playback.segments = .ads
            $0.impressions = .withheld
        }
        viewer.answer(.podManifest, twoSegments)
        #expect(viewer.count(.podSegment) == 0 && viewer.outcomes == [.breakDue, .breakOnTime(afterStart: 0)])
        #expect(viewer.added(.adSegmentsWithheld) == 2)
    }

    /// Gaps are passed over, and a pod of gaps does not keep the viewer waiting.
    @Test(arguments: [[503], [200, 503], []])
    func aFailingFirstPartFailsTheBreak(statuses: [Int]) {
        let viewer = viewerAtBreak { $0.playback.segments = .all }
        let gaps = twoSegments.replacing("#EXTINF", with: "#EXT-X-GAP\n#EXTINF")
        viewer.answer(.podManifest, statuses.isEmpty ? gaps : twoSegments)
        for status in statuses { viewer.answer(.podSegment, status: status) }
        #expect(viewer.outcomes == [.breakDue, .breakFailed(.segmentFailed)])
        #expect(viewer.count(.podSegment) == 0 && viewer.machine.phase == .watching)
    }

    @Test func segmentsOfABreakThatIsOverAreNotTakenForTheNextOnes() throws {
        let viewer = viewerAtBreak {
            $0.playback.segments = .ads
            $0.playback.playoutLimit = .seconds(2)
        }
        viewer.answer(.podManifest, twoSegments)
        for _ in 0..<2 { viewer.answer(.podSegment) }
        let old = try #require(viewer.first(.podSegment))
        viewer.watch(seconds: 20)
        viewer.answer(.podManifest, twoSegments)
        #expect(viewer.machine.facts.subject(ofSerial: old.serial) == nil)
        viewer.answer(old, .init())
        #expect(viewer.outcomes == [.breakDue, .breakOnTime(afterStart: 0)] && viewer.count(.podSegment) == 1)
        #expect(viewer.machine.requestsInFlight == viewer.open.count)
    }

    /// The loop was held up: the answer is handled before the playhead's timer is.
    @Test func aTimerThatFiresLateDoesNotMakeALatePodPunctual() {
        let viewer = ScriptedCrowd.watching(seconds: 19.75)
        viewer.fire(.breakFetch)
        // Its timer is that of the break's instant.
        viewer.slot().deadlines[Int(ViewerTimer.breakStart.rawValue)] = .zero
        viewer.advance(seconds: 3)
        viewer.answerPod()
        viewer.fireNow(.breakStart)
        #expect(viewer.outcomes == [.breakDue, .breakLate(by: 2_000_000_000)])
    }

    /// An answer that podswarm left in the socket came in time.
    @Test func aPodIsInHandWhenItCameAndNotWhenItIsRead() {
        let viewer = viewerAtBreak()
        viewer.advance(seconds: 3)
        viewer.answer(.podManifest, handling: .milliseconds(2500))
        #expect(viewer.outcomes == [.breakDue, .breakOnTime(afterStart: 500_000_000)])
        #expect(viewer.counted(.podsHandledLate) == 1, "without the stamp it would have been late")
    }

    /// The viewer asked for the playlist later than the target let it, by as much as the manifest lay in its socket.
    @Test func thePodsEarlierAnswersAreNoDelayOfTheTarget() {
        let viewer = viewerAtBreak()
        viewer.answer(.podManifest, AnswerBody.multivariant, after: 0.75, handling: .milliseconds(250))
        viewer.answer(.podPlaylist, after: 0.75, handling: .milliseconds(250))
        #expect(viewer.outcomes == [.breakDue, .breakOnTime(afterStart: 1_000_000_000)])
        #expect(viewer.counted(.podsHandledLate) == 0, "half a second is what this profile allows")
    }

    /// Manifests that lead elsewhere may lead to the same ads: the rendition that is played is loaded too.
    @Test(arguments: [false, true])
    func asksForTheSamePodOnceMoreWhereTheProfileSaysSo(isMultivariant: Bool) {
        let never = viewerAtBreak()
        never.answerPod()
        #expect(never.count(.podRepeat) == 0)
        let viewer = viewerAtBreak { $0.pods.repeatShare = 1 }
        viewer.answerPod()
        let asked = viewer.transport.requests(.podManifest) + viewer.transport.requests(.podRepeat)
        #expect(asked.count == 2 && asked[0] === asked[1], "the prepared request")
        viewer.answer(.podRepeat, isMultivariant ? AnswerBody.multivariant : AnswerBody.pod())
        if isMultivariant { #expect(viewer.answer(.podRepeatPlaylist).hasSuffix("/ad_break_id/v0/media.m3u8")) }
        #expect(viewer.count(.podRepeat) == 0 && viewer.outcomes == [.breakDue, .breakOnTime(afterStart: 0)])
    }

    /// A run that reports a defect of podswarm ends with exit status 70.
    @Test func aStepThatABreakCannotTakeIsADefectOfPodswarm() throws {
        let viewer = ScriptedCrowd.watching(seconds: 10)
        var one = viewer.machine.breaks.breaks[try #require(viewer.machine.breaks.breaks.own)]
        let chance = ViewerChance(seed: 1, viewer: 0)
        var turn = Turn(now: viewer.now, number: 0, plan: viewer.plan, personaIndex: 0, chance: chance)
        one.becomeReady(at: viewer.now, turn: &turn)
        one.conclude(.past, turn: &turn)
        one.conclude(.past, turn: &turn)
        #expect(one.isOver)
        #expect(viewer.crowd.pulse().harnessFailure == nil)
        var isGone = false
        let defects = turn.actions.filter { if case .defect = $0 { true } else { false } }
        for defect in defects {
            viewer.crowd.carryOut(defect, viewer.slot(), index: 0, now: viewer.now, nil, isGone: &isGone)
        }
        #expect(defects.count == 2)
        #expect(viewer.crowd.pulse().harnessFailure == "a break that is scheduled cannot become ready")
    }

    @Test func anAdTimelineIsTheRunsBetweenDiscontinuities() throws {
        let timeline = AdTimeline(try .parsed(AnswerBody.pod([5, 2.5, 2.5])))
        #expect(timeline.ads.map(\.offsetMicroseconds) == [0, 5_000_000, 7_500_000])
        #expect(timeline.ads.map(\.durationMicroseconds) == [5_000_000, 2_500_000, 2_500_000])
        #expect(timeline.segmentCount == 3)
        #expect(AdTimeline(try .parsed(AnswerBody.pod([]))).durationMicroseconds == 0)
    }
}
