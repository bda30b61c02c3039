import HLS
import Testing

@testable import Tools

@Suite struct StreamFactsTests {
    @Test func aPlainStreamHasNoBreakAndNoOtherHost() throws {
        let facts = try Streams.facts(Streams.media(), Streams.media(sequence: 101))
        #expect((facts.media.targetDuration, facts.media.segments) == (.seconds(4), 6))
        #expect((facts.media.window, facts.media.versions, facts.media.reads) == (.seconds(24), 2, 2))
        #expect(facts.media.hasProgramDates)
        #expect(facts.media.partTarget == nil)
        #expect(facts.breaks.isEmpty && facts.hosts.isEmpty)
    }

    @Test func lowLatencyAndKeysAreSeen() throws {
        let facts = try Streams.facts(
            Streams.media(
                """
                #EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=1.5,CAN-SKIP-UNTIL=24
                #EXT-X-PART-INF:PART-TARGET=0.5
                #EXT-X-KEY:METHOD=AES-128,URI="https://keys.example.com/1"
                """
            )
        )
        #expect(facts.media.partTarget == .milliseconds(500))
        #expect(facts.media.canBlockReload && facts.media.hasDeltaUpdates)
        #expect(facts.media.encryption == "AES-128")
        #expect(facts.hosts == [SeenHost(name: "keys.example.com", places: ["keys"], isAllowed: false)])
    }

    @Test func interstitialsAreCountedOnceWithTheirHost() throws {
        let facts = try Streams.facts(Streams.interstitials, Streams.interstitials)
        #expect((facts.breaks.interstitials.count, facts.breaks.interstitials.cadence) == (2, .seconds(30)))
        #expect((facts.breaks.interstitials.usualLength, facts.breaks.content.lists) == (.seconds(10), 1))
        #expect(!facts.breaks.content.isAllowed && facts.breaks.dateRanges.isEmpty)
        #expect(facts.hosts.map(\.name) == ["ads.example.net"])
        let allowed = try Streams.facts(Streams.interstitials, allowing: ["ads.example.net"])
        #expect(allowed.breaks.content.isAllowed)
        #expect(allowed.hosts.map(\.isAllowed) == [true])
    }

    @Test func aPreRollHasNoPlaceInTheCadence() throws {
        let preRoll =
            "#EXT-X-DATERANGE:ID=\"p\",CLASS=\"com.apple.hls.interstitial\",CUE=\"PRE,ONCE\","
            + "START-DATE=\"1970-01-01T00:00:00.000Z\",DURATION=4,X-ASSET-URI=\"pre.m3u8\"\n#EXT-X-DATERANGE:ID=\"a\""
        let playlist = Streams.interstitials.replacing("#EXT-X-DATERANGE:ID=\"a\"", with: preRoll)
        let facts = try Streams.facts(playlist)
        #expect((facts.breaks.interstitials.count, facts.breaks.interstitials.cadence) == (3, .seconds(30)))
        #expect(facts.breaks.content.hasPreRoll)
        #expect(facts.breaks.content.assets == 1)
    }

    @Test func theClassWithASpliceIsThatOfBreaks() throws {
        let facts = try Streams.facts(Streams.dateRanges)
        #expect(Set(facts.breaks.dateRanges.keys) == ["com.example.break"], "an hour is a programme's")
        let likely = try #require(facts.breaks.likelyClass { _ in true })
        #expect((likely.name, likely.announced.cadence) == ("com.example.break", .seconds(300)))
        #expect(likely.announced.usualLength == .seconds(30))
        #expect(facts.breaks.cueTags.count == 0)
    }

    @Test func cueTagsAreSeen() throws {
        let playlist = Streams.media().replacing("s102.ts", with: "s102.ts\n#EXT-X-CUE-OUT:DURATION=8")
        let facts = try Streams.facts(playlist)
        #expect((facts.breaks.cueTags.count, facts.breaks.cueTags.usualLength) == (1, .seconds(8)))
    }

    @Test func hostsAreNamedAsAProfileNamesThem() throws {
        let facts = try Streams.facts(
            Streams.media(segment: "https://CDN.example.com:8443/s"),
            Streams.media(segment: "http://cdn.example.com/s"),
            Streams.media(segment: "https://live.example.com:444/s")
        )
        #expect(facts.hosts.map(\.name) == ["cdn.example.com:8443", "cdn.example.com"])
    }

    @Test func ofThisMachineOnlyTheSamePortIsTheStreamsOwn() throws {
        let facts = try Streams.facts(
            [
                Array(Streams.media(segment: "http://localhost:9000/s").utf8),
                Array(Streams.media(segment: "http://127.0.0.1:9001/s").utf8),
            ],
            address: "http://127.0.0.1:9000/a.m3u8"
        )
        #expect(facts.hosts == [SeenHost(name: "127.0.0.1:9001", places: ["segments"], isAllowed: true)])
    }

    @Test func aRecordingAndAnEmptyPlaylistAreRefused() throws {
        for (text, word) in [
            (Streams.media() + "#EXT-X-ENDLIST\n", "recording"),
            (Streams.media("#EXT-X-PLAYLIST-TYPE:VOD"), "recording"),
            ("#EXTM3U\n#EXT-X-TARGETDURATION:4\n", "no segment"),
        ] {
            guard case .media(let playlist) = try Playlist(parsing: text) else { continue }
            let failure = #expect(throws: StreamFailure.self) { try SurveyRun.refuseUnlessLive(playlist) }
            #expect(failure?.message.contains(word) ?? false)
        }
    }
}
