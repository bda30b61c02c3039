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
    private func shutOuts(_ viewer: ScriptedCrowd) -> [ViewerNote] {
        viewer.notes.filter { if case .shutOut = $0 { true } else { false } }
    }

    /// A viewer that joins at a second and registers, or is refused with a status; nil: nothing answers.
    private func joining(at second: Double = 0, _ status: Int? = 200, _ plan: LoadPlan = .forTests()) -> ScriptedCrowd {
        let viewer = ScriptedCrowd(plan)
        viewer.advance(seconds: second)
        viewer.join()
        if let status { viewer.answer(.registration, status: status) }
        return viewer
    }

    /// The first break is at 20 s; its grace is over at 20 s plus the profile's.
    @Test func aComputedBreakIsLostWithoutAPlaylist() {
        let viewer = joining()
        viewer.advance(seconds: 30)
        #expect(viewer.outcomes == [.breakDue, .breakFailed(.noPlaylist)])
    }

    @Test func aViewerThatHasOnlyJustJoinedIsNotDue() {
        let viewer = joining(at: 16, nil)
        viewer.advance(seconds: 14)
        #expect(viewer.outcomes == [])
        #expect(viewer.counted(.breaksBeforePlayback) == 1)
    }

    @Test func aViewerThatWasRefusedIsDueAtOnce() {
        let viewer = joining(at: 16, 403)
        viewer.advance(seconds: 14)
        #expect(viewer.outcomes == [.breakDue, .breakFailed(.noSession)])
    }

    /// The grace lets a viewer ask that could not in time.
    @Test func aSessionThatComesWithinTheGraceIsAskedInAtOnce() {
        let viewer = joining(nil, .forTests { $0.breaks.grace = .seconds(2) })
        viewer.answer(.multivariant)
        viewer.answer(.playlist)
        viewer.watch(seconds: 20.5)
        #expect(viewer.count(.podManifest) == 0)
        viewer.answer(.registration)
        viewer.advance(seconds: 0.01)
        #expect(viewer.asked(.podManifest) == [20.5])
        viewer.answerPod()
        #expect(viewer.outcomes == [.breakDue, .breakOnTime(afterStart: 510_000_000)])
    }

    @Test func aViewerWithoutAPlaylistSaysSinceWhenItKnewOfNoBreak() throws {
        let viewer = joining(at: 1, 200, .forTests { $0.breaks.grace = .seconds(2) })
        viewer.advance(seconds: 9)
        let open = try #require(viewer.machine.shutOut(at: viewer.now))
        let since = ScriptedCrowd.instant(6)
        #expect(open.cause == .noPlaylist && open.since == since)
        viewer.answer(.multivariant)
        viewer.answer(.playlist)
        #expect(shutOuts(viewer) == [.shutOut(.noPlaylist, from: since, until: ScriptedCrowd.instant(8))])
        #expect(viewer.machine.shutOut(at: viewer.now) == nil)
    }

    @Test func aFailedRequestTakesTheTimeToJoinAway() throws {
        let viewer = joining(at: 0, 503)
        viewer.advance(seconds: 0.5)
        let open = try #require(viewer.machine.shutOut(at: viewer.now))
        #expect(open.cause == .noSession && open.since == ScriptedCrowd.start)
    }

    /// No break beyond the end of the last playlist is known to a viewer whose polls stay without an answer: segments last
    /// four seconds, and the viewer begins twelve seconds behind their end, after 50 ms.
    private func aViewerWithoutFurtherPlaylists(_ channel: ScriptedChannel) -> ScriptedCrowd {
        let plan = LoadPlan.watching(KnownPersona.hlsjs.persona) { $0.breaks.grace = .seconds(2) }
        let viewer = ScriptedCrowd.joined(plan, multivariant: AnswerBody.oneVariant)
        viewer.watch(channel, seconds: 15.5)
        #expect(viewer.machine.shutOut(at: viewer.now) == nil)
        viewer.advance(seconds: 60)
        return viewer
    }

    @Test func aViewerWhosePlaylistsEndIsShutOut() throws {
        let viewer = aViewerWithoutFurtherPlaylists(ScriptedChannel())
        let open = try #require(viewer.machine.shutOut(at: viewer.now))
        let since = ScriptedCrowd.instant(24.05)
        #expect(open.cause == .noPlaylist && open.since == since)
        viewer.fireNow(.leave)
        #expect(shutOuts(viewer) == [.shutOut(.noPlaylist, from: since, until: ScriptedCrowd.instant(73.5))])
    }

    /// The viewer has missed nothing as soon as a playlist lists what it did not see.
    @Test func aViewerThatGetsPlaylistsAgainIsNotShutOut() throws {
        let channel = ScriptedChannel()
        let viewer = aViewerWithoutFurtherPlaylists(channel)
        viewer.watch(channel, seconds: 10)
        #expect(viewer.machine.shutOut(at: viewer.now) == nil)
        #expect(shutOuts(viewer) == [])
    }
}
