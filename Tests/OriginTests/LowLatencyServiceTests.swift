import HLS
import HTTPTypes
import NIOCore
import Testing

@testable import Origin

/// Low latency, renditions, variables and steering as the service answers them, on a clock of the test's own.
@Suite struct LowLatencyServiceTests {
    private static let plan = "lowLatency: {partDuration: 500ms, deltaUpdates: v2}"

    private static func newest(_ probe: ServiceProbe) throws -> UInt64 {
        try #require(probe.service.channel.timeline.newestSegment(at: probe.now))
    }

    @Test func answerWaitsUntilThePlaylistHasWhatIsNamed() throws {
        let probe = try ServiceProbe(channel: Self.plan)
        let newest = try Self.newest(probe)
        let begun = probe.service.channel.timeline.programDate(of: newest + 1)
        let cases: [(String, Duration?)] = [
            ("", nil), ("?_HLS_msn=\(newest)", nil), ("?_HLS_msn=\(newest + 1)", .seconds(2)),
            ("?_HLS_msn=\(newest + 1)&_HLS_part=0", .milliseconds(500)),
            ("?_HLS_msn=\(newest + 1)&_HLS_part=3", .seconds(2)), ("?_HLS_msn=\(newest + 2)", .seconds(4)),
            ("?_HLS_msn=\(newest + 2)&_HLS_part=0", .milliseconds(2_500)),
        ]
        for (query, wait) in cases {
            let exchange = probe.exchange("/live/main/360p/media.m3u8" + query)
            #expect(probe.service.release(of: exchange) == wait.map { begun + $0 }, "\(query)")
            #expect(exchange.kind == (query.isEmpty ? .playlist : .blockingPlaylist))
        }
    }

    @Test func releasedAnswerHasWhatWasAskedForAndMayBeKeptLonger() throws {
        let probe = try ServiceProbe(channel: Self.plan)
        let newest = try Self.newest(probe)
        var exchange = probe.exchange("/live/main/360p/media.m3u8?_HLS_msn=\(newest + 1)&_HLS_part=1")
        let release = try #require(probe.service.release(of: exchange))
        exchange.now = release
        exchange.heldFor = .seconds(1)
        let answer = probe.service.answer(exchange, body: ByteBuffer(), isJSON: false)
        #expect(answer.status == .ok)
        #expect(answer.fields[.cacheControl] == "max-age=12")
        let playlist = try probe.media(answer)
        let last = try #require(playlist.parts.last)
        #expect(playlist.string(in: last.uri) == "\(newest + 1).1.m4s")
        let plain = probe.get("/live/main/360p/media.m3u8")
        #expect(plain.fields[.cacheControl] == "max-age=1")
        // One that is there already is given at once, and counted so.
        _ = probe.get("/live/main/360p/media.m3u8?_HLS_msn=\(newest)")
        #expect(probe.service.truth(at: probe.now).delivery.immediate == 1)
    }

    @Test func aPlannedFaultHoldsNothing() throws {
        let probe = try ServiceProbe(faults: "- {fault: blocking_reload_ignored}", channel: Self.plan)
        let newest = try Self.newest(probe)
        for query in ["_HLS_msn=\(newest + 1)&_HLS_part=1", "_HLS_msn=\(newest + 1)&_HLS_skip=v2"] {
            let exchange = probe.exchange("/live/main/360p/media.m3u8?" + query)
            #expect(probe.service.release(of: exchange) == nil)
            let answer = probe.service.answer(exchange, body: ByteBuffer(), isJSON: false)
            #expect(answer.status == .ok)
            #expect(String(buffer: answer.body).contains("\(newest).m4s"))
            #expect(!String(buffer: answer.body).contains("\(newest + 1).1.m4s\"\n#EXT"))
        }
        // What is no playlist's directive is refused as ever.
        #expect(probe.get("/live/main/360p/media.m3u8?_HLS_msn=no").status.code == 400)
    }

    @Test(arguments: [("_HLS_part=0", 400), ("_HLS_msn=no", 400), ("_HLS_msn=18000000000", 400)])
    func mistakenDirectivesAreRefusedAtOnce(query: String, status: Int) throws {
        let probe = try ServiceProbe(channel: Self.plan)
        let exchange = probe.exchange("/live/main/360p/media.m3u8?\(query)")
        #expect(probe.service.release(of: exchange) == nil)
        let answer = probe.service.answer(exchange, body: ByteBuffer(), isJSON: false)
        #expect(answer.status.code == status)
        #expect(answer.fields[.cacheControl] == "max-age=8")
        #expect(probe.service.truth(at: probe.now).delivery.refused == 1)
    }

    @Test func queriesOutOfOrderAreCounted() throws {
        let probe = try ServiceProbe(channel: Self.plan)
        let newest = try Self.newest(probe)
        for query in [
            "_HLS_msn=\(newest)&_HLS_part=0&_HLS_skip=v2&a=1", "a=1&_HLS_msn=\(newest)", "b=1&a=1",
            "_HLS_skip=YES&_HLS_msn=\(newest)",
        ] {
            #expect(probe.get("/live/main/360p/media.m3u8?\(query)").status == .ok)
        }
        #expect(probe.service.truth(at: probe.now).delivery.outOfOrder == 2)
    }

    @Test func frozenPlaylistIsGivenUpAfterThreeTargetDurations() throws {
        let probe = try ServiceProbe(faults: "- {fault: stale_playlist, delay: 60s}", channel: Self.plan)
        let start = try #require(probe.service.channel.timeline.newestSegment(at: probe.now - .seconds(10)))
        var exchange = probe.exchange("/live/main/360p/media.m3u8?_HLS_msn=\(start + 1)")
        let release = try #require(probe.service.release(of: exchange))
        #expect(release == probe.now + .seconds(6))
        exchange.now = release
        exchange.heldFor = .seconds(6)
        let answer = probe.service.answer(exchange, body: ByteBuffer(), isJSON: false)
        #expect(answer.status == .serviceUnavailable)
        #expect(probe.service.truth(at: probe.now).delivery.timedOut == 1)
    }

    @Test func segmentsAreTheirPartsOneAfterAnother() throws {
        let probe = try ServiceProbe(channel: Self.plan + "\nrenditions: {audio: [en, es], subtitles: [en]}")
        let newest = try Self.newest(probe)
        for rendition in ["360p", "180p", "audio-en", "audio-es"] {
            let base = "/live/main/\(rendition)"
            let segment = probe.get("\(base)/\(newest).m4s")
            #expect(segment.status == .ok)
            var joined = ByteBuffer()
            for part in 0..<4 {
                let answer = probe.get("\(base)/\(newest).\(part).m4s")
                #expect(answer.status == .ok)
                #expect(answer.fields[.cacheControl] == "max-age=12")
                joined.writeImmutableBuffer(answer.body)
            }
            #expect(joined == segment.body)
            #expect(probe.get("\(base)/init.mp4").status == .ok)
            #expect(probe.get("\(base)/\(newest).4.m4s").status == .notFound, "there are four")
        }
        let en = probe.get("/live/main/audio-en/\(newest).m4s").body
        #expect(en != probe.get("/live/main/audio-es/\(newest).m4s").body)
        let text = String(buffer: probe.get("/live/main/subtitles-en/\(newest).vtt").body)
        #expect(text.hasPrefix("WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:"))
        #expect(text.contains(probe.service.channel.timeline.programDate(of: newest).iso8601))
        #expect(probe.get("/live/main/subtitles-en/\(newest).0.m4s").status == .notFound)
        #expect(probe.get("/live/main/subtitles-en/init.mp4").status == .notFound)
        let truth = probe.service.truth(at: probe.now)
        #expect(truth.requests["part"]?.received == 21)
        #expect(truth.requests["segment"]?.received == 12)
    }

    @Test func hintedPartIsWaitedForAndLaterOnesAreNot() throws {
        let probe = try ServiceProbe(channel: Self.plan)
        probe.now = probe.now + .milliseconds(700)
        let newest = try Self.newest(probe)
        let begun = probe.service.channel.timeline.programDate(of: newest + 1)
        var hinted = probe.exchange("/live/main/360p/\(newest + 1).1.m4s")
        #expect(probe.service.release(of: hinted) == begun + .seconds(1))
        #expect(probe.service.answer(hinted, body: ByteBuffer(), isJSON: false).status == .notFound, "not yet")
        hinted.now = begun + .seconds(1)
        #expect(probe.service.answer(hinted, body: ByteBuffer(), isJSON: false).status == .ok)
        for name in ["\(newest + 1).2.m4s", "\(newest + 2).0.m4s", "\(newest + 1).1.gone.m4s"] {
            let exchange = probe.exchange("/live/main/360p/\(name)")
            #expect(probe.service.release(of: exchange) == nil)
            #expect(probe.service.answer(exchange, body: ByteBuffer(), isJSON: false).status == .notFound)
        }
    }

    @Test func partThatNeverComesIsNotFoundOnceAnotherIsThere() throws {
        let probe = try ServiceProbe(channel: "lowLatency: {partDuration: 1s, goneHintEvery: 1}")
        let newest = try Self.newest(probe)
        let playlist = try probe.media(probe.get("/live/main/180p/media.m3u8"))
        let hint = try #require(playlist.preloadHints.first)
        let uri = playlist.string(in: hint.uri)
        #expect(uri == "\(newest + 1).0.gone.m4s")
        var exchange = probe.exchange("/live/main/180p/\(uri)")
        let release = try #require(probe.service.release(of: exchange))
        #expect(release == probe.service.channel.timeline.completion(ofSegment: newest + 1, part: 0))
        exchange.now = release
        #expect(probe.service.answer(exchange, body: ByteBuffer(), isJSON: false).status == .notFound)
        #expect(probe.service.truth(at: release).delivery.hintsGone == 1)
    }

    @Test func variablesLeadToEveryFile() throws {
        let probe = try ServiceProbe(
            channel: Self.plan + "\nrenditions: {audio: [en]}\nvariables: {base: up, token: key}"
        )
        let listing = try probe.multivariant(probe.get("/live/main/multivariant.m3u8"))
        let multivariantURL = "http://a/live/main/multivariant.m3u8"
        let scope = try VariableScope(listing.definitions, playlistURL: multivariantURL)
        #expect(listing.version == 8)
        let uris = listing.variants.map(\.uri) + listing.renditions.compactMap(\.uri)
        #expect(uris.count == 3)
        for uri in uris {
            let path = "/live/main/" + (try scope.substitute(uri))
            let answer = probe.get(path)
            #expect(answer.status == .ok)
            let playlist = try probe.media(answer)
            #expect(playlist.version == 11)
            let inner = try VariableScope(playlist.definitions, playlistURL: "http://a\(path)", imported: scope.values)
            let first = try #require(playlist.segments.first)
            let names = [playlist.uri(of: first), try playlist.string(in: #require(first.mapURI))]
            let folder = path.prefix(upTo: try #require(path.lastIndex(of: "/")))
            for name in names + [try playlist.string(in: #require(playlist.parts.first).uri)] {
                #expect(name.hasPrefix("{$up}/"))
                let file = try inner.substitute(name)
                let resolved = folder.prefix(upTo: try #require(folder.lastIndex(of: "/"))) + file.dropFirst(2)
                #expect(probe.get(String(resolved)).status == .ok, "\(resolved)")
            }
            let report = try playlist.string(in: #require(playlist.renditionReports.first).uri)
            #expect(try inner.substitute(report).contains("key=\(ChannelToken.value(seed: 1))"))
        }
        #expect(probe.get("/live/main/360p/media.m3u8").status == .forbidden)
        #expect(probe.get("/live/main/360p/media.m3u8?key={$key}&_HLS_msn=1").status == .forbidden)
        #expect(probe.service.truth(at: probe.now).delivery.withoutToken == 2)
    }

    @Test func renditionGroupsNameTheirPlaylists() throws {
        let probe = try ServiceProbe(channel: "renditions: {audio: [en, es], subtitles: [en]}")
        let listing = try probe.multivariant(probe.get("/live/main/multivariant.m3u8"))
        #expect(listing.variants.allSatisfy { $0.audioGroup == "audio" && $0.subtitlesGroup == "subtitles" })
        #expect(listing.renditions.map(\.type) == [.audio, .audio, .subtitles])
        #expect(listing.renditions.map(\.isDefault) == [true, false, false])
        let newest = try Self.newest(probe)
        for rendition in listing.renditions {
            let playlist = try probe.media(probe.get("/live/main/" + (try #require(rendition.uri))))
            #expect(playlist.endMediaSequence == newest + 1)
        }
    }
}
