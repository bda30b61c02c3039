import AdServing
import LoadProfile
import Rulebook
import Testing

@testable import Audience
@testable import Swarm
@testable import Viewer

/// No ad starts in picture in picture; one already running goes on (IMA picture-in-picture guide).
@Suite struct PictureInPictureTests {
    private func viewer(_ rule: PictureInPicturePlan.BreakRule, entersAt: Double, stay: Double) throws -> ScriptedViewer
    {
        let plan = LoadPlan.forTests {
            $0.audience.pictureInPicture.rule = rule
            $0.audience.pictureInPicture.stay = .milliseconds(Int64(stay * 1000))
        }
        var viewer = ScriptedViewer(plan)
        try viewer.startWatching()
        try viewer.watch(seconds: entersAt)
        viewer.send(.timer(.pictureInPicture))
        return viewer
    }

    @Test func aBreakMetMeanwhileIsLostByTheRule() throws {
        var viewer = try self.viewer(.lost, entersAt: 15, stay: 10)
        try viewer.watch(seconds: 4.75)
        try viewer.watch(seconds: 0.5)
        #expect(viewer.outcomes == [.breakSkipped(.pictureInPictureLost)])
        try viewer.answerPod()
        #expect(viewer.adEvents.isEmpty)
    }

    @Test func aDeferredBreakStartsOnReturn() throws {
        let plan = LoadPlan.forTests {
            $0.audience.pictureInPicture.stay = .seconds(8)
            $0.breaks.trigger = .playhead
            $0.breaks.lead = .seconds(2)
        }
        var viewer = ScriptedViewer(plan)
        try viewer.startWatching()
        try viewer.watch(seconds: 16)
        viewer.send(.timer(.pictureInPicture))
        try viewer.watch(seconds: 2.5)
        try viewer.answerPod()
        try viewer.watch(seconds: 3)
        #expect(viewer.adEvents.isEmpty)
        try viewer.watch(seconds: 3)
        #expect(viewer.outcomes == [.breakSkipped(.pictureInPictureDeferred)])
        #expect(viewer.adEvents.first == .adBreakStarted)
    }

    @Test func anAdAlreadyRunningGoesOn() throws {
        var viewer = try self.viewer(.lost, entersAt: 0, stay: 1)
        try viewer.watch(seconds: 20)
        try viewer.answerPod()
        viewer.send(.timer(.pictureInPicture))
        try viewer.watch(seconds: 10.5)
        #expect(viewer.adEvents.last == .adBreakEnded)
        #expect(viewer.outcomes == [.breakDue, .breakOnTime(afterStart: 0)])
    }

    @Test func aDeferredBreakThatIsNeverReturnedToIsLost() throws {
        var viewer = try self.viewer(.deferred, entersAt: 15, stay: 40)
        try viewer.watch(seconds: 5)
        try viewer.answerPod()
        try viewer.watch(seconds: 9.75)
        #expect(viewer.outcomes.isEmpty)
        try viewer.watch(seconds: 0.5)
        #expect(viewer.outcomes == [.breakSkipped(.pictureInPictureLost)])
        #expect(viewer.adEvents.isEmpty)
        #expect(viewer.machine.phase == .watching)
    }

    @Test func aBreakAtARendezvousCanBeDeferredWhileItsPodIsOnItsWay() throws {
        var viewer = try self.viewer(.deferred, entersAt: 15, stay: 8)
        try viewer.watch(seconds: 6)
        try viewer.answerPod()
        #expect(viewer.outcomes.isEmpty)
        try viewer.watch(seconds: 2.25)
        #expect(viewer.outcomes == [.breakSkipped(.pictureInPictureDeferred)])
        #expect(viewer.adEvents.first == .adBreakStarted)
    }

    @Test func onReturnTheViewerWaitsForAPodThatIsNotInHandAndIsCountedOnce() throws {
        var viewer = try self.viewer(.deferred, entersAt: 15, stay: 8)
        try viewer.watch(seconds: 8.25)
        #expect(viewer.outcomes == [.breakSkipped(.pictureInPictureDeferred)])
        try viewer.answerPod()
        #expect(viewer.outcomes.count == 1)
        #expect(viewer.adEvents.first == .adBreakStarted)
    }

    @Test(arguments: [PictureInPicturePlan.BreakRule.lost, .deferred])
    func aPodThatComesAfterTheViewerEnteredStartsNoAd(rule: PictureInPicturePlan.BreakRule) throws {
        var viewer = try self.viewer(rule, entersAt: 0, stay: 1)
        try viewer.watch(seconds: 20.5)
        viewer.send(.timer(.pictureInPicture))
        try viewer.answerPod()
        #expect(viewer.adEvents.isEmpty)
        #expect(viewer.outcomes == (rule == .lost ? [.breakSkipped(.pictureInPictureLost)] : []))
        try viewer.watch(seconds: 1.25)
        #expect(viewer.adEvents.isEmpty == (rule == .lost))
        #expect(viewer.outcomes.count == 1)
    }

    @Test func aPodThatFailsForADeferredBreakIsNoFailureOfADueViewer() throws {
        var viewer = try self.viewer(.deferred, entersAt: 15, stay: 40)
        try viewer.watch(seconds: 5.5)
        viewer.take(.podManifest)
        viewer.answer(.failed(BreakLoadFailure(.podManifestFailed)))
        #expect(viewer.outcomes == [.breakSkipped(.pictureInPictureLost)])
        #expect(viewer.machine.phase == .watching)
    }

    @Test func theShareOfViewersThatUseItIsAboutTheOneAskedFor() throws {
        let plan = LoadPlan.forTests { $0.audience.pictureInPicture.share = 0.25 }
        let users = try (0..<2000).count { number in
            var viewer = ScriptedViewer(plan, number: number)
            try viewer.startWatching()
            return viewer.timers[.pictureInPicture] != nil
        }
        #expect((400...600).contains(users))
    }
}
