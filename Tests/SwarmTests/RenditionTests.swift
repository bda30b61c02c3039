import LoadProfile
import Players
import Rulebook
import Testing
import Time

@testable import Audience
@testable import Swarm
@testable import Viewer

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
        #expect(viewer.wait(.reload) == 2)
        #expect(viewer.wait(.reloadAudio) == 2)
        viewer.advance(seconds: 2)
        #expect(urls(viewer) == ["v0/media.m3u8", "audio.m3u8", "subtitles.m3u8"])
    }

    @Test func renditionsThatAreLoadedTogetherWaitForTheLast() {
        let facts = ReloadFacts(
            afterChange: .lastSegment,
            unchanged: .lastSegment,
            clock: .completion,
            loadsRenditionsTogether: true
        )
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
        #expect(viewer.wait(.reloadAudio) == 1)
        #expect(viewer.wait(.reload) == 4)
        #expect(viewer.machine.phase == .watching)
    }

    @Test func onlyTheVideosProgrammeIsAnnouncedToBreaks() {
        let viewer = joined()
        answer(viewer, 1)
        #expect(viewer.machine.phase == .joining)
        #expect(viewer.machine.playback.latency == nil)
    }

    // MARK: Downloads

    @Test func playlistsWaitForAFreeDownloadAndGoBeforeSegments() {
        let viewer = joined(downloads: 2) { $0.playback.segments = .content }
        #expect(urls(viewer) == ["v0/media.m3u8", "audio.m3u8"])
        answer(viewer)
        // The place that became free goes to the playlist that waits, not to a segment.
        #expect(urls(viewer) == ["audio.m3u8", "subtitles.m3u8"])
        #expect(viewer.count(.segment) == 0)
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

    /// A viewer that changed its variant when its first playlist came.
    private func switched() -> ScriptedCrowd {
        let viewer = joined { $0.playback.switchEvery = .milliseconds(1) }
        viewer.advance(seconds: 1)
        answer(viewer)
        #expect(viewer.counted(.variantSwitches) == 1)
        return viewer
    }

    @Test func theOldLoopStopsAndTheNewOneBeginsAtOnce() {
        let viewer = switched()
        #expect(urls(viewer) == ["audio.m3u8", "subtitles.m3u8", "v1/media.m3u8"])
        #expect(viewer.timers[.reload] == nil)
        #expect(viewer.machine.playlistURL == Self.base + "v1/media.m3u8")
    }

    @Test func theFirstAnswerOfANewVariantIsNewsEvenWhereItListsTheSame() {
        let viewer = switched()
        answer(viewer)
        #expect(viewer.counted(.unchangedPolls) == 0)
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
        #expect(viewer.answer(.segment).hasSuffix("/3.m4s"))
        #expect(viewer.answer(.segment).hasSuffix("/4.m4s"))
        viewer.advance(seconds: 4)
        answer(viewer)
        #expect(viewer.counted(.variantSwitches) == 1)
        // The other variant counts its segments from elsewhere; the dates are the same.
        answer(viewer, nil, ScriptedChannel(firstSequence: 1_000))
        #expect(viewer.open.last { $0.role == .segment }?.url == Self.base + "v1/5.m4s")
    }
}
