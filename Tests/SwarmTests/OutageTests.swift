import AdServing
import LoadProfile
import Players
import Rulebook
import Testing
import Time

@testable import Audience
@testable import Viewer

/// What each player asks for while the channel cannot be loaded, by hand from its source.
///
/// Playlists of four seconds, requests that fail at once but where said otherwise, instants in milliseconds from the first
/// request that failed.
@Suite struct OutageTests {
    private func script(_ name: String, variants: Int = 1) throws -> OutageScript {
        OutageScript(try #require(KnownPersona.named(name)).persona, variants: variants)
    }

    /// From 0 to 38 s.
    private static let everyTwoSeconds = (0..<20).map { Int64($0) * 2_000 }

    // MARK: Nobody answers

    /// One variant, and connections that are refused.
    ///
    /// hls.js 1.7.1 base-playlist-controller.ts:409-455: after 1 s and 2 s, then fatal. Media3 1.11.0
    /// DefaultLoadErrorHandlingPolicy.java:131: after 0, 1, 2, 3 s, and no more when nothing is left to show at 8 s
    /// (Loader.java:393). VHS 3.17.4 playlist-loader.js:862: half the target duration, for ever. Nobody says what the
    /// specification's client and AVPlayer do.
    @Test(
        arguments: [
            ("hlsjs", [0, 1_000, 3_000], true), ("media3", [0, 0, 1_000, 3_000, 6_000], true),
            ("vhs", everyTwoSeconds, false), ("strict", everyTwoSeconds, false), ("avplayer", everyTwoSeconds, false),
            ("eager", everyTwoSeconds, false),
        ] as [(String, [Int64], Bool)]
    )
    func aRefusedPlaylistIsAskedForAt(name: String, instants: [Int64], stops: Bool) throws {
        let script = try script(name)
        script.fail(.noAnswer, for: 39.5)
        #expect(script.instants == instants, "\(name)")
        #expect(script.isStopped == stops)
        #expect(script.viewer.counted(.retries) == instants.count - 1)
        #expect(script.viewer.machine.phase == .watching)
    }

    /// Shaka 5.2.7: two attempts (backoff.js:175) 1 s apart, half of it more or less, and again 0.1 s after the second
    /// (hls_parser.js:5528), for ever.
    @Test func shakaAsksInPairs() throws {
        let script = try script("shaka")
        script.fail(.noAnswer, for: 40)
        let waits = zip(script.instants.dropFirst(), script.instants).map { $0 - $1 }
        #expect(script.instants.count > 50)
        for (index, wait) in waits.enumerated() {
            #expect(index.isMultiple(of: 2) ? 500...1_500 ~= wait : wait == 100, "\(index): \(wait)")
        }
        #expect(!script.isStopped)
    }

    /// player_configuration.js:509-531: while the stream is of low latency the base delay is 100 ms.
    @Test func shakaAsksTenTimesAsOftenOfAChannelWithParts() throws {
        let parts = "#EXT-X-PART-INF:PART-TARGET=1\n"
        let script = OutageScript(KnownPersona.shaka.persona, header: parts)
        script.fail(.noAnswer, for: 4)
        let waits = zip(script.instants.dropFirst(), script.instants).map { $0 - $1 }
        #expect(script.instants.count > 25, "\(script.instants)")
        for (index, wait) in waits.enumerated() {
            #expect(index.isMultiple(of: 2) ? 50...150 ~= wait : wait == 100, "\(index): \(wait)")
        }
    }

    /// Media3 whose audio still comes: the video's errors surface when nothing is left to show, though the audio was asked for
    /// between its last failure and then.
    @Test func anotherRenditionDoesNotKeepAPlayerFromEnding() {
        let channel = """
            #EXTM3U
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="main",DEFAULT=YES,URI="audio.m3u8"
            #EXT-X-STREAM-INF:BANDWIDTH=800000,AUDIO="a"
            v0/media.m3u8

            """
        let plan = LoadPlan.watching(KnownPersona.media3.persona) {
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

    // MARK: Several variants

    /// Two variants, and connections that are refused.
    ///
    /// hls.js takes any level without an error before it asks again (error-controller.ts:294-305), VHS excludes what failed
    /// and takes all again when the last one failed (playlist-controller.js:1457-1536). Media3 has no other track for a
    /// connection that was refused (DefaultLoadErrorHandlingPolicy.java:149-162).
    @Test(
        arguments: [
            ("hlsjs", ["v0 0", "v1 0", "v1 1000", "v1 3000"]),
            ("media3", ["v0 0", "v0 0", "v0 1000", "v0 3000", "v0 6000"]),
            ("vhs", ["v0 0", "v1 0", "v0 2000", "v1 7000", "v0 9000", "v1 14000", "v0 16000"]),
        ]
    )
    func ofTwoVariantsTheseAreAskedFor(name: String, asked: [String]) throws {
        let script = try script(name, variants: 2)
        script.fail(.noAnswer, for: 18)
        #expect(script.course == asked)
    }

    /// A variant whose two attempts failed is not used for 30 s (player_configuration.js:220); the other one, which was never
    /// loaded, is asked for again after about 1.1 s (streaming_engine.js:3266, player.js:7825).
    @Test func shakaLeavesAVariantForHalfAMinute() throws {
        let script = try script("shaka", variants: 2)
        script.fail(.noAnswer, for: 40)
        #expect(script.asked.prefix(3).map(\.place) == ["v0", "v0", "v1"])
        let back = try #require(script.asked.dropFirst(2).first { $0.place == "v0" })
        #expect(30_000...36_000 ~= back.milliseconds)
        let waits = zip(script.instants.dropFirst(), script.instants).map { $0 - $1 }
        #expect(waits.contains(1_100))
    }

    // MARK: Statuses and timeouts

    /// hls.js retries a level after an error status first and leaves it then; Media3 leaves a track at once after 503
    /// (DefaultLoadErrorHandlingPolicy.java:156-161), for 60 s (:46).
    @Test(
        arguments: [
            ("hlsjs", ["v0 0", "v0 1000", "v0 3000", "v1 3000", "v1 4000", "v1 6000"]),
            ("media3", ["v0 0", "v1 0", "v1 0", "v1 1000", "v1 3000", "v1 6000"]),
        ]
    )
    func afterServiceUnavailableTheseAreAskedFor(name: String, asked: [String]) throws {
        let script = try script(name, variants: 2)
        script.fail(.unavailable, for: 40)
        #expect(script.course == asked)
        #expect(script.isStopped)
    }

    @Test func hlsjsAsksAgainForWhatIsNotFoundWhereThereIsNoOtherLevel() throws {
        let script = try script("hlsjs")
        script.fail(.clientError, for: 40)
        #expect(script.instants == [0, 1_000, 3_000])
    }

    /// Nobody answers.
    ///
    /// hls.js 1.7.1 config.ts:580-595: 10 s to the first byte, two retries at once. Media3 DefaultHttpDataSource: 8 s.
    @Test(
        arguments: [("hlsjs", 10.0, [0, 10_000, 20_000]), ("media3", 8, [0, 8_000, 17_000, 27_000])]
            as [(String, Double, [Int64])]
    )
    func ofASilentTargetPlaylistsAreAskedForAt(name: String, patience: Double, instants: [Int64]) throws {
        let script = try script(name)
        script.fail(.timeout, for: 60, after: patience)
        #expect(script.instants == instants)
        #expect(script.isStopped)
    }

    // MARK: The beginning

    /// A multivariant playlist, and connections that are refused.
    ///
    /// hls.js: a manifest's loader retries no status 0 (error-helper.ts:86), and the error is fatal (playlist-loader.ts:658).
    /// Media3: what nothing can be shown without fails after three retries (Loader.java:393).
    @Test(
        arguments: [
            ("hlsjs", [0], true), ("media3", [0, 0, 1_000, 3_000], true), ("vhs", [0], true), ("strict", [], false),
        ] as [(String, [Int64], Bool)]
    )
    func aChannelThatIsNotThereIsAskedForAt(name: String, instants: [Int64], stops: Bool) throws {
        let script = OutageScript(joining: try #require(KnownPersona.named(name)).persona)
        script.fail(.noAnswer, for: 20)
        #expect(script.asked.allSatisfy { $0.place == "master" })
        #expect(stops ? script.instants == instants : script.instants.count > 10, "\(script.instants)")
        #expect(script.isStopped == stops)
    }

    // MARK: Without people who notice

    /// Somebody starts the player again at once: it asks on at its slowest pace.
    @Test func withoutAbandonmentNoPlayerStops() throws {
        let hlsjs = OutageScript(KnownPersona.hlsjs.persona, abandonment: nil)
        hlsjs.fail(.noAnswer, for: 12)
        #expect(hlsjs.instants == [0, 1_000, 3_000, 5_000, 6_000, 8_000, 10_000, 11_000])
        let media3 = OutageScript(KnownPersona.media3.persona, abandonment: nil)
        media3.fail(.noAnswer, for: 40)
        #expect(media3.instants == [0, 0, 1, 3, 6, 10, 15, 20, 25, 30, 35].map { $0 * 1_000 })
        #expect(!hlsjs.isStopped && !media3.isStopped)
    }

    // MARK: The end of an outage

    @Test(arguments: ["strict", "media3", "shaka", "vhs", "avplayer", "eager"])
    func whoStillAsksGoesOnAsBefore(name: String) throws {
        let script = try script(name)
        script.fail(.noAnswer, for: 5)
        let retries = script.viewer.counted(.retries)
        script.viewer.watch(script.channel, seconds: 24)
        let counted = script.viewer.counted(.retries)
        // The request that was under way, or due, is the last that asks again.
        #expect(counted <= retries + 1)
        #expect(script.viewer.machine.phase == .watching)
        #expect(script.viewer.counted(.playersStopped) == 0)
    }

    @Test func aPlayerThatHasStoppedAsksForNothingEvenWhenTheChannelIsBack() throws {
        let script = try script("hlsjs")
        script.fail(.noAnswer, for: 5)
        script.viewer.watch(script.channel, seconds: 60)
        #expect(script.viewer.open.allSatisfy { $0.role == .registration || $0.role == .metadata })
        #expect(script.viewer.timers[.reload] == nil)
    }
}

/// A viewer whose channel cannot be loaded for a while, on the fake clock.
///
/// Segments of four seconds; the viewer plays twelve seconds behind the edge and polls at each multiple of four seconds.
/// From 16 s on no playlist comes, so that at 24 s, eight seconds later, nothing is left to show.
final class OutageScript {
    struct Asked: Equatable {
        /// From the moment at which requests begin to fail.
        var milliseconds: Int64
        /// Of the variant: `v0`, `v1`, or `master` for the multivariant playlist.
        var place: String
    }

    /// When requests begin to fail, in seconds.
    private let begin: Double
    let viewer: ScriptedCrowd
    private(set) var asked: [Asked] = []
    var channel = ScriptedChannel()

    /// People who would notice that a player stops, and bear it for longer than any test.
    static let patient = AbandonmentPlan(afterStall: .seconds(3_600), afterStop: .seconds(3_600))

    /// A viewer that has watched up to the outage.
    init(
        _ persona: Persona,
        variants: Int = 1,
        header: String = "",
        abandonment: AbandonmentPlan? = patient
    ) {
        begin = 16
        channel.header = header
        let plan = LoadPlan.watching(persona) { $0.audience.abandonment = abandonment }
        viewer = .joined(plan, multivariant: variants == 1 ? AnswerBody.oneVariant : nil)
        viewer.watch(channel, seconds: begin - 0.5)
    }

    /// A viewer that joins during the outage.
    init(joining persona: Persona) {
        begin = 0
        viewer = ScriptedCrowd(.watching(persona) { $0.audience.abandonment = Self.patient })
        viewer.join()
    }

    /// Lets requests of the channel fail for so long, each after the seconds given, and writes down when they were made.
    func fail(_ reason: LoadFailure, for seconds: Double, after patience: Double = 0) {
        let end = max(viewer.seconds, begin) + seconds
        // What is left may be less than a nanosecond.
        while viewer.seconds < end - 1e-6, asked.count < 1_000 {
            if let request = viewer.open.first(where: { $0.role == .playlist || $0.role == .multivariant }) {
                asked.append(Asked(milliseconds: milliseconds(viewer.seconds), place: Self.place(request.url)))
                viewer.advance(seconds: patience)
                viewer.answer(request, .failing(reason))
                continue
            }
            let next = viewer.timers.values.min().map { Double($0.nanoseconds(since: viewer.now)) / 1e9 } ?? .infinity
            viewer.advance(seconds: min(max(next, 0), end - viewer.seconds))
        }
    }

    private func milliseconds(_ seconds: Double) -> Int64 { Int64(((seconds - begin) * 1_000).rounded()) }

    private static func place(_ url: String) -> String {
        let pieces = url.split(separator: "/").map(String.init)
        return pieces.last == "multivariant.m3u8" ? "master" : pieces.dropLast().last ?? url
    }

    /// When they were made, in milliseconds from the first that failed.
    var instants: [Int64] { asked.map { $0.milliseconds - asked[0].milliseconds } }

    /// What was asked for, each with when.
    var course: [String] { zip(asked, instants).map { "\($0.place) \($1)" } }

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

    /// hls.js gives up at 19 s and shows what is buffered until 24 s.
    @Test func aStoppedPlayerIsClosedWhenItHasShownNothingForAWhile() throws {
        let script = OutageScript(KnownPersona.hlsjs.persona, abandonment: Self.people)
        script.fail(.noAnswer, for: 12.9)
        #expect(script.viewer.counted(.playersStopped) == 1)
        #expect(script.viewer.counted(.abandoned) == 0)
        script.fail(.noAnswer, for: 0.2)
        #expect(script.viewer.counted(.abandoned) == 1)
        #expect(script.viewer.counted(.playersClosed) == 1)
        #expect(script.viewer.counted(.left) == 1)
        #expect(script.viewer.isGone)
        let reopensAt = ScriptedCrowd.seconds(try #require(script.viewer.reopensAt))
        #expect(29 + 5...29 + 15 ~= reopensAt)
    }

    @Test func aPictureThatStandsStillIsBorneForLonger() throws {
        let script = OutageScript(KnownPersona.strict.persona, abandonment: Self.people)
        script.fail(.noAnswer, for: 27.9)
        #expect(!script.viewer.isGone)
        script.fail(.noAnswer, for: 0.2)
        #expect(script.viewer.isGone)
        #expect(script.viewer.counted(.playersStopped) == 0)
        #expect(script.viewer.counted(.playersClosed) == 0)
    }

    @Test func whoNeverSeesAnythingLeavesToo() throws {
        let viewer = ScriptedCrowd(.watching { $0.audience.abandonment = Self.people })
        viewer.join()
        viewer.watch(seconds: 20.5, step: 0.5) { .init(status: $0.role == .multivariant ? 503 : 403) }
        #expect(viewer.isGone)
        #expect(viewer.counted(.abandoned) == 1)
    }

    @Test func aChannelThatStandsStillIsLeftToo() throws {
        let script = OutageScript(KnownPersona.eager.persona, abandonment: Self.people)
        script.channel.outage = 14..<1_000
        script.viewer.watch(script.channel, seconds: 60)
        #expect(script.viewer.isGone)
    }

    @Test func nobodyLeavesWhoSeesThePictureAgainInTime() throws {
        let script = OutageScript(KnownPersona.strict.persona, abandonment: Self.people)
        script.fail(.noAnswer, for: 20)
        script.viewer.watch(script.channel, seconds: 120)
        #expect(script.viewer.counted(.abandoned) == 0)
        #expect(script.viewer.counted(.stalls) == 1)
        #expect(script.viewer.machine.phase == .watching)
    }

    @Test func nobodyComesBackWhereThePlanSaysSo() throws {
        var people = Self.people
        people.reopenShare = 0
        let script = OutageScript(KnownPersona.hlsjs.persona, abandonment: people)
        script.fail(.noAnswer, for: 20)
        #expect(script.viewer.reopensAt == .distantFuture)
        #expect(script.viewer.counted(.lost) == 1)
    }

    @Test func theSamePersonHasChancesOfItsOwnInEachLife() {
        let plan = ScriptedCrowd(.watching { $0.audience.abandonment = Self.people }).plan
        let lives = (0..<4).map { ViewerMachine(number: 3, plan: plan, life: $0) }
        #expect(lives.map(\.number) == [3, 3, 3, 3])
        #expect(lives.map(\.life) == [0, 1, 2, 3])
        #expect(Set(lives.map(\.personaIndex)).count == 1)
    }

    // MARK: Ads

    /// A pod that does not come costs the viewer its ads and nothing else.
    @Test(arguments: [LoadFailure.noAnswer, .unavailable, .clientError, .timeout])
    func anErrorAtTheBreakLosesTheAdsAndNotTheViewer(failure: LoadFailure) throws {
        let viewer = ScriptedCrowd(
            .forTests {
                $0.audience.personas = [PersonaShare(KnownPersona.hlsjs.persona, share: 1)]
                $0.audience.abandonment = Self.people
            }
        )
        viewer.startWatching()
        viewer.watch(seconds: 20.5)
        viewer.answer(try #require(viewer.first(.podManifest)), .failing(failure))
        viewer.watch(seconds: 60)
        #expect(viewer.outcomes.contains { if case .breakFailed = $0 { true } else { false } })
        #expect(viewer.counted(.abandoned) == 0)
        #expect(viewer.counted(.playersStopped) == 0)
        #expect(viewer.machine.phase != .gone)
        #expect(viewer.counted(.left) == 0)
    }

    /// Ads that are in hand are shown to their end, whatever becomes of the channel.
    @Test func nobodyLeavesWhileAdsAreShown() throws {
        let viewer = ScriptedCrowd(
            .forTests {
                $0.audience.personas = [PersonaShare(KnownPersona.hlsjs.persona, share: 1)]
                $0.audience.abandonment = AbandonmentPlan(afterStall: .seconds(1), afterStop: .seconds(1))
            }
        )
        viewer.startWatching()
        viewer.watch(seconds: 20.1)
        viewer.answerPod()
        viewer.watch(seconds: 8, step: 1) { $0.role == .playlist ? .failing(.noAnswer) : nil }
        #expect(viewer.counted(.abandoned) == 0)
        #expect(viewer.adEvents.contains(.started))
    }
}

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
