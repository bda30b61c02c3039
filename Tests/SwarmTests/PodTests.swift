import AdServing
import HLS
import LoadProfile
import Rulebook
import Testing

@testable import Audience
@testable import Swarm
@testable import Viewer

/// What a viewer does between asking for a pod and having it in hand.
@Suite struct PodTests {
    private let podURL = "http://127.0.0.1:8080/pods/7/pod.m3u8"

    private func viewerAtBreak(_ change: (inout LoadPlan) -> Void = { _ in }) throws -> ScriptedViewer {
        var viewer = ScriptedViewer(.forTests(change))
        try viewer.startWatching()
        try viewer.watch(seconds: 20)
        return viewer
    }

    private func answer(_ viewer: inout ScriptedViewer, _ lines: String) throws {
        viewer.take(.podManifest)
        let playlist = try MediaPlaylist.parsed("#EXTM3U\n#EXT-X-TARGETDURATION:10\n" + lines + "#EXT-X-ENDLIST\n")
        viewer.answer(.media(LoadedPod(playlist, url: podURL)))
    }

    private let twoSegments = """
        #EXT-X-MAP:URI="init.mp4"
        #EXTINF:5,
        0.m4s
        #EXTINF:5,
        1.m4s

        """

    @Test func aMultivariantPodLeadsToTheViewersOwnVariant() throws {
        var viewer = try viewerAtBreak { $0.playback.variant = .lowest }
        viewer.take(.podManifest)
        viewer.answer(.multivariant(SharedMultivariant(try .forTests(), url: podURL)))
        #expect(viewer.outcomes.isEmpty)
        #expect(viewer.take(.podPlaylist) == "http://127.0.0.1:8080/pods/7/v1/media.m3u8")
        viewer.answer(.media(LoadedPod(try .pod([5000, 5000]), url: podURL)))
        #expect(viewer.outcomes == [.breakDue, .breakOnTime(afterStart: 0)])
    }

    @Test func aMultivariantPodWithoutVariantsIsEmpty() throws {
        var viewer = try viewerAtBreak()
        viewer.take(.podManifest)
        guard case .multivariant(let empty)? = try? Playlist(parsing: "#EXTM3U\n#EXT-X-INDEPENDENT-SEGMENTS\n") else {
            return
        }
        viewer.answer(.multivariant(SharedMultivariant(empty, url: podURL)))
        #expect(viewer.outcomes == [.breakDue, .breakFailed(.podEmpty)])
    }

    @Test func theFirstSegmentMakesThePodPlayable() throws {
        var viewer = try viewerAtBreak { $0.playback.segments = .ads }
        try answer(&viewer, twoSegments)
        #expect(viewer.take(.podSegment) == "http://127.0.0.1:8080/pods/7/init.mp4")
        viewer.answer(.segment(nil))
        #expect(viewer.outcomes.isEmpty)
        viewer.advance(seconds: 0.25)
        #expect(viewer.take(.podSegment) == "http://127.0.0.1:8080/pods/7/0.m4s")
        viewer.answer(.segment(nil))
        #expect(viewer.outcomes == [.breakDue, .breakOnTime(afterStart: 250_000_000)])
        #expect(viewer.take(.podSegment) == "http://127.0.0.1:8080/pods/7/1.m4s")
        viewer.answer(.failed(BreakLoadFailure(.segmentFailed)))
        #expect(viewer.count(.podSegment) == 0)
        #expect(viewer.outcomes.count == 2)
    }

    @Test func segmentsThatMayCountAsViewsAreCountedInPlaceOfLoaded() throws {
        var viewer = try viewerAtBreak {
            $0.playback.segments = .ads
            $0.impressions = .withheld
        }
        try answer(&viewer, twoSegments)
        #expect(viewer.count(.podSegment) == 0)
        #expect(viewer.outcomes == [.breakDue, .breakOnTime(afterStart: 0)])
        #expect(viewer.added(.adSegmentsWithheld) == 2)
    }

    @Test(arguments: [0, 1])
    func aFailingFirstPartFailsTheBreak(part: Int) throws {
        var viewer = try viewerAtBreak { $0.playback.segments = .all }
        try answer(&viewer, twoSegments)
        for index in 0...part {
            viewer.take(.podSegment)
            viewer.answer(index < part ? .segment(nil) : .failed(BreakLoadFailure(.segmentFailed)))
        }
        #expect(viewer.outcomes == [.breakDue, .breakFailed(.segmentFailed)])
        #expect(viewer.count(.podSegment) == 0)
        #expect(viewer.machine.phase == .watching)
    }

    @Test func aPodOfGapsFailsInPlaceOfKeepingTheViewerWaiting() throws {
        var viewer = try viewerAtBreak { $0.playback.segments = .ads }
        try answer(&viewer, "#EXT-X-GAP\n#EXTINF:5,\n0.m4s\n#EXT-X-GAP\n#EXTINF:5,\n1.m4s\n")
        #expect(viewer.outcomes == [.breakDue, .breakFailed(.segmentFailed)])
        #expect(viewer.machine.phase == .watching)
    }

    @Test func segmentsOfABreakThatIsOverAreNotTakenForTheNextOnes() throws {
        var viewer = try viewerAtBreak {
            $0.playback.segments = .ads
            $0.playback.playoutLimit = .seconds(2)
        }
        try answer(&viewer, twoSegments)
        for _ in 0..<2 {
            viewer.take(.podSegment)
            viewer.answer(.segment(nil))
        }
        let old = try #require(viewer.open.first { $0.role == .podSegment })
        viewer.take(.podSegment)
        try viewer.watch(seconds: 20)
        try answer(&viewer, twoSegments)
        #expect(viewer.isSuperseded(old))
        viewer.answer(.unread, to: old)
        #expect(viewer.outcomes == [.breakDue, .breakOnTime(afterStart: 0)])
        #expect(viewer.count(.podSegment) == 1)
        #expect(viewer.machine.requestsInFlight == viewer.open.count)
    }

    @Test func aTimerThatFiresLateDoesNotMakeALatePodPunctual() throws {
        // The loop was held up: the answer is handled before the playhead's timer is.
        let late = ScriptedViewer.start.later(by: .seconds(23))
        var actions: [ViewerAction] = []
        var stalled = ScriptedViewer()
        try stalled.startWatching()
        try stalled.watch(seconds: 19.75)
        stalled.machine.handle(
            .timer(.breakFetch),
            now: ScriptedViewer.start.later(by: .seconds(20)),
            actions: &actions
        )
        let serials = actions.compactMap { action -> UInt16? in
            if case .fetch(.podManifest, _, _, _, let serial) = action { serial } else { nil }
        }
        let content = BreakAnswer.Content.media(LoadedPod(try .pod([5000, 5000]), url: podURL))
        let pod = ViewerEvent.breakAnswered(BreakAnswer(.podManifest, serial: try #require(serials.first), content))
        stalled.machine.handle(pod, now: late, actions: &actions)
        stalled.machine.handle(.timer(.breakStart), now: late, actions: &actions)
        let outcomes = actions.compactMap { action -> ViewerNote? in
            guard case .note(let note, _) = action else { return nil }
            switch note {
            case .breakDue, .breakOnTime, .breakLate: return note.withoutInstant
            default: return nil
            }
        }
        #expect(outcomes == [.breakDue, .breakLate(by: 2_000_000_000)])
    }

    /// What podswarm left in the socket came in time.
    @Test func aPodIsInHandWhenItCameAndNotWhenItIsRead() throws {
        var viewer = try viewerAtBreak()
        viewer.advance(seconds: 3)
        viewer.take(.podManifest)
        viewer.answer(.media(LoadedPod(try .pod([5000, 5000]), url: podURL)), handling: .milliseconds(2500))
        #expect(viewer.outcomes == [.breakDue, .breakOnTime(afterStart: 500_000_000)])
        #expect(viewer.counted(.podsHandledLate) == 1, "without the stamp it would have been late")
    }

    /// The viewer asked for the playlist later than the target let it, by as much as the manifest lay in its socket.
    @Test func thePodsEarlierAnswersAreNoDelayOfTheTarget() throws {
        var viewer = try viewerAtBreak()
        viewer.advance(seconds: 0.75)
        viewer.take(.podManifest)
        let manifest = BreakAnswer.Content.multivariant(SharedMultivariant(try .forTests(), url: podURL))
        viewer.answer(manifest, handling: .milliseconds(250))
        viewer.advance(seconds: 0.75)
        viewer.take(.podPlaylist)
        viewer.answer(.media(LoadedPod(try .pod([5000, 5000]), url: podURL)), handling: .milliseconds(250))
        #expect(viewer.outcomes == [.breakDue, .breakOnTime(afterStart: 1_000_000_000)])
        #expect(viewer.counted(.podsHandledLate) == 0, "half a second is what this profile allows")
    }

    @Test func asksForTheSamePodOnceMoreWhereTheProfileSaysSo() throws {
        var viewer = try viewerAtBreak { $0.pods.repeatShare = 1 }
        let url = try #require(viewer.open.first { $0.role == .podManifest }?.url)
        try viewer.answerPod()
        #expect(viewer.take(.podRepeat) == url)
        viewer.answer(.unread)
        #expect(viewer.count(.podRepeat) == 0)
        #expect(viewer.outcomes == [.breakDue, .breakOnTime(afterStart: 0)])
    }

    /// Manifests that lead elsewhere may lead to the same ads.
    @Test func loadsTheRenditionThatItPlaysOfThePodThatItAskedForOnceMore() throws {
        var viewer = try viewerAtBreak { $0.pods.repeatShare = 1 }
        try viewer.answerPod()
        _ = viewer.take(.podRepeat)
        viewer.answer(.multivariant(SharedMultivariant(try .forTests(), url: "http://127.0.0.1:8080/again/pod.m3u8")))
        #expect(viewer.take(.podRepeatPlaylist) == "http://127.0.0.1:8080/again/v0/media.m3u8")
        viewer.answer(.unread)
        #expect(viewer.outcomes == [.breakDue, .breakOnTime(afterStart: 0)])
    }

    @Test func asksForNoPodTwiceWhereTheShareIsNothing() throws {
        var viewer = try viewerAtBreak()
        try viewer.answerPod()
        #expect(viewer.count(.podRepeat) == 0)
    }

    @Test func anAdTimelineIsTheRunsBetweenDiscontinuities() throws {
        let timeline = AdTimeline(try .pod([5000, 2500, 2500]))
        #expect(timeline.ads.map(\.offsetMicroseconds) == [0, 5_000_000, 7_500_000])
        #expect(timeline.ads.map(\.durationMicroseconds) == [5_000_000, 2_500_000, 2_500_000])
        #expect(timeline.segmentCount == 3)
        #expect(AdTimeline(try .pod([])).durationMicroseconds == 0)
    }
}
