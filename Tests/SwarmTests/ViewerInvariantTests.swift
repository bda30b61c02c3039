import AdServing
import Rules
import TestSupport
import Testing
import Values

@testable import Profile
@testable import Swarm
@testable import Viewer

@Suite struct ViewerInvariantTests {
    private static let seeds = Draws.of(25)

    @Test(arguments: 0..<4)
    func everySequenceOfEventsKeepsTheBooks(part: Int) {
        var (resolved, superseded) = (0, 0)
        for seed in part * Self.seeds..<(part + 1) * Self.seeds {
            var walk = RandomWalk(breaks: seed)
            walk.run(400)
            resolved += walk.resolved
            superseded += walk.superseded
        }
        // The walk must have been to the places that it is about.
        #expect(resolved > Self.seeds && superseded > 0)
    }

    @Test(arguments: 0..<Draws.of(100))
    func everyLoopGoesOnWithWhateverPlayerOnWhateverChannel(seed: Int) {
        var walk = RandomWalk(playback: seed)
        walk.run(300)
    }
}

/// One viewer made by chance, whose requests are answered late, wrongly or in any order.
private struct RandomWalk {
    private let seed: Int
    private var random: ViewerChance
    private let viewer: ScriptedCrowd
    private let persona: Persona
    /// Whether it is a walk through breaks, and not one before a channel that does anything.
    private let hasBreaks: Bool
    private(set) var resolved = 0
    private(set) var superseded = 0
    private var version = 1
    private var (end, parts) = (20, 0)
    private var notesChecked = -1

    init(breaks seed: Int) {
        var random = ViewerChance(seed: 0xC0FFEE, viewer: seed)
        let plan = LoadPlan.forTests { Self.change(&$0, &random) }
        (self.seed, self.random, hasBreaks) = (seed, random, true)
        persona = .ofProfile(plan.playback)
        viewer = ScriptedCrowd(plan, number: seed)
        viewer.join()
    }

    init(playback seed: Int) {
        var random = ViewerChance(seed: 77, viewer: seed)
        let persona = Persona.forTests { Self.change(&$0, &random) }
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
            text += "#EXT-X-STREAM-INF:BANDWIDTH=1,AUDIO=\"g\",SUBTITLES=\"g\",PATHWAY-ID=\"\(pathway)\"\n"
            text += "v\(index).m3u8\n"
        }
        (self.seed, self.random, self.persona, hasBreaks) = (seed, random, persona, false)
        viewer = .joined(plan, multivariant: text)
    }

    private static func change(_ plan: inout LoadPlan, _ random: inout ViewerChance) {
        let sources: [BreakPlan.Source] = [
            .every(interval: .seconds(7), offset: .seconds(3)),
            .list([.init(.seconds(5)), .init(.seconds(9)), .init(.seconds(40))]),
            .dateRange(classAttribute: nil), .guideMinute(repeats: true), .guideMinute(repeats: false),
            .several([.list([.init(.seconds(6)), .init(.seconds(31))]), .dateRange(classAttribute: nil)]),
        ]
        plan.breaks.source = sources[Int(random.next() % UInt64(sources.count))]
        plan.breaks.trigger = random.happens(0.5) ? .rendezvous : .playhead
        plan.breaks.lead = .milliseconds(Int64(random.next() % 4000))
        plan.breaks.jitter = .milliseconds(Int64(random.next() % 1500))
        plan.breaks.podDuration = .seconds(Int64(random.next() % 12))
        plan.breaks.preconnect = .milliseconds(Int64(random.next() % 8000))
        plan.playback.segments = [.none, .content, .ads, .all][Int(random.next() % 4)]
        plan.playback.playoutLimit = random.happens(0.3) ? .seconds(2) : nil
        plan.pods.repeatShare = random.happens(0.5) ? 0.5 : 0
        plan.audience.pictureInPicture.share = random.happens(0.6) ? 1 : 0
        plan.audience.pictureInPicture.every = .seconds(6)
        plan.audience.pictureInPicture.stay = .seconds(4)
        plan.audience.pictureInPicture.rule = random.happens(0.5) ? .lost : .deferred
        plan.audience.churnPerMinute = random.happens(0.3) ? 1 : 0
    }

    private static func change(_ persona: inout Persona, _ random: inout ViewerChance) {
        persona.reload = ReloadFacts(
            afterChange: ReloadFacts.Basis.allCases.randomElement(using: &random) ?? .lastSegment,
            unchanged: ReloadFacts.Unchanged.allCases.randomElement(using: &random) ?? .halfTarget,
            clock: ReloadFacts.Clock.allCases.randomElement(using: &random) ?? .loadStart,
            loadsRenditionsTogether: random.happens(0.4),
            stuckAfterTargets: random.happens(0.4) ? 1.5 : nil
        )
        persona.lowLatency = LowLatencyFacts(
            blocking: LowLatencyFacts.Blocking.allCases.randomElement(using: &random) ?? .never,
            skip: LowLatencyFacts.Skip.allCases.randomElement(using: &random) ?? .never,
            dropsDirectivesAfterTargets: random.happens(0.3) ? 1 : nil,
            retriesWithoutDirectives: random.happens(0.7),
            loadsHints: random.happens(0.5),
            usesRenditionReports: random.happens(0.5)
        )
        let retry = RetryRule(retries: Int(random.next() % 3), firstWait: .milliseconds(Int64(random.next() % 2000)))
        let all = random.happens(0.5)
        let rule = RequestRule(afterTimeout: retry, afterError: retry, afterNoAnswer: retry, retriesClientErrors: all)
        let kinds = [\RequestFacts.multivariant, \.playlist, \.segment, \.assetList, \.asset, \.steering]
        for kind in kinds { persona.requests[keyPath: kind] = rule }
        persona.maximumDownloads = 1 + Int(random.next() % 5)
    }

    mutating func run(_ steps: Int) {
        // Its place is not given to another viewer.
        viewer.slot().isDeparting = true
        for step in 0..<steps where !viewer.isGone {
            if random.happens(0.55), !viewer.open.isEmpty {
                answerOne()
            } else if hasBreaks, random.happens(0.002) {
                viewer.leave()
            } else {
                viewer.advance(seconds: random.unit() * (random.happens(0.1) ? hasBreaks ? 6 : 20 : 0.8))
            }
            check("seed \(seed), step \(step)")
        }
        if viewer.machine.phase != .leaving, !viewer.isGone { viewer.leave() }
        checkDeparture()
    }

    /// After leaving nothing is asked for, and the last answer ends it.
    private mutating func checkDeparture() {
        #expect(viewer.timers.isEmpty, "seed \(seed)")
        while let request = viewer.open.first {
            let before = viewer.open.count
            #expect(!viewer.isGone, "seed \(seed)")
            viewer.answer(request, .init())
            #expect(viewer.open.count == before - 1, "seed \(seed): a request after leaving")
        }
        #expect(viewer.isGone && viewer.machine.requestsInFlight == 0, "seed \(seed)")
        let notes = viewer.notes.count
        viewer.fireNow(.reload)
        #expect(viewer.open.isEmpty && viewer.notes.count == notes, "seed \(seed): not gone for good")
        check("seed \(seed), after the end")
    }

    // MARK: What holds

    private mutating func check(_ place: String) {
        for broken in brokenLoops() + brokenBooks() { Issue.record("\(place): \(broken)") }
    }

    private func brokenLoops() -> [String] {
        var broken: [String] = []
        let machine = viewer.machine
        if machine.requestsInFlight != viewer.open.count { broken.append("requests in flight are miscounted") }
        if let defect = viewer.crowd.harnessFailure { broken.append(defect) }
        if viewer.open.contains(where: { $0.plannedAt > viewer.now }) {
            broken.append("a request is ahead of its time")
        }
        let roles: Set<ViewerRole> = [.multivariant, .playlist, .blockingPlaylist, .segment, .part]
        let open = viewer.open.count { roles.contains($0.role) }
        // A check of a merge takes the place of the load before it, whatever else is under way.
        if open > persona.maximumDownloads + 1 { broken.append("\(open) downloads at once") }
        if hasBreaks, viewer.count(.playlist) + viewer.count(.multivariant) > 1 { broken.append("two polls at once") }
        if hasBreaks, viewer.count(.segment) > 1 { broken.append("two content segments at once") }
        guard machine.phase != .leaving, !viewer.isGone else { return broken }
        if Int(machine.screen.playback.downloads.underWay) != open { broken.append("downloads are miscounted") }
        let playlists = viewer.open.filter { $0.role == .playlist || $0.role == .blockingPlaylist }
        for rendition in PlayedRendition.allCases where !machine[rendition].url.isEmpty {
            let own = playlists.count { $0.index == machine.requestIndex(of: rendition) }
            if own > 1 { broken.append("\(own) requests of one loop") }
            if (own == 1) != machine.screen.playback[rendition].isLoading { broken.append("a loop thinks otherwise") }
            if own == 0, !machine.screen.playback.downloads.isWaiting(rendition), !goesOn(rendition) {
                broken.append("the loop of \(rendition) has stopped")
            }
        }
        return broken
    }

    /// Whether anything will wake a loop that asks for nothing now.
    private func goesOn(_ rendition: PlayedRendition) -> Bool {
        if viewer.timers[rendition.timer] != nil { return true }
        guard persona.reload.loadsRenditionsTogether else { return false }
        return PlayedRendition.allCases.contains {
            viewer.timers[$0.timer] != nil || viewer.machine.screen.playback[$0].isLoading
                || viewer.machine.screen.playback.downloads.isWaiting($0)
        }
    }

    private mutating func brokenBooks() -> [String] {
        guard viewer.notes.count != notesChecked else { return [] }
        notesChecked = viewer.notes.count
        var broken: [String] = []
        let outcomes = viewer.outcomes
        resolved = outcomes.count { $0 != .breakDue }
        if resolved > Set(viewer.scheduled.map(\.scheduled.key)).count { broken.append("a break ended twice") }
        if !Self.isEachDueViewerResolved(outcomes) { broken.append("due viewers and outcomes differ: \(outcomes)") }
        let started = viewer.adEvents.count { $0 == .adBreakStarted }
        let ended = viewer.adEvents.count { $0 == .adBreakEnded }
        if !(0...1).contains(started - ended) { broken.append("\(started) ad breaks began and \(ended) ended") }
        return broken
    }

    /// Each note of a due viewer is followed at once by the one thing that its break came to, and only such notes are.
    private static func isEachDueViewerResolved(_ outcomes: [ViewerNote]) -> Bool {
        var isDue = false
        for note in outcomes {
            switch note {
            case .breakDue where isDue: return false
            case .breakDue: isDue = true
            case .breakOnTime, .breakLate, .breakFailed:
                guard isDue else { return false }
                isDue = false
            default:
                guard !isDue else { return false }
            }
        }
        return !isDue
    }

    // MARK: Answers

    private mutating func answerOne() {
        let request = viewer.open[Int(random.next() % UInt64(viewer.open.count))]
        if request.serial != 0, viewer.machine.planned(ofSerial: request.serial) == nil { superseded += 1 }
        viewer.answer(request, random.happens(0.17) ? failure(of: request) : reply(to: request))
    }

    private mutating func failure(of request: ScriptedCrowd.Request) -> ScriptedCrowd.Reply {
        let status = [400, 403, 404, 429, 500, 503][Int(random.next() % 6)]
        if request.role == .steering, random.happens(0.5) { return .init(status: 429, headers: ["retry-after": "2"]) }
        if random.happens(0.3) { return .init(status: status) }
        return .failing(LoadFailure.allCases.randomElement(using: &random) ?? .other)
    }

    private mutating func reply(to request: ScriptedCrowd.Request) -> ScriptedCrowd.Reply {
        switch request.role {
        case .playlist where hasBreaks:
            version += random.happens(0.7) ? 1 : 0
            return .init(body: AnswerBody.media(100 + version, header: Self.announced))
        case .playlist, .blockingPlaylist:
            return .init(body: anyPlaylist(request.url), headers: random.happens(0.1) ? ["age": "3"] : [:])
        case .steering:
            let priority = random.happens(0.5) ? #""A","B""# : #""B","A""#
            return .init(body: #"{"VERSION":1,"TTL":2,"PATHWAY-PRIORITY":[\#(priority)]}"#)
        case .podManifest where random.happens(0.5), .podRepeat: return .init(body: AnswerBody.multivariant)
        case .podManifest, .podPlaylist:
            let seconds = (0..<Int(random.next() % 4)).map { _ in Double(random.next() % 4000) / 1000 }
            return .init(body: AnswerBody.pod(seconds))
        default: return .init(body: AnswerBody.ordinary(request, version: version))
        }
    }

    private static let announced = (1..<12).map { AnswerBody.breakTag(at: Double($0 * 11), lasting: 6) }.joined()

    /// The next version or the same; of those that are asked for as updates half are, and some do not fit.
    private mutating func anyPlaylist(_ url: String) -> String {
        if random.happens(0.6) { (end, parts) = parts == 3 ? (end + 1, 0) : (end, parts + 1) }
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
