import AdServing
import LoadProfile
import Rulebook
import Testing
import Time

@testable import Audience
@testable import Swarm
@testable import Viewer

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
        #expect(viewer.count(.podSegment) == 0)
        #expect(viewer.outcomes.count == 2)
    }

    @Test func segmentsThatMayCountAsViewsAreCountedInPlaceOfLoaded() {
        let viewer = viewerAtBreak {
            $0.playback.segments = .ads
            $0.impressions = .withheld
        }
        viewer.answer(.podManifest, twoSegments)
        #expect(viewer.count(.podSegment) == 0)
        #expect(viewer.outcomes == [.breakDue, .breakOnTime(afterStart: 0)])
        #expect(viewer.added(.adSegmentsWithheld) == 2)
    }

    @Test(arguments: [0, 1])
    func aFailingFirstPartFailsTheBreak(part: Int) {
        let viewer = viewerAtBreak { $0.playback.segments = .all }
        viewer.answer(.podManifest, twoSegments)
        for index in 0...part { viewer.answer(.podSegment, status: index < part ? 200 : 503) }
        #expect(viewer.outcomes == [.breakDue, .breakFailed(.segmentFailed)])
        #expect(viewer.count(.podSegment) == 0)
        #expect(viewer.machine.phase == .watching)
    }

    @Test func aPodOfGapsFailsInPlaceOfKeepingTheViewerWaiting() {
        let viewer = viewerAtBreak { $0.playback.segments = .ads }
        viewer.answer(.podManifest, twoSegments.replacing("#EXTINF", with: "#EXT-X-GAP\n#EXTINF"))
        #expect(viewer.outcomes == [.breakDue, .breakFailed(.segmentFailed)])
        #expect(viewer.machine.phase == .watching)
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
        #expect(viewer.outcomes == [.breakDue, .breakOnTime(afterStart: 0)])
        #expect(viewer.count(.podSegment) == 1)
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
        let viewer = viewerAtBreak { $0.pods.repeatShare = 1 }
        viewer.answerPod()
        let asked = viewer.transport.requests(.podManifest) + viewer.transport.requests(.podRepeat)
        #expect(asked.count == 2 && asked[0] === asked[1], "the prepared request")
        viewer.answer(.podRepeat, isMultivariant ? AnswerBody.multivariant : AnswerBody.pod())
        if isMultivariant { #expect(viewer.answer(.podRepeatPlaylist).hasSuffix("/ad_break_id/v0/media.m3u8")) }
        #expect(viewer.count(.podRepeat) == 0)
        #expect(viewer.outcomes == [.breakDue, .breakOnTime(afterStart: 0)])
    }

    @Test func asksForNoPodTwiceWhereTheShareIsNothing() {
        let viewer = viewerAtBreak()
        viewer.answerPod()
        #expect(viewer.count(.podRepeat) == 0)
    }

    @Test func anAdTimelineIsTheRunsBetweenDiscontinuities() throws {
        let timeline = AdTimeline(try .parsed(AnswerBody.pod([5, 2.5, 2.5])))
        #expect(timeline.ads.map(\.offsetMicroseconds) == [0, 5_000_000, 7_500_000])
        #expect(timeline.ads.map(\.durationMicroseconds) == [5_000_000, 2_500_000, 2_500_000])
        #expect(timeline.segmentCount == 3)
        #expect(AdTimeline(try .parsed(AnswerBody.pod([]))).durationMicroseconds == 0)
    }
}
