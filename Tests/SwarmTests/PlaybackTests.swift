import Rules
import Testing
import Transport
import Values

@testable import Profile
@testable import Swarm
@testable import Viewer

/// Variants by chance, and numbers at their ends; what a viewer loads otherwise are cases of `playback`.
@Suite struct PlaybackTests {
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

    @Test func aSequenceNumberAtTheEndOfItsRangeTrapsNothing() {
        for number in ["18446744073709551614", "18446744073709551610"] {
            let viewer = ScriptedCrowd.joined(.forTests { $0.playback.segments = .content })
            let text = AnswerBody.media(0, 5, seconds: 4, target: 4)
            viewer.answerPlaylist(text.replacing("SEQUENCE:0", with: "SEQUENCE:\(number)"))
            viewer.advance(seconds: 60)
            #expect(!viewer.isGone)
        }
    }
}

/// Renditions in playlists of their own, changes of the variant, and how much is downloaded at once.
@Suite struct RenditionTests {
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
            multivariant: ScriptedCrowd.demuxed
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

    @Test func onlyTheVideosProgrammeIsAnnouncedToBreaks() {
        let viewer = joined()
        answer(viewer, 1)
        #expect(viewer.machine.phase == .joining && viewer.machine.screen.playback.latency == nil)
    }

    // MARK: Downloads

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
        #expect(!viewer.machine.screen.playback.hasBuffered(until: date))
        // The audio's, where each asks for the next one at once.
        if let own = viewer.open.first(where: { $0.role == .segment && $0.index == 1 }) { viewer.answer(own, .init()) }
        #expect(viewer.machine.screen.playback.hasBuffered(until: date))
    }

    // MARK: Changes of the variant

    @Test func theOldLoopStopsAndTheNewOneBeginsAtOnce() {
        let viewer = joined { $0.playback.switchEvery = .milliseconds(1) }
        viewer.advance(seconds: 1)
        answer(viewer)
        #expect(viewer.counted(.variantSwitches) == 1)
        #expect(urls(viewer) == ["audio.m3u8", "subtitles.m3u8", "v1/media.m3u8"])
        #expect(viewer.timers[.reload] == nil && viewer.machine[.video].url == Self.base + "v1/media.m3u8")
        answer(viewer)
        #expect(viewer.counted(.unchangedPolls) == 0, "the first answer of another variant is news")
    }

    @Test func switchesComeAsOftenAsTheProfileSays() {
        var switches = 0
        for number in 0..<40 {
            let plan = LoadPlan.watching { $0.playback.switchEvery = .seconds(20) }
            let viewer = ScriptedCrowd.joined(plan, multivariant: ScriptedCrowd.demuxed, number: number)
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
