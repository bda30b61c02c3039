import HLS
import LoadProfile
import Rulebook
import Testing

@testable import Audience
@testable import Swarm
@testable import Viewer

/// Variants, reload times and the content segments of the channel.
@Suite struct PlaybackTests {
    private static let base = "http://127.0.0.1:8080/live/main/v0/"

    private func playlist(_ version: Int, _ lines: String, first: Int = 0, target: Int = 4) throws -> SharedPlaylist {
        SharedPlaylist(
            version: version,
            playlist: try .parsed("#EXTM3U\n#EXT-X-TARGETDURATION:\(target)\n#EXT-X-MEDIA-SEQUENCE:\(first)\n" + lines),
            announced: [],
            url: Self.base + "media.m3u8"
        )
    }

    private func segments(_ numbers: Range<Int>, seconds: Double = 4) -> String {
        numbers.map { "#EXTINF:\(seconds),\n\($0).m4s\n" }.joined()
    }

    /// A viewer that asked for its first media playlist at the start of the run.
    private func joined(_ plan: LoadPlan = .forTests(), number: Int = 0) throws -> ScriptedViewer {
        var viewer = ScriptedViewer(plan, number: number)
        viewer.send(.join)
        viewer.take(.registration)
        viewer.send(.registered(try .forTests))
        viewer.take(.multivariant)
        viewer.send(.multivariant(try .forTests(), url: "http://127.0.0.1:8080/live/main/multivariant.m3u8"))
        return viewer
    }

    /// Answers the open poll half a second after it was planned, and returns seconds from its plan to the next.
    private func delay(_ viewer: inout ScriptedViewer, answering shared: SharedPlaylist?) throws -> Double {
        let request = try #require(viewer.open.first { $0.role == .playlist })
        viewer.take(.playlist)
        viewer.advance(seconds: 0.5)
        viewer.send(
            shared.map { .playlist($0, plannedAt: request.plannedAt) } ?? .playlistFailed(plannedAt: request.plannedAt)
        )
        let next = try #require(viewer.timers[.reload])
        viewer.advance(seconds: Double(next.nanoseconds(since: viewer.now)) / 1e9)
        return Double(next.nanoseconds(since: request.plannedAt)) / 1e9
    }

    @Test func reloadsAfterTheLastSegmentsDurationFromWhenTheLoadBegan() throws {
        var viewer = try joined()
        let shared = try playlist(1, segments(0..<5) + "#EXTINF:3,\n5.m4s\n")
        #expect(try delay(&viewer, answering: shared) == 3)
    }

    @Test func anUnchangedPlaylistIsAskedForAfterHalfATargetDuration() throws {
        var viewer = try joined()
        let shared = try playlist(1, segments(0..<6))
        #expect(try delay(&viewer, answering: shared) == 4)
        #expect(try delay(&viewer, answering: shared) == 2)
        #expect(viewer.counted(.unchangedPolls) == 1)
    }

    @Test func theOlderRuleWaitsATargetDuration() throws {
        var viewer = try joined(.forTests { $0.playback.reload = .targetDuration })
        let shared = try playlist(1, segments(0..<5) + "#EXTINF:3,\n5.m4s\n")
        #expect(try delay(&viewer, answering: shared) == 4)
    }

    @Test func afterAFailureItTriesAgainInHalfATargetDuration() throws {
        var viewer = try joined()
        #expect(try delay(&viewer, answering: nil) == 1)
        _ = try delay(&viewer, answering: playlist(1, segments(0..<6)))
        #expect(try delay(&viewer, answering: nil) == 2)
    }

    @Test func aFailedMultivariantPlaylistIsAskedForAgain() throws {
        var viewer = ScriptedViewer()
        viewer.send(.join)
        viewer.take(.multivariant)
        viewer.send(.playlistFailed(plannedAt: viewer.now))
        viewer.advance(seconds: 1)
        #expect(viewer.count(.multivariant) == 1)
        #expect(viewer.machine.phase == .joining)
    }

    @Test func anAnswerLaterThanTheNextPollIsFollowedAtOnce() throws {
        var viewer = try joined()
        viewer.take(.playlist)
        viewer.advance(seconds: 9)
        viewer.send(.playlist(try playlist(1, segments(0..<6)), plannedAt: ScriptedViewer.start))
        #expect(viewer.timers[.reload] == viewer.now)
    }

    @Test func aFinishedPlaylistIsNotLoadedAgain() throws {
        var viewer = try joined()
        viewer.take(.playlist)
        let shared = try playlist(1, segments(0..<6) + "#EXT-X-ENDLIST\n")
        viewer.send(.playlist(shared, plannedAt: viewer.now))
        #expect(viewer.timers[.reload] == nil)
    }

    @Test func theLongestTargetDurationDoesNotBecomeAPollWithoutPause() throws {
        var viewer = try joined()
        viewer.take(.playlist)
        let lines = "#EXTINF:31536000,\n1.m4s\n"
        viewer.send(.playlist(try playlist(1, lines, target: 31_536_000), plannedAt: viewer.now))
        #expect((viewer.timers[.reload] ?? .distantFuture) > viewer.now)
    }

    @Test(arguments: [
        (PlaybackPlan.VariantChoice.first, "v0"), (.highest, "v0"), (.lowest, "v1"),
    ])
    func choosesTheVariantOfTheProfile(choice: PlaybackPlan.VariantChoice, variant: String) throws {
        var viewer = try joined(.forTests { $0.playback.variant = choice })
        #expect(viewer.take(.playlist) == "http://127.0.0.1:8080/live/main/\(variant)/media.m3u8")
    }

    @Test func aChoiceByChanceIsTheViewersOwnAndUsesAllVariants() throws {
        let plan = LoadPlan.forTests { $0.playback.variant = .random }
        let chosen = try (0..<40).map { number in
            var viewer = try joined(plan, number: number)
            return viewer.take(.playlist)
        }
        let again = try (0..<40).map { number in
            var viewer = try joined(plan, number: number)
            return viewer.take(.playlist)
        }
        #expect(chosen == again)
        #expect(Set(chosen).count == 2)
    }

    // MARK: Content segments

    /// A viewer of content segments that was given its first playlist.
    private func loading(_ lines: String) throws -> ScriptedViewer {
        var viewer = try joined(.forTests { $0.playback.segments = .content })
        viewer.take(.playlist)
        viewer.send(.playlist(try playlist(1, lines), plannedAt: viewer.now))
        return viewer
    }

    /// Answers segment after segment until none is asked for, and returns their names.
    private func load(_ viewer: inout ScriptedViewer) -> [String] {
        var names: [String] = []
        while viewer.count(.segment) > 0, names.count < 100 {
            #expect(viewer.count(.segment) == 1)
            names.append(String(viewer.take(.segment)?.dropFirst(Self.base.count) ?? ""))
            viewer.send(.segmentFinished)
        }
        return names
    }

    @Test func startsThreeTargetDurationsBackAndLoadsOneAfterAnother() throws {
        var viewer = try loading(segments(0..<10))
        #expect(load(&viewer) == ["7.m4s", "8.m4s", "9.m4s"])
        viewer.send(.playlist(try playlist(2, segments(2..<12), first: 2), plannedAt: viewer.now))
        #expect(load(&viewer) == ["10.m4s", "11.m4s"])
    }

    @Test func aShortPlaylistIsPlayedFromItsStart() throws {
        var viewer = try loading(segments(0..<2))
        #expect(load(&viewer) == ["0.m4s", "1.m4s"])
    }

    @Test func initialisationSectionsComeFirstAndAgainWhereTheyChange() throws {
        var viewer = try loading(
            "#EXT-X-MAP:URI=\"init-a.mp4\"\n" + segments(0..<2) + "#EXT-X-DISCONTINUITY\n"
                + "#EXT-X-MAP:URI=\"init-b.mp4\"\n" + segments(2..<3)
        )
        #expect(load(&viewer) == ["init-a.mp4", "0.m4s", "1.m4s", "init-b.mp4", "2.m4s"])
    }

    @Test func aGapIsPassedOver() throws {
        var viewer = try loading(segments(0..<1) + "#EXT-X-GAP\n" + segments(1..<3))
        #expect(load(&viewer) == ["0.m4s", "2.m4s"])
    }

    @Test func whatSlidOutOfTheWindowIsPassedOver() throws {
        var viewer = try loading(segments(0..<3))
        _ = load(&viewer)
        viewer.send(.playlist(try playlist(2, segments(20..<23), first: 20), plannedAt: viewer.now))
        #expect(load(&viewer) == ["20.m4s", "21.m4s", "22.m4s"])
    }

    @Test func noContentIsLoadedWhileAdsPlayAndThenTheLiveEdgeIsRejoined() throws {
        var viewer = try loading(segments(0..<10))
        _ = load(&viewer)
        viewer.advance(seconds: 20)
        try viewer.answerPod()
        viewer.send(.playlist(try playlist(2, segments(3..<13), first: 3), plannedAt: viewer.now))
        #expect(viewer.count(.segment) == 0)
        viewer.send(.playlist(try playlist(3, segments(6..<16), first: 6), plannedAt: viewer.now))
        viewer.advance(seconds: 10)
        #expect(load(&viewer) == ["13.m4s", "14.m4s", "15.m4s"])
    }

    @Test func aSequenceNumberAtTheEndOfItsRangeTrapsNothing() throws {
        var viewer = try joined(.forTests { $0.playback.segments = .content })
        viewer.take(.playlist)
        let text = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-MEDIA-SEQUENCE:18446744073709551614\n"
        guard let playlist = try? MediaPlaylist.parsed(text + segments(0..<5)) else { return }
        viewer.send(
            .playlist(
                SharedPlaylist(version: 1, playlist: playlist, announced: [], url: Self.base + "media.m3u8"),
                plannedAt: viewer.now
            )
        )
        #expect(viewer.machine.phase == .watching)
    }
}
