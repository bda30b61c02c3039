import AdServing
import LoadProfile
import Rulebook
import Testing

@testable import Audience
@testable import Swarm
@testable import Viewer

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

    @Test func aBreakMetMeanwhileIsLostByTheRule() {
        let viewer = viewer(.lost, entersAt: 15, stay: 10)
        viewer.watch(seconds: 5.25)
        #expect(viewer.outcomes == [.breakSkipped(.pictureInPictureLost)])
        viewer.answerPod()
        #expect(viewer.adEvents.isEmpty)
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
        #expect(viewer.adEvents.last == .adBreakEnded)
        #expect(viewer.outcomes == [.breakDue, .breakOnTime(afterStart: 0)])
    }

    @Test func aDeferredBreakThatIsNeverReturnedToIsLost() {
        let viewer = viewer(.deferred, entersAt: 15, stay: 40)
        viewer.watch(seconds: 5)
        viewer.answerPod()
        viewer.watch(seconds: 9.75)
        #expect(viewer.outcomes.isEmpty)
        viewer.watch(seconds: 0.5)
        #expect(viewer.outcomes == [.breakSkipped(.pictureInPictureLost)])
        #expect(viewer.adEvents.isEmpty)
        #expect(viewer.machine.phase == .watching)
    }

    @Test func aBreakAtARendezvousCanBeDeferredWhileItsPodIsOnItsWay() {
        let viewer = viewer(.deferred, entersAt: 15, stay: 8)
        viewer.watch(seconds: 6)
        viewer.answerPod()
        #expect(viewer.outcomes.isEmpty)
        viewer.watch(seconds: 2.25)
        #expect(viewer.outcomes == [.breakSkipped(.pictureInPictureDeferred)])
        #expect(viewer.adEvents.first == .adBreakStarted)
    }

    @Test func onReturnTheViewerWaitsForAPodThatIsNotInHandAndIsCountedOnce() {
        let viewer = viewer(.deferred, entersAt: 15, stay: 8)
        viewer.watch(seconds: 8.25)
        #expect(viewer.outcomes == [.breakSkipped(.pictureInPictureDeferred)])
        viewer.answerPod()
        #expect(viewer.outcomes.count == 1)
        #expect(viewer.adEvents.first == .adBreakStarted)
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
        #expect(viewer.adEvents.isEmpty == (rule == .lost))
        #expect(viewer.outcomes.count == 1)
    }

    @Test func aPodThatFailsForADeferredBreakIsNoFailureOfADueViewer() {
        let viewer = viewer(.deferred, entersAt: 15, stay: 40)
        viewer.watch(seconds: 5.5)
        viewer.answer(.podManifest, status: 503)
        #expect(viewer.outcomes == [.breakSkipped(.pictureInPictureLost)])
        #expect(viewer.machine.phase == .watching)
    }

    @Test func theShareOfViewersThatUseItIsAboutTheOneAskedFor() {
        let plan = LoadPlan.forTests { $0.audience.pictureInPicture.share = 0.25 }
        let crowd = ScriptedCrowd.allWatching(plan, viewers: 2000)
        let users = (0..<2000).count { crowd.timers(of: $0)[.pictureInPicture] != nil }
        #expect((400...600).contains(users))
    }
}
