import LoadProfile
import Rulebook
import Testing
import Time
import Transport

@testable import Audience
@testable import Swarm
@testable import Viewer

/// Variants, the ends of reloading, and the content segments of the channel.
@Suite struct PlaybackTests {
    private static let base = "http://127.0.0.1:8080/live/main/v0/"

    /// Segments of four seconds, with some lines before the first.
    private func playlist(_ numbers: Range<Int>, header: String = "") -> String {
        AnswerBody.media(numbers.lowerBound, numbers.count, seconds: 4, target: 4, header: header)
    }

    @Test(arguments: [(PlaybackPlan.ReloadBasis.lastSegment, 3.0), (.targetDuration, 4)])
    func aProfileSaysWhichRuleItsPlayersReloadBy(rule: PlaybackPlan.ReloadBasis, wait: Double) {
        let viewer = ScriptedCrowd.joined(.forTests { $0.playback.reload = rule })
        viewer.answerPlaylist(playlist(0..<5) + "#EXTINF:3,\n5.m4s\n", after: 0.5)
        #expect(viewer.wait(.reload) == wait - 0.5)
    }

    @Test func anUnchangedPlaylistIsCounted() {
        let viewer = ScriptedCrowd.joined()
        for wait in [4.0, 2] {
            viewer.answerPlaylist(playlist(0..<6), after: 0.5)
            #expect(viewer.wait(.reload) == wait - 0.5)
            viewer.advance(seconds: wait - 0.5)
        }
        #expect(viewer.counted(.unchangedPolls) == 1)
    }

    @Test func anAnswerLaterThanTheNextPollIsFollowedAtOnce() {
        let viewer = ScriptedCrowd.joined()
        viewer.answerPlaylist(playlist(0..<6), after: 9)
        #expect(viewer.timers[.reload] == viewer.now)
    }

    @Test func aFinishedPlaylistIsNotLoadedAgain() {
        let viewer = ScriptedCrowd.joined()
        viewer.answerPlaylist(playlist(0..<6) + "#EXT-X-ENDLIST\n")
        #expect(viewer.timers[.reload] == nil)
    }

    @Test func theLongestTargetDurationDoesNotBecomeAPollWithoutPause() {
        let viewer = ScriptedCrowd.joined()
        viewer.answerPlaylist(AnswerBody.media(0, 1, seconds: 31_536_000, target: 31_536_000))
        #expect((viewer.timers[.reload] ?? .distantFuture) > viewer.now)
    }

    @Test(arguments: [
        (PlaybackPlan.VariantChoice.first, "v0"), (.highest, "v0"), (.lowest, "v1"),
    ])
    func choosesTheVariantOfTheProfile(choice: PlaybackPlan.VariantChoice, variant: String) {
        let viewer = ScriptedCrowd.joined(.forTests { $0.playback.variant = choice })
        #expect(viewer.first(.playlist)?.url == "http://127.0.0.1:8080/live/main/\(variant)/media.m3u8")
    }

    @Test func aChoiceByChanceIsTheViewersOwnAndUsesAllVariants() {
        func chosen() -> [String] {
            let crowd = ScriptedCrowd(.forTests { $0.playback.variant = .random }, viewers: 40)
            crowd.join()
            crowd.answerAll { $0.role == .multivariant ? .init(body: AnswerBody.multivariant) : nil }
            return (0..<40).flatMap { crowd.urls(.playlist, of: $0) }
        }
        let first = chosen()
        #expect(first == chosen() && first.count == 40)
        #expect(Set(first).count == 2)
    }

    // MARK: Content segments

    /// A viewer of content segments that was given its first playlist.
    private func loading(_ text: String) -> ScriptedCrowd {
        let viewer = ScriptedCrowd.joined(.forTests { $0.playback.segments = .content })
        viewer.answerPlaylist(text)
        return viewer
    }

    /// Answers segment after segment until none is asked for.
    ///
    /// - Returns: Their names.
    private func load(_ viewer: ScriptedCrowd) -> [String] {
        var names: [String] = []
        while viewer.count(.segment) > 0, names.count < 100 {
            #expect(viewer.count(.segment) == 1)
            names.append(String(viewer.answer(.segment).dropFirst(Self.base.count)))
        }
        return names
    }

    private static let twoSections =
        "#EXT-X-MAP:URI=\"a.mp4\"\n#EXTINF:4,\n0.m4s\n#EXTINF:4,\n1.m4s\n#EXT-X-DISCONTINUITY\n"
        + "#EXT-X-MAP:URI=\"b.mp4\"\n#EXTINF:4,\n2.m4s\n"

    /// What lies three target durations back is the beginning, gaps are passed over, and sections come before their segments.
    @Test(
        arguments: [
            (AnswerBody.media(0, 10, seconds: 4, target: 4), ["7.m4s", "8.m4s", "9.m4s"]),
            (AnswerBody.media(0, 2, seconds: 4, target: 4), ["0.m4s", "1.m4s"]),
            (AnswerBody.media(0, 0, target: 4) + twoSections, ["a.mp4", "0.m4s", "1.m4s", "b.mp4", "2.m4s"]),
            (
                AnswerBody.media(0, 3, seconds: 4, target: 4).replacing("0.m4s\n", with: "0.m4s\n#EXT-X-GAP\n"),
                ["0.m4s", "2.m4s"]
            ),
        ]
    )
    func segmentsAreLoadedOneAfterAnother(text: String, names: [String]) {
        #expect(load(loading(text)) == names)
    }

    @Test(arguments: [(0..<10, 2..<12, 10..<12), (0..<3, 20..<23, 20..<23)])
    func loadingGoesOnInTheNextVersionOrWhereItBegins(first: Range<Int>, second: Range<Int>, loaded: Range<Int>) {
        let viewer = loading(playlist(first))
        _ = load(viewer)
        viewer.advance(seconds: 4)
        viewer.answerPlaylist(playlist(second))
        #expect(load(viewer) == loaded.map { "\($0).m4s" })
    }

    @Test func noContentIsLoadedWhileAdsPlayAndThenTheLiveEdgeIsRejoined() {
        let viewer = loading(playlist(0..<10))
        _ = load(viewer)
        viewer.advance(seconds: 20)
        viewer.answerPod()
        viewer.answerPlaylist(playlist(3..<13))
        #expect(viewer.count(.segment) == 0)
        viewer.advance(seconds: 1)
        viewer.answerPlaylist(playlist(6..<16))
        viewer.advance(seconds: 10)
        #expect(load(viewer) == ["13.m4s", "14.m4s", "15.m4s"])
    }

    @Test func aSequenceNumberAtTheEndOfItsRangeTrapsNothing() {
        let last = playlist(0..<5).replacing("SEQUENCE:0", with: "SEQUENCE:18446744073709551614")
        for text in [last, last.replacing("614\n", with: "610\n")] {
            let viewer = loading(text)
            viewer.advance(seconds: 60)
            #expect(!viewer.isGone)
        }
    }
}
