import AdServing
import Rules
import Testing
import Values

@testable import Profile
@testable import Swarm
@testable import Viewer

/// When viewers ask that have a playhead of their own; a viewer's way through breaks are cases of `breaks`.
@Suite struct ViewerBreakTests {
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
}

/// The guide's rule and the sample's names: two viewers of one break can ask for two pods.
@Suite struct GuideSampleTests {
    /// Joins this many seconds after 20:00:00 and says which break and pod the viewer heads for.
    private func join(after seconds: Double, _ identifier: IdentifierPolicy) throws -> (start: Int64, pod: String) {
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
    @Test(arguments: [IdentifierPolicy.guideSample, .synchronised])
    func aNameIsTheSameForBothOnlyWhereItIsSynchronised(identifier: IdentifierPolicy) throws {
        let minute = Int(ScriptedCrowd.wallStart.microseconds / 60_000_000)
        let both = try [45, 75].map { try join(after: $0, identifier) }
        #expect(both.map(\.start) == [120, 120])
        let sample = (1...2).map { "ad_break_id/mid-roll-\(minute + $0)" }
        #expect(identifier == .guideSample ? both.map(\.pod) == sample : both[0].pod == both[1].pod)
    }
}

/// Who enters picture in picture; what becomes of breaks there are cases of `breaks`.
@Suite struct PictureInPictureTests {
    @Test func theShareOfViewersThatUseItIsAboutTheOneAskedFor() {
        let plan = LoadPlan.forTests { $0.audience.pictureInPicture.share = 0.25 }
        let crowd = ScriptedCrowd.allWatching(plan, viewers: 2000)
        let users = (0..<2000).count { crowd.timers(of: $0)[.pictureInPicture] != nil }
        #expect((400...600).contains(users))
    }
}

/// What no script says of requests between the one for a pod and the pod in hand.
@Suite struct PodTests {
    private func viewerAtBreak(_ change: (inout LoadPlan) -> Void = { _ in }) -> ScriptedCrowd {
        .watching(.forTests(change), seconds: 20)
    }

    @Test func segmentsOfABreakThatIsOverAreNotTakenForTheNextOnes() throws {
        let viewer = viewerAtBreak {
            $0.playback.segments = .ads
            $0.playback.playoutLimit = .seconds(2)
        }
        viewer.answer(.podManifest, ScriptedCrowd.twoSegments)
        for _ in 0..<2 { viewer.answer(.podSegment) }
        let old = try #require(viewer.first(.podSegment))
        viewer.watch(seconds: 20)
        viewer.answer(.podManifest, ScriptedCrowd.twoSegments)
        #expect(viewer.machine.planned(ofSerial: old.serial) == nil)
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
        var one = viewer.machine.screen.breaks[try #require(viewer.machine.screen.breaks.own)]
        var turn = viewer.turn
        one.becomeReady(at: viewer.now, turn: &turn)
        one.conclude(.past, turn: &turn)
        one.conclude(.past, turn: &turn)
        #expect(one.isOver)
        #expect(viewer.crowd.pulse().harnessFailure == nil)
        var isGone = false
        let defects = turn.actions.filter { if case .defect = $0 { true } else { false } }
        for defect in defects {
            viewer.crowd.carryOut(defect, viewer.slot(), now: viewer.now, nil, isGone: &isGone)
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
