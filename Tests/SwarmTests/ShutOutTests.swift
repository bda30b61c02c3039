import AdServing
import LoadProfile
import Players
import Rulebook
import Testing
import Time

@testable import Audience
@testable import Viewer

/// Which breaks count as lost for a viewer that cannot ask for them.
@Suite struct ShutOutTests {
    private static func instant(_ seconds: Double) -> Instant { ScriptedViewer.start.later(by: Int64(seconds * 1e9)) }

    private func shutOuts(_ viewer: ScriptedViewer) -> [ViewerNote] {
        viewer.notes.filter { if case .shutOut = $0 { true } else { false } }
    }

    /// The first break is at 20 s; its grace is over at 20 s plus the profile's.
    @Test func aComputedBreakIsLostWithoutAPlaylist() throws {
        var viewer = ScriptedViewer()
        viewer.send(.join)
        viewer.take(.registration)
        viewer.send(.registered(try .forTests))
        viewer.advance(seconds: 30)
        #expect(viewer.outcomes == [.breakDue, .breakFailed(.noPlaylist)])
    }

    @Test func aViewerThatHasOnlyJustJoinedIsNotDue() throws {
        var viewer = ScriptedViewer()
        viewer.advance(seconds: 16)
        viewer.send(.join)
        viewer.advance(seconds: 14)
        #expect(viewer.outcomes == [])
        #expect(viewer.counted(.breaksBeforePlayback) == 1)
    }

    @Test func aViewerThatWasRefusedIsDueAtOnce() throws {
        var viewer = ScriptedViewer()
        viewer.advance(seconds: 16)
        viewer.send(.join)
        viewer.take(.registration)
        viewer.send(.registrationFailed(status: 403))
        viewer.advance(seconds: 14)
        #expect(viewer.outcomes == [.breakDue, .breakFailed(.noSession)])
    }

    /// The grace lets a viewer ask that could not in time.
    @Test func aSessionThatComesWithinTheGraceIsAskedInAtOnce() throws {
        var viewer = ScriptedViewer(.forTests { $0.breaks.grace = .seconds(2) })
        viewer.send(.join)
        viewer.take(.registration)
        viewer.take(.multivariant)
        viewer.send(.multivariant(try .forTests(), url: "http://127.0.0.1:8080/live/main/multivariant.m3u8"))
        try viewer.answerPlaylist()
        try viewer.watch(seconds: 20.5)
        #expect(viewer.count(.podManifest) == 0)
        viewer.send(.registered(try .forTests))
        viewer.advance(seconds: 0.01)
        #expect(viewer.open.first { $0.role == .podManifest }?.plannedAt == Self.instant(20.5))
        try viewer.answerPod()
        #expect(viewer.outcomes == [.breakDue, .breakOnTime(afterStart: 510_000_000)])
    }

    @Test func aViewerWithoutAPlaylistSaysSinceWhenItKnewOfNoBreak() throws {
        var viewer = ScriptedViewer(.forTests { $0.breaks.grace = .seconds(2) })
        viewer.advance(seconds: 1)
        viewer.send(.join)
        viewer.take(.registration)
        viewer.send(.registered(try .forTests))
        viewer.take(.multivariant)
        viewer.advance(seconds: 9)
        let open = try #require(viewer.machine.shutOut(at: viewer.now))
        #expect(open.cause == .noPlaylist && open.since == Self.instant(6))
        viewer.send(.multivariant(try .forTests(), url: "http://127.0.0.1:8080/live/main/multivariant.m3u8"))
        try viewer.answerPlaylist()
        #expect(shutOuts(viewer) == [.shutOut(.noPlaylist, from: Self.instant(6), until: Self.instant(8))])
        #expect(viewer.machine.shutOut(at: viewer.now) == nil)
    }

    @Test func aFailedRequestTakesTheTimeToJoinAway() throws {
        var viewer = ScriptedViewer()
        viewer.send(.join)
        viewer.take(.registration)
        viewer.send(.registrationFailed(status: 503))
        viewer.advance(seconds: 0.5)
        let open = try #require(viewer.machine.shutOut(at: viewer.now))
        #expect(open.cause == .noSession && open.since == Self.instant(0))
    }

    /// No break beyond the end of the last playlist is known to a viewer whose polls stay without an answer: segments last
    /// four seconds, and the viewer begins twelve seconds behind their end, after 50 ms.
    private func aViewerWithoutFurtherPlaylists(_ channel: ScriptedChannel) throws -> ScriptedViewer {
        let plan = LoadPlan.watching(KnownPersona.hlsjs.persona) { $0.breaks.grace = .seconds(2) }
        var viewer = try ScriptedViewer.joined(plan, multivariant: OutageScript.oneVariant)
        try viewer.watch(channel, seconds: 15.5)
        #expect(viewer.machine.shutOut(at: viewer.now) == nil)
        viewer.advance(seconds: 60)
        return viewer
    }

    @Test func aViewerWhosePlaylistsEndIsShutOut() throws {
        var viewer = try aViewerWithoutFurtherPlaylists(ScriptedChannel())
        let open = try #require(viewer.machine.shutOut(at: viewer.now))
        #expect(open.cause == .noPlaylist && open.since == Self.instant(24.05))
        viewer.send(.timer(.leave))
        #expect(shutOuts(viewer) == [.shutOut(.noPlaylist, from: Self.instant(24.05), until: Self.instant(73.5))])
    }

    /// The viewer has missed nothing as soon as a playlist lists what it did not see.
    @Test func aViewerThatGetsPlaylistsAgainIsNotShutOut() throws {
        let channel = ScriptedChannel()
        var viewer = try aViewerWithoutFurtherPlaylists(channel)
        try viewer.watch(channel, seconds: 10)
        #expect(viewer.machine.shutOut(at: viewer.now) == nil)
        #expect(shutOuts(viewer) == [])
    }
}
