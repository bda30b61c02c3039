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

    private func seconds(_ instant: Instant) -> Double {
        Double(instant.nanoseconds(since: ScriptedViewer.start)) / 1e9
    }

    /// hls.js gives up at 19 s and shows what is buffered until 24 s.
    @Test func aStoppedPlayerIsClosedWhenItHasShownNothingForAWhile() throws {
        var script = try OutageScript(KnownPersona.hlsjs.persona, abandonment: Self.people)
        try script.fail(.noAnswer, for: 12.9)
        #expect(script.viewer.counted(.playersStopped) == 1)
        #expect(script.viewer.counted(.abandoned) == 0)
        try script.fail(.noAnswer, for: 0.2)
        #expect(script.viewer.counted(.abandoned) == 1)
        #expect(script.viewer.counted(.playersClosed) == 1)
        #expect(script.viewer.counted(.left) == 1)
        #expect(script.viewer.isGone)
        let reopensAt = seconds(try #require(script.viewer.reopensAt))
        #expect(29 + 5...29 + 15 ~= reopensAt)
    }

    @Test func aPictureThatStandsStillIsBorneForLonger() throws {
        var script = try OutageScript(KnownPersona.strict.persona, abandonment: Self.people)
        try script.fail(.noAnswer, for: 27.9)
        #expect(!script.viewer.isGone)
        try script.fail(.noAnswer, for: 0.2)
        #expect(script.viewer.isGone)
        #expect(script.viewer.counted(.playersStopped) == 0)
        #expect(script.viewer.counted(.playersClosed) == 0)
    }

    @Test func whoNeverSeesAnythingLeavesToo() throws {
        var viewer = ScriptedViewer(.watching { $0.audience.abandonment = Self.people })
        viewer.send(.join)
        while viewer.seconds < 20.5, !viewer.isGone {
            if viewer.take(.multivariant) != nil {
                viewer.send(.playlistFailed(plannedAt: viewer.now, reason: .unavailable))
            }
            if viewer.take(.registration) != nil { viewer.send(.registrationFailed(status: 403)) }
            viewer.advance(seconds: 0.5)
        }
        #expect(viewer.isGone)
        #expect(viewer.counted(.abandoned) == 1)
    }

    @Test func aChannelThatStandsStillIsLeftToo() throws {
        var script = try OutageScript(KnownPersona.eager.persona, abandonment: Self.people)
        script.channel.outage = 14..<1_000
        try script.viewer.watch(script.channel, seconds: 60)
        #expect(script.viewer.isGone)
    }

    @Test func nobodyLeavesWhoSeesThePictureAgainInTime() throws {
        var script = try OutageScript(KnownPersona.strict.persona, abandonment: Self.people)
        try script.fail(.noAnswer, for: 20)
        try script.viewer.watch(script.channel, seconds: 120)
        #expect(script.viewer.counted(.abandoned) == 0)
        #expect(script.viewer.counted(.stalls) == 1)
        #expect(script.viewer.machine.phase == .watching)
    }

    @Test func nobodyComesBackWhereThePlanSaysSo() throws {
        var people = Self.people
        people.reopenShare = 0
        var script = try OutageScript(KnownPersona.hlsjs.persona, abandonment: people)
        try script.fail(.noAnswer, for: 20)
        #expect(script.viewer.reopensAt == .distantFuture)
        #expect(script.viewer.counted(.lost) == 1)
    }

    @Test func theSamePersonHasChancesOfItsOwnInEachLife() {
        let plan = ScriptedViewer(.watching { $0.audience.abandonment = Self.people }).plan
        let lives = (0..<4).map { ViewerMachine(number: 3, plan: plan, life: $0) }
        #expect(lives.map(\.number) == [3, 3, 3, 3])
        #expect(lives.map(\.life) == [0, 1, 2, 3])
        #expect(Set(lives.map(\.personaIndex)).count == 1)
    }

    // MARK: Ads

    /// A pod that does not come costs the viewer its ads and nothing else.
    @Test(arguments: [BreakLoadFailure.Cause.noAnswer, .error, .clientError, .timeout])
    func anErrorAtTheBreakLosesTheAdsAndNotTheViewer(cause: BreakLoadFailure.Cause) throws {
        var viewer = ScriptedViewer(
            .forTests {
                $0.audience.personas = [PersonaShare(KnownPersona.hlsjs.persona, share: 1)]
                $0.audience.abandonment = Self.people
            }
        )
        try viewer.startWatching()
        try viewer.watch(seconds: 20.5)
        viewer.take(.podManifest)
        viewer.answer(.failed(BreakLoadFailure(.podManifestFailed, cause)))
        try viewer.watch(seconds: 60)
        #expect(viewer.outcomes.contains(.breakFailed(.podManifestFailed)))
        #expect(viewer.counted(.abandoned) == 0)
        #expect(viewer.counted(.playersStopped) == 0)
        #expect(viewer.machine.phase != .gone)
        #expect(viewer.counted(.left) == 0)
    }

    /// Ads that are in hand are shown to their end, whatever becomes of the channel.
    @Test func nobodyLeavesWhileAdsAreShown() throws {
        var viewer = ScriptedViewer(
            .forTests {
                $0.audience.personas = [PersonaShare(KnownPersona.hlsjs.persona, share: 1)]
                $0.audience.abandonment = AbandonmentPlan(afterStall: .seconds(1), afterStop: .seconds(1))
            }
        )
        try viewer.startWatching()
        try viewer.watch(seconds: 20.1)
        try viewer.answerPod()
        for _ in 0..<8 {
            viewer.advance(seconds: 1)
            while let request = viewer.open.firstIndex(where: { $0.role == .playlist }).map({ viewer.take(at: $0) }) {
                viewer.send(.playlistFailed(plannedAt: request.plannedAt, reason: .noAnswer, index: request.index))
            }
        }
        #expect(viewer.counted(.abandoned) == 0)
        #expect(viewer.adEvents.contains(.started))
    }
}
