import HLS
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
    ) throws -> ScriptedViewer {
        let persona = Persona.forTests {
            if let reload { $0.reload = reload }
            $0.maximumDownloads = downloads
        }
        return try .joined(
            .watching(persona) {
                $0.playback.playsAudioRendition = audio
                $0.playback.playsSubtitles = subtitles
                change(&$0)
            },
            multivariant: Self.demuxed
        )
    }

    private func urls(_ viewer: ScriptedViewer) -> [String] {
        viewer.open.filter { $0.role == .playlist }.map { String($0.url.dropFirst(Self.base.count)) }
    }

    /// A version of the channel as one of its renditions.
    private func shared(_ viewer: ScriptedViewer, _ channel: ScriptedChannel = ScriptedChannel()) throws
        -> SharedPlaylist
    {
        try channel.shared(at: viewer.seconds)
    }

    @Test(arguments: [
        (true, true, ["v0/media.m3u8", "audio.m3u8", "subtitles.m3u8"]),
        (true, false, ["v0/media.m3u8", "audio.m3u8"]),
        (false, true, ["v0/media.m3u8", "subtitles.m3u8"]), (false, false, ["v0/media.m3u8"]),
    ])
    func whatIsPlayedIsLoadedAndNothingElse(audio: Bool, subtitles: Bool, expected: [String]) throws {
        #expect(urls(try joined(audio: audio, subtitles: subtitles)) == expected)
    }

    @Test func eachRenditionHasALoopOfItsOwn() throws {
        var viewer = try joined()
        try viewer.answer(try shared(viewer))
        viewer.advance(seconds: 1)
        try viewer.answer(try shared(viewer), index: 1)
        viewer.advance(seconds: 1)
        try viewer.answer(try shared(viewer), index: 2)
        #expect(viewer.wait(.reload) == 2)
        #expect(viewer.wait(.reloadAudio) == 2)
        viewer.advance(seconds: 2)
        #expect(urls(viewer) == ["v0/media.m3u8", "audio.m3u8", "subtitles.m3u8"])
    }

    @Test func renditionsThatAreLoadedTogetherWaitForTheLast() throws {
        let facts = ReloadFacts(
            afterChange: .lastSegment,
            unchanged: .lastSegment,
            clock: .completion,
            loadsRenditionsTogether: true
        )
        var viewer = try joined(facts)
        try viewer.answer(try shared(viewer))
        try viewer.answer(try shared(viewer, ScriptedChannel(target: 4, segmentSeconds: 3)), index: 1, after: 1)
        #expect(viewer.timers[.reload] == nil)
        try viewer.answer(try shared(viewer), index: 2, after: 1)
        // The shortest of their delays, from when the last was complete.
        #expect(viewer.wait(.reload) == 3)
        #expect(viewer.timers[.reloadAudio] == nil && viewer.timers[.reloadSubtitles] == nil)
        viewer.advance(seconds: 3)
        #expect(urls(viewer) == ["v0/media.m3u8", "audio.m3u8", "subtitles.m3u8"])
    }

    @Test func aFailureOfOneRenditionIsRetriedByItselfAndLeavesTheOthers() throws {
        var viewer = try joined()
        try viewer.answer(try shared(viewer))
        try viewer.fail(.other, index: 1)
        #expect(viewer.wait(.reloadAudio) == 1)
        #expect(viewer.wait(.reload) == 4)
        #expect(viewer.machine.phase == .watching)
    }

    @Test func onlyTheVideosProgrammeIsAnnouncedToBreaks() throws {
        var viewer = try joined()
        try viewer.answer(try shared(viewer), index: 1)
        #expect(viewer.machine.phase == .joining)
        #expect(viewer.machine.playback.latency == nil)
    }

    // MARK: Downloads

    @Test func playlistsWaitForAFreeDownloadAndGoBeforeSegments() throws {
        var viewer = try joined(downloads: 2) { $0.playback.segments = .content }
        #expect(urls(viewer) == ["v0/media.m3u8", "audio.m3u8"])
        try viewer.answer(try shared(viewer))
        // The place that became free goes to the playlist that waits, not to a segment.
        #expect(urls(viewer) == ["audio.m3u8", "subtitles.m3u8"])
        #expect(viewer.count(.segment) == 0)
        try viewer.answer(try shared(viewer), index: 1)
        #expect(viewer.count(.segment) == 1)
    }

    @Test(arguments: 1...5)
    func noMoreThanTheFactSaysIsUnderWayAtOnce(downloads: Int) throws {
        var viewer = try joined(downloads: downloads) { $0.playback.segments = .content }
        var most = 0
        for _ in 0..<200 {
            let open = viewer.open.count { $0.role == .playlist || $0.role == .segment }
            most = max(most, open)
            guard let index = viewer.open.firstIndex(where: { $0.role == .playlist || $0.role == .segment }) else {
                viewer.advance(seconds: 0.25)
                continue
            }
            let request = viewer.open[index]
            if request.role == .segment {
                _ = viewer.take(at: index)
                viewer.send(.mediaFinished(index: request.index, failure: nil))
            } else {
                try viewer.answer(try shared(viewer), index: request.index)
            }
        }
        #expect(most == min(downloads, 3))
    }

    @Test func eachRenditionLoadsItsOwnSegmentsAndTheLastOfThemIsTheBuffersEnd() throws {
        var viewer = try joined(subtitles: false) { $0.playback.segments = .content }
        try viewer.answer(try shared(viewer))
        try viewer.answer(try shared(viewer), index: 1)
        #expect(viewer.count(.segment) == 2)
        let date = WallTime(microseconds: ScriptedViewer.wallStart.microseconds - 8_000_000)
        viewer.take(.segment)
        viewer.send(.mediaFinished(index: 0, failure: nil))
        #expect(!viewer.machine.playback.hasBuffered(until: date))
        viewer.take(.segment)
        viewer.send(.mediaFinished(index: 1, failure: nil))
        #expect(viewer.machine.playback.hasBuffered(until: date))
    }

    // MARK: Changes of the variant

    /// A viewer that changed its variant when its first playlist came.
    private func switched() throws -> ScriptedViewer {
        var viewer = try joined { $0.playback.switchEvery = .milliseconds(1) }
        viewer.advance(seconds: 1)
        try viewer.answer(try shared(viewer))
        #expect(viewer.counted(.variantSwitches) == 1)
        return viewer
    }

    @Test func theOldLoopStopsAndTheNewOneBeginsAtOnce() throws {
        let viewer = try switched()
        #expect(urls(viewer) == ["audio.m3u8", "subtitles.m3u8", "v1/media.m3u8"])
        #expect(viewer.timers[.reload] == nil)
        #expect(viewer.machine.playlistURL == Self.base + "v1/media.m3u8")
    }

    @Test func aLateAnswerOfTheOldVariantIsNotRead() throws {
        var viewer = try joined { $0.playback.switchEvery = .seconds(3600) }
        try viewer.answer(try shared(viewer))
        viewer.advance(seconds: 4)
        viewer.machine.switchVariant(now: viewer.now, viewer.plan)
        let before = viewer.machine.playback.latest?.version
        // The answer to the poll of the variant that was left.
        #expect(viewer.take(.playlist) != nil)
        viewer.send(.playlist(try ScriptedChannel().shared(at: 40), plannedAt: viewer.now, index: 0))
        #expect(viewer.machine.playback.latest?.version == before)
        #expect(viewer.machine.facts.rendition(ofRequest: 0) == nil)
        #expect(viewer.machine.facts.rendition(ofRequest: viewer.machine.requestIndex(of: .video)) == .video)
    }

    @Test func theFirstAnswerOfANewVariantIsNewsEvenWhereItListsTheSame() throws {
        var viewer = try switched()
        let index = viewer.machine.requestIndex(of: .video)
        try viewer.answer(try shared(viewer), index: index)
        #expect(viewer.counted(.unchangedPolls) == 0)
    }

    @Test func switchesComeAsOftenAsTheProfileSays() throws {
        var switches = 0
        for number in 0..<40 {
            var viewer = ScriptedViewer(.watching { $0.playback.switchEvery = .seconds(20) }, number: number)
            viewer.send(.join)
            viewer.take(.multivariant)
            viewer.send(.multivariant(try .parsed(Self.demuxed), url: Self.base + "multivariant.m3u8"))
            while viewer.seconds < 200 {
                while let open = viewer.open.first(where: { $0.role == .playlist }) {
                    try viewer.answer(try shared(viewer), index: open.index)
                }
                viewer.advance(seconds: 0.5)
            }
            switches += viewer.counted(.variantSwitches)
        }
        // Up to two seconds each are spent until the poll after the switch is due.
        #expect((280...420).contains(switches), "\(switches)")
    }

    @Test func loadingGoesOnInTheNewVariantWhereItWas() throws {
        var viewer = try joined(audio: false, subtitles: false) {
            $0.playback.segments = .content
            $0.playback.switchEvery = .seconds(3600)
        }
        try viewer.answer(try shared(viewer))
        #expect(viewer.take(.segment)?.hasSuffix("/3.m4s") == true)
        viewer.send(.segmentFinished)
        #expect(viewer.take(.segment)?.hasSuffix("/4.m4s") == true)
        viewer.send(.segmentFinished)
        viewer.machine.switchVariant(now: viewer.now, viewer.plan)
        let index = viewer.machine.requestIndex(of: .video)
        // The other variant counts its segments from elsewhere; the dates are the same.
        var text = ScriptedChannel().text(at: 0)
        text.replace("MEDIA-SEQUENCE:6", with: "MEDIA-SEQUENCE:1006")
        let other = SharedPlaylist(
            version: 9_999,
            playlist: try .parsed(text),
            announced: [],
            url: Self.base + "v1/media.m3u8"
        )
        viewer.send(.playlist(other, plannedAt: viewer.now, index: index))
        #expect(viewer.open.last { $0.role == .segment }?.url == Self.base + "v1/5.m4s")
    }
}
