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
