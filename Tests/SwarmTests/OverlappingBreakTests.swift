import AdServing
import Rulebook
import Testing

@testable import Audience
@testable import Swarm
@testable import Viewer

/// What else happens while a break is not over: the next break, a renewed session.
@Suite struct OverlappingBreakTests {
    @Test func breaksThatPassWhileAPodIsAwaitedAreLostWithIt() throws {
        var viewer = ScriptedViewer()
        try viewer.startWatching()
        try viewer.watch(seconds: 65)
        viewer.take(.podManifest)
        viewer.answer(.failed(BreakLoadFailure(.podManifestFailed)))
        #expect(
            viewer.outcomes == [
                .breakDue, .breakFailed(.podManifestFailed),
                .breakDue, .breakFailed(.deadlineMissed),
                .breakDue, .breakFailed(.deadlineMissed),
            ]
        )
        #expect(viewer.scheduled.map(\.0.key).suffix(1) == ["2026-11-21T20:01:20.000Z"])
    }

    @Test func aBreakThatBeginsDuringAdsIsSkipped() throws {
        var viewer = ScriptedViewer()
        try viewer.startWatching()
        try viewer.watch(seconds: 20)
        try viewer.answerPod(durationsMilliseconds: [25_000])
        try viewer.watch(seconds: 25.25)
        #expect(viewer.adEvents.last == .adBreakEnded)
        #expect(viewer.outcomes == [.breakDue, .breakOnTime(afterStart: 0), .breakSkipped(.duringAds)])
    }

    @Test func aSessionRenewedDuringABreakIsTakenUpWhenTheBreakIsOver() throws {
        var viewer = ScriptedViewer()
        try viewer.startWatching()
        try viewer.watch(seconds: 20)
        let first = try #require(viewer.machine.facts.streamID)
        let second = StreamID("00000000-0000-4000-8000-000000000002:TUL")
        var renewed = StreamSession()
        renewed.streamID = second
        viewer.send(.timer(.renewal))
        viewer.take(.registration)
        viewer.send(.registered(renewed))
        #expect(viewer.machine.facts.streamID == first)
        try viewer.answerPod()
        try viewer.watch(seconds: 10.5)
        #expect(viewer.machine.facts.streamID == second)
        try viewer.watch(seconds: 10)
        let next = try #require(viewer.open.last { $0.role == .podManifest })
        #expect(next.url.contains("stream_id=\(second.percentEncoded)"))
    }
}
