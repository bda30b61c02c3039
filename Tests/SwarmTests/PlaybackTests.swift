import Rules
import Testing
import Transport
import Values

@testable import Profile
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

    @Test(arguments: [(PlaybackPlan.VariantChoice.first, "v0"), (.highest, "v0"), (.lowest, "v1")])
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

/// Renditions in playlists of their own, changes of the variant, and how much is downloaded at once.
@Suite struct RenditionTests {
    private static let demuxed = """
        #EXTM3U
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="other",URI="other.m3u8"
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="main",DEFAULT=YES,URI="audio.m3u8"
        #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="en",AUTOSELECT=YES,URI="subtitles.m3u8"
        #EXT-X-STREAM-INF:BANDWIDTH=800000,AUDIO="a",SUBTITLES="s"
        v0/media.m3u8
        #EXT-X-STREAM-INF:BANDWIDTH=400000,AUDIO="a",SUBTITLES="s"
        v1/media.m3u8

        """
    private static let base = "http://127.0.0.1:8080/live/main/"

    private func joined(
        _ reload: ReloadFacts? = nil,
        audio: Bool = true,
        subtitles: Bool = true,
        downloads: Int = 4,
        _ change: (inout LoadPlan) -> Void = { _ in }
    ) -> ScriptedCrowd {
        let persona = Persona.forTests {
            if let reload { $0.reload = reload }
            $0.maximumDownloads = downloads
        }
        return .joined(
            .watching(persona) {
                $0.playback.playsAudioRendition = audio
                $0.playback.playsSubtitles = subtitles
                change(&$0)
            },
            multivariant: Self.demuxed
        )
    }

    private func urls(_ viewer: ScriptedCrowd) -> [String] {
        viewer.open.filter { $0.role == .playlist }.map { String($0.url.dropFirst(Self.base.count)) }
    }

    /// Answers the poll of a rendition with the channel's version of now.
    private func answer(
        _ viewer: ScriptedCrowd,
        _ index: UInt8? = nil,
        _ channel: ScriptedChannel = ScriptedChannel(),
        after seconds: Double = 0
    ) {
        viewer.answerPlaylist(channel.text(at: viewer.seconds), index: index, after: seconds)
    }

    @Test(arguments: [
        (true, true, ["v0/media.m3u8", "audio.m3u8", "subtitles.m3u8"]),
        (true, false, ["v0/media.m3u8", "audio.m3u8"]),
        (false, true, ["v0/media.m3u8", "subtitles.m3u8"]), (false, false, ["v0/media.m3u8"]),
    ])
    func whatIsPlayedIsLoadedAndNothingElse(audio: Bool, subtitles: Bool, expected: [String]) {
        #expect(urls(joined(audio: audio, subtitles: subtitles)) == expected)
    }

    @Test func eachRenditionHasALoopOfItsOwn() {
        let viewer = joined()
        answer(viewer)
        viewer.advance(seconds: 1)
        answer(viewer, 1)
        viewer.advance(seconds: 1)
        answer(viewer, 2)
        #expect(viewer.wait(.reload) == 2 && viewer.wait(.reloadAudio) == 2)
        viewer.advance(seconds: 2)
        #expect(urls(viewer) == ["v0/media.m3u8", "audio.m3u8", "subtitles.m3u8"])
    }

    @Test func renditionsThatAreLoadedTogetherWaitForTheLast() {
        var facts = ReloadFacts(afterChange: .lastSegment, unchanged: .lastSegment, clock: .completion)
        facts.loadsRenditionsTogether = true
        let viewer = joined(facts)
        answer(viewer)
        answer(viewer, 1, ScriptedChannel(target: 4, segmentSeconds: 3), after: 1)
        #expect(viewer.timers[.reload] == nil)
        answer(viewer, 2, after: 1)
        // The shortest of their delays, from when the last was complete.
        #expect(viewer.wait(.reload) == 3)
        #expect(viewer.timers[.reloadAudio] == nil && viewer.timers[.reloadSubtitles] == nil)
        viewer.advance(seconds: 3)
        #expect(urls(viewer) == ["v0/media.m3u8", "audio.m3u8", "subtitles.m3u8"])
    }

    @Test func aFailureOfOneRenditionIsRetriedByItselfAndLeavesTheOthers() {
        let viewer = joined()
        answer(viewer)
        viewer.fail(.other, index: 1)
        #expect(viewer.wait(.reloadAudio) == 1 && viewer.wait(.reload) == 4 && viewer.machine.phase == .watching)
    }

    @Test func onlyTheVideosProgrammeIsAnnouncedToBreaks() {
        let viewer = joined()
        answer(viewer, 1)
        #expect(viewer.machine.phase == .joining && viewer.machine.playback.latency == nil)
    }

    // MARK: Downloads

    @Test func playlistsWaitForAFreeDownloadAndGoBeforeSegments() {
        let viewer = joined(downloads: 2) { $0.playback.segments = .content }
        #expect(urls(viewer) == ["v0/media.m3u8", "audio.m3u8"])
        answer(viewer)
        // The place that became free goes to the playlist that waits, not to a segment.
        #expect(urls(viewer) == ["audio.m3u8", "subtitles.m3u8"] && viewer.count(.segment) == 0)
        answer(viewer, 1)
        #expect(viewer.count(.segment) == 1)
    }

    @Test(arguments: 1...5)
    func noMoreThanTheFactSaysIsUnderWayAtOnce(downloads: Int) {
        let viewer = joined(downloads: downloads) { $0.playback.segments = .content }
        var most = 0
        for _ in 0..<200 {
            let open = viewer.open.filter { $0.role == .playlist || $0.role == .segment }
            most = max(most, open.count)
            guard let request = open.first else {
                viewer.advance(seconds: 0.25)
                continue
            }
            let isSegment = request.role == .segment
            viewer.answer(request, .init(body: isSegment ? "" : ScriptedChannel().text(at: viewer.seconds)))
        }
        #expect(most == min(downloads, 3))
    }

    @Test func eachRenditionLoadsItsOwnSegmentsAndTheLastOfThemIsTheBuffersEnd() {
        let viewer = joined(subtitles: false) { $0.playback.segments = .content }
        answer(viewer)
        answer(viewer, 1)
        #expect(viewer.count(.segment) == 2)
        let date = ScriptedCrowd.wallStart + .seconds(-8)
        viewer.answer(.segment)
        #expect(!viewer.machine.playback.hasBuffered(until: date))
        // The audio's, where each asks for the next one at once.
        if let own = viewer.open.first(where: { $0.role == .segment && $0.index == 1 }) { viewer.answer(own, .init()) }
        #expect(viewer.machine.playback.hasBuffered(until: date))
    }

    // MARK: Changes of the variant

    @Test func theOldLoopStopsAndTheNewOneBeginsAtOnce() {
        let viewer = joined { $0.playback.switchEvery = .milliseconds(1) }
        viewer.advance(seconds: 1)
        answer(viewer)
        #expect(viewer.counted(.variantSwitches) == 1)
        #expect(urls(viewer) == ["audio.m3u8", "subtitles.m3u8", "v1/media.m3u8"])
        #expect(viewer.timers[.reload] == nil && viewer.machine.playlistURL == Self.base + "v1/media.m3u8")
        answer(viewer)
        #expect(viewer.counted(.unchangedPolls) == 0, "the first answer of another variant is news")
    }

    @Test func switchesComeAsOftenAsTheProfileSays() {
        var switches = 0
        for number in 0..<40 {
            let plan = LoadPlan.watching { $0.playback.switchEvery = .seconds(20) }
            let viewer = ScriptedCrowd.joined(plan, multivariant: Self.demuxed, number: number)
            viewer.watch(ScriptedChannel(), seconds: 200, step: 0.5)
            switches += viewer.counted(.variantSwitches)
        }
        // Up to two seconds each are spent until the poll after the switch is due.
        #expect((280...420).contains(switches), "\(switches)")
    }

    @Test func loadingGoesOnInTheNewVariantWhereItWas() {
        let viewer = joined(audio: false, subtitles: false) {
            $0.playback.segments = .content
            $0.playback.switchEvery = .milliseconds(1)
        }
        answer(viewer)
        for number in 3...4 { #expect(viewer.answer(.segment).hasSuffix("/\(number).m4s")) }
        viewer.advance(seconds: 4)
        answer(viewer)
        #expect(viewer.counted(.variantSwitches) == 1)
        // The other variant counts its segments from elsewhere; the dates are the same.
        answer(viewer, nil, ScriptedChannel(firstSequence: 1_000))
        #expect(viewer.open.last { $0.role == .segment }?.url == Self.base + "v1/5.m4s")
    }
}
