import LoadProfile
import Players
import Rulebook
import Testing

@testable import Audience
@testable import Swarm
@testable import Viewer

/// Whatever the facts, and whatever comes in whatever order: no loop stops, and no more is under way than allowed.
@Suite struct PlaybackInvariantTests {
    @Test(arguments: 0..<200)
    func everyLoopGoesOnAndTheBooksAreKept(seed: Int) {
        var script = PlaybackChaos(seed: seed)
        script.run()
    }
}

/// A viewer with a player made by chance, on a channel that does anything.
private struct PlaybackChaos {
    private let seed: Int
    private var random: ViewerChance
    private let viewer: ScriptedCrowd
    private let persona: Persona
    private var end = 20
    private var parts = 0

    init(seed: Int) {
        self.seed = seed
        var random = ViewerChance(seed: 77, viewer: seed)
        let persona = Self.persona(&random)
        let plan = LoadPlan.watching(persona) {
            $0.playback.segments = random.happens(0.5) ? .content : .none
            $0.playback.playsAudioRendition = random.happens(0.6)
            $0.playback.playsSubtitles = random.happens(0.4)
            $0.playback.verifyDeltaShare = random.happens(0.3) ? 0.5 : 0
            $0.playback.switchEvery = random.happens(0.5) ? .seconds(3) : nil
        }
        var text = "#EXTM3U\n"
        if random.happens(0.4) { text += "#EXT-X-CONTENT-STEERING:SERVER-URI=\"steer\",PATHWAY-ID=\"B\"\n" }
        for kind in ["AUDIO", "SUBTITLES"] {
            text += "#EXT-X-MEDIA:TYPE=\(kind),GROUP-ID=\"g\",NAME=\"n\",DEFAULT=YES,URI=\"\(kind).m3u8\"\n"
        }
        for (index, pathway) in ["A", "A", "B", "B"].enumerated() {
            text +=
                "#EXT-X-STREAM-INF:BANDWIDTH=1,AUDIO=\"g\",SUBTITLES=\"g\",PATHWAY-ID=\"\(pathway)\"\nv\(index).m3u8\n"
        }
        self.random = random
        self.persona = persona
        viewer = .joined(plan, multivariant: text)
    }

    private static func persona(_ random: inout ViewerChance) -> Persona {
        .forTests {
            $0.reload = ReloadFacts(
                afterChange: ReloadFacts.Basis.allCases.randomElement(using: &random) ?? .lastSegment,
                unchanged: ReloadFacts.Unchanged.allCases.randomElement(using: &random) ?? .halfTarget,
                clock: ReloadFacts.Clock.allCases.randomElement(using: &random) ?? .loadStart,
                loadsRenditionsTogether: random.happens(0.4),
                stuckAfterTargets: random.happens(0.4) ? 1.5 : nil
            )
            $0.lowLatency = LowLatencyFacts(
                blocking: LowLatencyFacts.Blocking.allCases.randomElement(using: &random) ?? .never,
                skip: LowLatencyFacts.Skip.allCases.randomElement(using: &random) ?? .never,
                dropsDirectivesAfterTargets: random.happens(0.3) ? 1 : nil,
                retriesWithoutDirectives: random.happens(0.7),
                loadsHints: random.happens(0.5),
                usesRenditionReports: random.happens(0.5)
            )
            let retry = RetryRule(
                retries: Int(random.next() % 3),
                firstWait: .milliseconds(Int64(random.next() % 2000))
            )
            $0.requests = RequestFacts(
                all: RequestRule(afterTimeout: retry, afterError: retry, retriesClientErrors: random.happens(0.5))
            )
            $0.maximumDownloads = 1 + Int(random.next() % 5)
        }
    }

    mutating func run() {
        for step in 0..<300 {
            if random.happens(0.6), !viewer.open.isEmpty {
                answerOne()
            } else {
                viewer.advance(seconds: random.unit() * (random.happens(0.05) ? 20 : 1))
            }
            check(step)
        }
        viewer.leave()
        while let request = viewer.open.first { viewer.answer(request, .init()) }
        #expect(viewer.isGone, "seed \(seed)")
    }

    private static let downloads: Set<ViewerRole> = [.multivariant, .playlist, .blockingPlaylist, .segment, .part]

    private func check(_ step: Int) {
        let machine = viewer.machine
        let place = "seed \(seed), step \(step)"
        #expect(machine.requestsInFlight == viewer.open.count, "\(place)")
        let open = viewer.open.count { Self.downloads.contains($0.role) }
        #expect(machine.playback.openDownloads == open, "\(place): downloads are miscounted")
        // A check of a merge takes the place of the load before it, whatever else is under way.
        #expect(open <= persona.maximumDownloads + 1, "\(place): \(open) downloads at once")
        let playlists = viewer.open.filter { $0.role == .playlist || $0.role == .blockingPlaylist }
        for rendition in PlayedRendition.allCases where !machine.facts.url(of: rendition).isEmpty {
            let own = playlists.count { $0.index == machine.requestIndex(of: rendition) }
            #expect(own <= 1, "\(place): \(own) requests of one loop")
            #expect((own == 1) == machine.playback.loop(of: rendition).isLoading, "\(place): a loop thinks otherwise")
            guard own == 0, !machine.playback.isWaiting(rendition) else { continue }
            let goesOn = self.goesOn(rendition)
            #expect(goesOn, "\(place): the loop of \(rendition) has stopped")
        }
    }

    /// Whether anything will wake a loop that asks for nothing now.
    private func goesOn(_ rendition: PlayedRendition) -> Bool {
        if viewer.timers[rendition.timer] != nil { return true }
        guard persona.reload.loadsRenditionsTogether else { return false }
        return PlayedRendition.allCases.contains {
            viewer.timers[$0.timer] != nil || viewer.machine.playback.loop(of: $0).isLoading
                || viewer.machine.playback.isWaiting($0)
        }
    }

    private mutating func answerOne() {
        let request = viewer.open[Int(random.next() % UInt64(viewer.open.count))]
        let failure = random.happens(0.2) ? LoadFailure.allCases.randomElement(using: &random) : nil
        guard failure == nil else {
            let isBusy = request.role == .steering && random.happens(0.5)
            let busy = ScriptedCrowd.Reply(status: 429, headers: ["retry-after": "2"])
            return viewer.answer(request, isBusy ? busy : .failing(failure ?? .other))
        }
        switch request.role {
        case .playlist, .blockingPlaylist:
            let headers = random.happens(0.1) ? ["age": "3"] : [:]
            viewer.answer(request, .init(body: playlist(request.url), headers: headers))
        case .steering:
            let priority = random.happens(0.5) ? #""A","B""# : #""B","A""#
            viewer.answer(request, .init(body: #"{"VERSION":1,"TTL":2,"PATHWAY-PRIORITY":[\#(priority)]}"#))
        default: viewer.answer(request, .init())
        }
    }

    /// The next version or the same; of those that are asked for as updates half are, and some do not fit.
    private mutating func playlist(_ url: String) -> String {
        if random.happens(0.6) {
            parts += 1
            if parts == 4 { (end, parts) = (end + 1, 0) }
        }
        let first = random.happens(0.1) ? end + 50 : end - 8
        let skipped = first > end || url.contains("_HLS_skip") && random.happens(0.5) ? 4 : 0
        let blocks = random.happens(0.9) ? "YES" : "NO"
        var text = "#EXTM3U\n#EXT-X-VERSION:9\n#EXT-X-TARGETDURATION:2\n#EXT-X-PART-INF:PART-TARGET=0.5\n"
        text += "#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=\(blocks),CAN-SKIP-UNTIL=12,PART-HOLD-BACK=1.5\n"
        text += "#EXT-X-MEDIA-SEQUENCE:\(first)\n"
        if skipped > 0 { text += "#EXT-X-SKIP:SKIPPED-SEGMENTS=\(skipped)\n" }
        for number in (first + skipped)..<max(end, first + skipped + 1) {
            text += AnswerBody.dateTag(Double(number * 2 - 40)) + "#EXTINF:2,\n\(number).m4s\n"
        }
        for part in 0..<parts { text += "#EXT-X-PART:DURATION=0.5,URI=\"\(end).\(part).m4s\"\n" }
        text += "#EXT-X-PRELOAD-HINT:TYPE=PART,URI=\"\(end).\(parts).m4s\"\n"
        return text + "#EXT-X-RENDITION-REPORT:URI=\"v1.m3u8\",LAST-MSN=\(end),LAST-PART=0\n"
    }
}
