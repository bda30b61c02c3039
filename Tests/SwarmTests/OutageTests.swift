import AdServing
import Rules
import Testing
import Values

@testable import Profile
@testable import Viewer

/// What each player asks for while the channel cannot be loaded, by hand from its source.
///
/// Playlists of four seconds, requests that fail at once but where said otherwise, instants in milliseconds from the first
/// request that failed.
@Suite struct OutageTests {
    /// From 0 to 38 s.
    private static let everyTwoSeconds = (0..<20).map { "\($0 * 2_000)" }.joined(separator: " ")

    /// Players with the number of variants, what comes in place of each answer, after how many seconds and for how long, when
    /// they ask, and whether they stop.
    @Test(
        arguments: [
            // hls.js 1.7.1 base-playlist-controller.ts:409-455: after 1 s and 2 s, then fatal.
            ("hlsjs", 1, .noAnswer, 0, 39.5, "0 1000 3000", true),
            // Media3 1.11.0 DefaultLoadErrorHandlingPolicy.java:131: after 0, 1, 2, 3 s, and no more when nothing is left to
            // show at 8 s (Loader.java:393).
            ("media3", 1, .noAnswer, 0, 39.5, "0 0 1000 3000 6000", true),
            // VHS 3.17.4 playlist-loader.js:862: half the target duration, for ever.
            ("vhs", 1, .noAnswer, 0, 39.5, everyTwoSeconds, false),
            // No source says what the specification's client and AVPlayer do.
            ("strict", 1, .noAnswer, 0, 39.5, everyTwoSeconds, false),
            ("avplayer", 1, .noAnswer, 0, 39.5, everyTwoSeconds, false),
            ("eager", 1, .noAnswer, 0, 39.5, everyTwoSeconds, false),
            // hls.js takes any level without an error before it asks again (error-controller.ts:294-305).
            ("hlsjs", 2, .noAnswer, 0, 18, "v0 0 v1 0 v1 1000 v1 3000", true),
            // It has no other track for a connection that was refused (DefaultLoadErrorHandlingPolicy.java:149-162).
            ("media3", 2, .noAnswer, 0, 18, "v0 0 v0 0 v0 1000 v0 3000 v0 6000", true),
            // VHS excludes what failed and takes all again when the last one failed (playlist-controller.js:1457-1536).
            ("vhs", 2, .noAnswer, 0, 18, "v0 0 v1 0 v0 2000 v1 7000 v0 9000 v1 14000 v0 16000", false),
            // hls.js retries a level after an error status first and leaves it then.
            ("hlsjs", 2, .unavailable, 0, 40, "v0 0 v0 1000 v0 3000 v1 3000 v1 4000 v1 6000", true),
            // It leaves a track at once after 503 (DefaultLoadErrorHandlingPolicy.java:156-161), for 60 s (:46).
            ("media3", 2, .unavailable, 0, 40, "v0 0 v1 0 v1 0 v1 1000 v1 3000 v1 6000", true),
            // A playlist that is not found is asked for again where there is no other level.
            ("hlsjs", 1, .clientError, 0, 40, "0 1000 3000", true),
            // hls.js 1.7.1 config.ts:580-595: 10 s to the first byte, two retries at once.
            ("hlsjs", 1, .timeout, 10, 60, "0 10000 20000", true),
            // Media3 DefaultHttpDataSource: 8 s.
            ("media3", 1, .timeout, 8, 60, "0 8000 17000 27000", true),
        ] as [(String, Int, LoadFailure, Double, Double, String, Bool)]
    )
    func aPlaylistThatDoesNotComeIsAskedForAt(
        name: String,
        variants: Int,
        failure: LoadFailure,
        patience: Double,
        seconds: Double,
        course: String,
        stops: Bool
    ) throws {
        let script = OutageScript(try #require(KnownPersona.named(name)).persona, variants: variants)
        script.fail(failure, for: seconds, after: patience)
        #expect(script.course == course && script.isStopped == stops)
        #expect(variants > 1 || script.viewer.counted(.retries) == script.asked.count - 1)
        #expect(script.viewer.machine.phase == .watching)
    }

    /// A multivariant playlist, and connections that are refused.
    ///
    /// hls.js: a manifest's loader retries no status 0 (error-helper.ts:86), and the error is fatal (playlist-loader.ts:658).
    /// Media3: what nothing can be shown without fails after three retries (Loader.java:393).
    @Test(
        arguments: [
            ("hlsjs", "0", true), ("media3", "0 0 1000 3000", true), ("vhs", "0", true),
            ("strict", "0 1000 2000 3000 4000 5000 6000 7000 8000 9000 10000 11000 12000 13000 14000", false),
        ]
    )
    func aChannelThatIsNotThereIsAskedForAt(name: String, course: String, stops: Bool) throws {
        let script = OutageScript(joining: try #require(KnownPersona.named(name)).persona)
        script.fail(.noAnswer, for: 14.5)
        #expect(script.asked.allSatisfy { $0.place == "master" })
        #expect(script.course == course && script.isStopped == stops)
    }

    /// Viewers who would not notice: the player is started again at once and asks on at its slowest pace.
    @Test(
        arguments: [
            ("hlsjs", 12, "0 1000 3000 5000 6000 8000 10000 11000"),
            ("media3", 40, "0 0 1000 3000 6000 10000 15000 20000 25000 30000 35000"),
        ] as [(String, Double, String)]
    )
    func withoutAbandonmentNoPlayerStops(known: String, seconds: Double, course: String) {
        let script = OutageScript(.known(known), abandonment: nil)
        script.fail(.noAnswer, for: seconds)
        #expect(script.course == course && !script.isStopped)
    }

    // MARK: Shaka

    /// Shaka 5.2.7 makes two attempts (backoff.js:175) and two more 0.1 s after the second (hls_parser.js:5528), for ever.
    ///
    /// The two are 1 s apart, half of it more or less; 100 ms while the stream is of low latency
    /// (player_configuration.js:509-531).
    @Test(arguments: [("", 40, 50, 500...1_500), ("#EXT-X-PART-INF:PART-TARGET=1\n", 4, 25, 50...150)])
    func shakaAsksInPairs(header: String, seconds: Double, count: Int, between: ClosedRange<Int64>) throws {
        let script = OutageScript(Persona.known("shaka"), header: header)
        script.fail(.noAnswer, for: seconds)
        #expect(script.asked.count > count && !script.isStopped)
        for (index, wait) in script.waits.enumerated() {
            #expect(index.isMultiple(of: 2) ? between ~= wait : wait == 100, "\(index): \(wait)")
        }
    }

    /// A variant whose two attempts failed is not used for 30 s (player_configuration.js:220); the other one, which was never
    /// loaded, is asked for again after about 1.1 s (streaming_engine.js:3266, player.js:7825).
    @Test func shakaLeavesAVariantForHalfAMinute() throws {
        let script = OutageScript(Persona.known("shaka"), variants: 2)
        script.fail(.noAnswer, for: 40)
        #expect(script.asked.prefix(3).map(\.place) == ["v0", "v0", "v1"])
        let back = try #require(script.asked.dropFirst(2).first { $0.place == "v0" })
        #expect(30_000...36_000 ~= back.milliseconds && script.waits.contains(1_100))
    }

    // MARK: What an outage does besides

    /// Media3 whose audio still comes: the video's errors surface when nothing is left to show, though the audio was asked for
    /// between its last failure and then.
    @Test func anotherRenditionDoesNotKeepAPlayerFromEnding() {
        let channel = """
            #EXTM3U
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="main",DEFAULT=YES,URI="audio.m3u8"
            #EXT-X-STREAM-INF:BANDWIDTH=800000,AUDIO="a"
            v0/media.m3u8

            """
        let plan = LoadPlan.watching(Persona.known("media3")) {
            $0.audience.abandonment = OutageScript.patient
            $0.playback.playsAudioRendition = true
        }
        let viewer = ScriptedCrowd.joined(plan, multivariant: channel)
        func watch(until end: Double, fails: Bool) {
            viewer.watch(seconds: end - viewer.seconds) { request in
                guard request.role == .playlist else { return nil }
                guard !fails || request.index != 0 else { return .failing(.noAnswer) }
                return .init(body: ScriptedChannel().text(at: viewer.seconds))
            }
        }
        watch(until: 15.5, fails: false)
        watch(until: 23.5, fails: true)
        // It saw the first playlist at 0.25 s, and has shown all of the last one 24 s later.
        #expect(viewer.timers[.reload] == ScriptedCrowd.instant(24.25))
        viewer.fireNow(.reloadAudio)
        #expect(viewer.open.contains { $0.url.hasSuffix("audio.m3u8") })
        #expect(viewer.counted(.playersStopped) == 0)
        viewer.advance(seconds: 1)
        #expect(viewer.counted(.playersStopped) == 1)
        #expect(!viewer.open.contains { $0.url.hasSuffix("media.m3u8") })
    }

    // MARK: The end of an outage

    @Test(arguments: ["strict", "media3", "shaka", "vhs", "avplayer", "eager", "hlsjs"])
    func whoStillAsksGoesOnAsBefore(name: String) throws {
        let script = OutageScript(try #require(KnownPersona.named(name)).persona)
        let viewer = script.viewer
        script.fail(.noAnswer, for: 5)
        let retries = viewer.counted(.retries)
        viewer.watch(script.channel, seconds: name == "hlsjs" ? 60 : 24)
        #expect(viewer.machine.phase == .watching && script.isStopped == (name == "hlsjs"))
        // The request that was under way, or due, is the last that asks again.
        #expect(viewer.counted(.retries) <= retries + 1)
        guard script.isStopped else { return }
        #expect(viewer.open.allSatisfy { $0.role == .registration || $0.role == .metadata })
        #expect(viewer.timers[.reload] == nil)
    }
}

/// A viewer whose channel cannot be loaded for a while, on the fake clock.
///
/// Segments of four seconds; the viewer plays twelve seconds behind the edge and polls at each multiple of four seconds.
/// From 16 s on no playlist comes, so that at 24 s, eight seconds later, nothing is left to show.
final class OutageScript {
    private let begin: Double
    private let variants: Int
    let viewer: ScriptedCrowd
    /// Milliseconds from the moment at which requests begin to fail, and the variant, or `master`.
    private(set) var asked: [(milliseconds: Int64, place: String)] = []
    var channel = ScriptedChannel()

    /// People who would notice that a player stops, and bear it for longer than any test.
    static let patient = AbandonmentPlan(afterStall: .seconds(3_600), afterStop: .seconds(3_600))

    /// A viewer that has watched up to the outage.
    init(_ persona: Persona, variants: Int = 1, header: String = "", abandonment: AbandonmentPlan? = patient) {
        (begin, self.variants) = (16, variants)
        channel.header = header
        let plan = LoadPlan.watching(persona) { $0.audience.abandonment = abandonment }
        viewer = .joined(plan, multivariant: variants == 1 ? AnswerBody.oneVariant : nil)
        viewer.watch(channel, seconds: begin - 0.5)
    }

    init(joining persona: Persona) {
        (begin, variants) = (0, 1)
        viewer = ScriptedCrowd(.watching(persona) { $0.audience.abandonment = Self.patient })
        viewer.join()
    }

    /// Lets requests of the channel fail for so long, each after the seconds given, and writes down when they were made.
    func fail(_ reason: LoadFailure, for seconds: Double, after patience: Double = 0) {
        let end = max(viewer.seconds, begin) + seconds
        // What is left may be less than a nanosecond.
        while viewer.seconds < end - 1e-6, asked.count < 1_000 {
            if let request = viewer.open.first(where: { $0.role == .playlist || $0.role == .multivariant }) {
                let milliseconds = ((viewer.seconds - begin) * 1_000).rounded()
                asked.append((Int64(milliseconds), Self.place(request.url)))
                viewer.advance(seconds: patience)
                viewer.answer(request, .failing(reason))
                continue
            }
            let next = viewer.timers.values.min().map { Double($0.nanoseconds(since: viewer.now)) / 1e9 } ?? .infinity
            viewer.advance(seconds: min(max(next, 0), end - viewer.seconds))
        }
    }

    private static func place(_ url: String) -> String {
        let pieces = url.split(separator: "/").map(String.init)
        return pieces.last == "multivariant.m3u8" ? "master" : pieces.dropLast().last ?? url
    }

    /// When requests were made, in milliseconds from the first that failed, and for which variant where there are two.
    var course: String {
        let places = asked.map { "\(variants > 1 ? "\($0.place) " : "")\($0.milliseconds - asked[0].milliseconds)" }
        return places.joined(separator: " ")
    }

    /// Milliseconds from each request to the next.
    var waits: [Int64] { zip(asked.dropFirst(), asked).map { $0.milliseconds - $1.milliseconds } }

    var isStopped: Bool { viewer.counted(.playersStopped) > 0 }
}

/// What people do whose player shows nothing.
@Suite struct AbandonmentTests {
    private static let people = AbandonmentPlan(
        afterStall: .seconds(20),
        afterStop: .seconds(5),
        reopenShare: 1,
        reopenAfter: .seconds(10)
    )

    /// A viewer whose channel cannot be loaded, in front of people who notice.
    private static func script(_ known: String, _ people: AbandonmentPlan = people) -> OutageScript {
        OutageScript(.known(known), abandonment: people)
    }

    /// hls.js gives up at 19 s and shows what is buffered until 24 s; a picture that stands still is borne for longer.
    @Test(arguments: [("hlsjs", 12.9, 1), ("strict", 27.9, 0)])
    func anApplicationIsClosedWhenItHasShownNothingForAWhile(known: String, seconds: Double, stops: Int) throws {
        let script = Self.script(known)
        let viewer = script.viewer
        script.fail(.noAnswer, for: seconds)
        #expect(viewer.counts(.playersStopped, .abandoned) == [stops, 0] && !viewer.isGone)
        script.fail(.noAnswer, for: 0.2)
        #expect(viewer.counts(.playersStopped, .abandoned, .playersClosed, .left) == [stops, 1, stops, 1])
        #expect(viewer.isGone)
        let reopensAt = ScriptedCrowd.seconds(try #require(viewer.reopensAt)) - viewer.seconds
        #expect(4.8...15 ~= reopensAt)
    }

    @Test func whoNeverSeesAnythingLeavesToo() throws {
        let viewer = ScriptedCrowd(.watching { $0.audience.abandonment = Self.people })
        viewer.join()
        viewer.watch(seconds: 20.5, step: 0.5) { .init(status: $0.role == .multivariant ? 503 : 403) }
        #expect(viewer.isGone && viewer.counted(.abandoned) == 1)
    }

    @Test func aChannelThatStandsStillIsLeftToo() throws {
        let script = Self.script("eager")
        script.channel.outage = 14..<1_000
        script.viewer.watch(script.channel, seconds: 60)
        #expect(script.viewer.isGone)
    }

    @Test func nobodyLeavesWhoSeesThePictureAgainInTime() throws {
        let script = Self.script("strict")
        script.fail(.noAnswer, for: 20)
        script.viewer.watch(script.channel, seconds: 120)
        #expect(script.viewer.counts(.abandoned, .stalls) == [0, 1] && script.viewer.machine.phase == .watching)
    }

    @Test func nobodyComesBackWhereThePlanSaysSo() throws {
        var people = Self.people
        people.reopenShare = 0
        let script = Self.script("hlsjs", people)
        script.fail(.noAnswer, for: 20)
        #expect(script.viewer.reopensAt == .distantFuture && script.viewer.counted(.lost) == 1)
    }

    @Test func theSamePersonHasChancesOfItsOwnInEachLife() {
        let plan = ScriptedCrowd(.watching { $0.audience.abandonment = Self.people }).plan
        let lives = (0..<4).map { ViewerMachine(number: 3, plan: plan, life: $0) }
        #expect(lives.map(\.number) == [3, 3, 3, 3] && lives.map(\.life) == [0, 1, 2, 3])
        #expect(Set(lives.map(\.personaIndex)).count == 1)
    }

    // MARK: Ads

    /// A viewer of hls.js at the instant of its first break.
    private static func atBreak(_ people: AbandonmentPlan) -> ScriptedCrowd {
        let plan = LoadPlan.forTests {
            $0.audience.personas = [PersonaShare(Persona.known("hlsjs"), share: 1)]
            $0.audience.abandonment = people
        }
        return .watching(plan, seconds: 20)
    }

    /// A pod that does not come costs the viewer its ads and nothing else.
    @Test(arguments: [LoadFailure.noAnswer, .unavailable, .clientError, .timeout])
    func anErrorAtTheBreakLosesTheAdsAndNotTheViewer(failure: LoadFailure) throws {
        let viewer = Self.atBreak(Self.people)
        viewer.watch(seconds: 0.5)
        viewer.answer(try #require(viewer.first(.podManifest)), .failing(failure))
        viewer.watch(seconds: 60)
        #expect(viewer.outcomes.contains { if case .breakFailed = $0 { true } else { false } })
        #expect(viewer.counts(.abandoned, .playersStopped, .left) == [0, 0, 0] && viewer.machine.phase != .gone)
    }

    /// Ads that are in hand are shown to their end, whatever becomes of the channel.
    @Test func nobodyLeavesWhileAdsAreShown() throws {
        let viewer = Self.atBreak(AbandonmentPlan(afterStall: .seconds(1), afterStop: .seconds(1)))
        viewer.watch(seconds: 0.1)
        viewer.answerPod()
        viewer.watch(seconds: 8, step: 1) { $0.role == .playlist ? .failing(.noAnswer) : nil }
        #expect(viewer.counted(.abandoned) == 0 && viewer.adEvents.contains(.started))
    }
}

/// Which breaks count as lost for a viewer that cannot ask for them.
@Suite struct ShutOutTests {
    private func shutOuts(_ viewer: ScriptedCrowd) -> [ViewerNote] {
        viewer.notes.filter { if case .shutOut = $0 { true } else { false } }
    }

    /// No break beyond the end of the last playlist is known to a viewer whose polls stay without an answer: segments last
    /// four seconds, and the viewer begins twelve seconds behind their end, after 50 ms.
    ///
    /// It has missed nothing as soon as a playlist lists what it did not see.
    @Test(arguments: [false, true])
    func aViewerWhosePlaylistsEndIsShutOut(comesBack: Bool) throws {
        let plan = LoadPlan.watching(Persona.known("hlsjs")) { $0.breaks.grace = .seconds(2) }
        let viewer = ScriptedCrowd.joined(plan, multivariant: AnswerBody.oneVariant)
        viewer.watch(ScriptedChannel(), seconds: 15.5)
        #expect(viewer.machine.shutOut(at: viewer.now) == nil)
        viewer.advance(seconds: 60)
        let open = try #require(viewer.machine.shutOut(at: viewer.now))
        let since = ScriptedCrowd.instant(24.05)
        #expect(open.cause == .noPlaylist && open.since == since)
        if comesBack { viewer.watch(ScriptedChannel(), seconds: 10) } else { viewer.fireNow(.leave) }
        let missed = ViewerNote.shutOut(.noPlaylist, from: since, until: ScriptedCrowd.instant(73.5))
        #expect(shutOuts(viewer) == (comesBack ? [] : [missed]))
        #expect(!comesBack || viewer.machine.shutOut(at: viewer.now) == nil)
    }
}
