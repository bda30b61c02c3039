import AdServing
import LoadProfile
import Players
import Rulebook
import Testing
import Time

@testable import Audience
@testable import Viewer

/// What people do whose player shows nothing.
@Suite struct AbandonmentTests {
    private static let people = AbandonmentPlan(
        afterStall: .seconds(20),
        afterStop: .seconds(5),
        reopenShare: 1,
        reopenAfter: .seconds(10)
    )

    /// hls.js gives up at 19 s and shows what is buffered until 24 s.
    @Test func aStoppedPlayerIsClosedWhenItHasShownNothingForAWhile() throws {
        let script = OutageScript(KnownPersona.hlsjs.persona, abandonment: Self.people)
        script.fail(.noAnswer, for: 12.9)
        #expect(script.viewer.counted(.playersStopped) == 1)
        #expect(script.viewer.counted(.abandoned) == 0)
        script.fail(.noAnswer, for: 0.2)
        #expect(script.viewer.counted(.abandoned) == 1)
        #expect(script.viewer.counted(.playersClosed) == 1)
        #expect(script.viewer.counted(.left) == 1)
        #expect(script.viewer.isGone)
        let reopensAt = ScriptedCrowd.seconds(try #require(script.viewer.reopensAt))
        #expect(29 + 5...29 + 15 ~= reopensAt)
    }

    @Test func aPictureThatStandsStillIsBorneForLonger() throws {
        let script = OutageScript(KnownPersona.strict.persona, abandonment: Self.people)
        script.fail(.noAnswer, for: 27.9)
        #expect(!script.viewer.isGone)
        script.fail(.noAnswer, for: 0.2)
        #expect(script.viewer.isGone)
        #expect(script.viewer.counted(.playersStopped) == 0)
        #expect(script.viewer.counted(.playersClosed) == 0)
    }

    @Test func whoNeverSeesAnythingLeavesToo() throws {
        let viewer = ScriptedCrowd(.watching { $0.audience.abandonment = Self.people })
        viewer.join()
        viewer.watch(seconds: 20.5, step: 0.5) { .init(status: $0.role == .multivariant ? 503 : 403) }
        #expect(viewer.isGone)
        #expect(viewer.counted(.abandoned) == 1)
    }

    @Test func aChannelThatStandsStillIsLeftToo() throws {
        let script = OutageScript(KnownPersona.eager.persona, abandonment: Self.people)
        script.channel.outage = 14..<1_000
        script.viewer.watch(script.channel, seconds: 60)
        #expect(script.viewer.isGone)
    }

    @Test func nobodyLeavesWhoSeesThePictureAgainInTime() throws {
        let script = OutageScript(KnownPersona.strict.persona, abandonment: Self.people)
        script.fail(.noAnswer, for: 20)
        script.viewer.watch(script.channel, seconds: 120)
        #expect(script.viewer.counted(.abandoned) == 0)
        #expect(script.viewer.counted(.stalls) == 1)
        #expect(script.viewer.machine.phase == .watching)
    }

    @Test func nobodyComesBackWhereThePlanSaysSo() throws {
        var people = Self.people
        people.reopenShare = 0
        let script = OutageScript(KnownPersona.hlsjs.persona, abandonment: people)
        script.fail(.noAnswer, for: 20)
        #expect(script.viewer.reopensAt == .distantFuture)
        #expect(script.viewer.counted(.lost) == 1)
    }

    @Test func theSamePersonHasChancesOfItsOwnInEachLife() {
        let plan = ScriptedCrowd(.watching { $0.audience.abandonment = Self.people }).plan
        let lives = (0..<4).map { ViewerMachine(number: 3, plan: plan, life: $0) }
        #expect(lives.map(\.number) == [3, 3, 3, 3])
        #expect(lives.map(\.life) == [0, 1, 2, 3])
        #expect(Set(lives.map(\.personaIndex)).count == 1)
    }

    // MARK: Ads

    /// A pod that does not come costs the viewer its ads and nothing else.
    @Test(arguments: [LoadFailure.noAnswer, .unavailable, .clientError, .timeout])
    func anErrorAtTheBreakLosesTheAdsAndNotTheViewer(failure: LoadFailure) throws {
        let viewer = ScriptedCrowd(
            .forTests {
                $0.audience.personas = [PersonaShare(KnownPersona.hlsjs.persona, share: 1)]
                $0.audience.abandonment = Self.people
            }
        )
        viewer.startWatching()
        viewer.watch(seconds: 20.5)
        viewer.answer(try #require(viewer.first(.podManifest)), .failing(failure))
        viewer.watch(seconds: 60)
        #expect(viewer.outcomes.contains { if case .breakFailed = $0 { true } else { false } })
        #expect(viewer.counted(.abandoned) == 0)
        #expect(viewer.counted(.playersStopped) == 0)
        #expect(viewer.machine.phase != .gone)
        #expect(viewer.counted(.left) == 0)
    }

    /// Ads that are in hand are shown to their end, whatever becomes of the channel.
    @Test func nobodyLeavesWhileAdsAreShown() throws {
        let viewer = ScriptedCrowd(
            .forTests {
                $0.audience.personas = [PersonaShare(KnownPersona.hlsjs.persona, share: 1)]
                $0.audience.abandonment = AbandonmentPlan(afterStall: .seconds(1), afterStop: .seconds(1))
            }
        )
        viewer.startWatching()
        viewer.watch(seconds: 20.1)
        viewer.answerPod()
        viewer.watch(seconds: 8, step: 1) { $0.role == .playlist ? .failing(.noAnswer) : nil }
        #expect(viewer.counted(.abandoned) == 0)
        #expect(viewer.adEvents.contains(.started))
    }
}
