import Conformance
import HLS
import Rulebook
import Testing

/// Each code is found where its rule is broken, and not in the nearest case that keeps it.
@Suite struct PlaylistVersionFindingTests {
    let start = LiveVersion()

    @Test func mediaSequenceBackwards() throws {
        #expect(try codes(start, start.later(1) { $0.mediaSequence = 5 }) == ["media_sequence_backwards"])
        // An earlier state of the same playlist is an edge that lags, and another finding.
        #expect(try codes(start, start.later(-1)) == [])
        #expect(try codes(start, start.later(1)) == [])
    }

    @Test func mediaSequenceJump() throws {
        #expect(try codes(start, start.later(40)) == ["media_sequence_jump"])
        // Who did not poll for so long has no gap to complain of.
        #expect(try codes(start, start.later(40), elapsed: .seconds(80)) == [])
        #expect(try codes(start, start.later(40), elapsed: nil) == [])
        #expect(try codes(start, start.later(1) { $0.mediaSequence = 1_101 }) == ["media_sequence_jump"])
    }

    @Test func segmentChanged() throws {
        #expect(try codes(start, start.later(1) { $0.uris[104] = "other.m4s" }) == ["segment_changed"])
        #expect(try codes(start, start.later(1) { $0.uris[104] = "segment-104.m4s?session=2" }) == [])
        #expect(try codes(start, start.later(1) { $0.uris[108] = "other.m4s" }) == [])
        // References are compared as they resolve (bis-22 section 6.3.4).
        for spelt in ["./segment-104.m4s", "/p/segment-104.m4s", "http://h/p/segment-104.m4s", "../p/segment-104.m4s"] {
            #expect(try codes(start, start.later(1) { $0.uris[104] = spelt }) == [], "\(spelt)")
        }
        for other in ["p/segment-104.m4s", "/p/other.m4s", "http://h/p/segment-105.m4s"] {
            #expect(try codes(start, start.later(1) { $0.uris[104] = other }) == ["segment_changed"], "\(other)")
        }
        let rooted = start.changed { $0.uris[104] = "/a/104.m4s" }
        #expect(try codes(rooted, rooted.later(1) { $0.uris[104] = "/b/104.m4s" }) == ["segment_changed"])
        // The first segment went and nobody counted it.
        #expect(try codes(start, start.later(1) { $0.mediaSequence = 100 }).first == "segment_changed")
    }

    @Test func segmentDurationChanged() throws {
        #expect(try codes(start, start.later(1) { $0.durations[104] = "1.900" }) == ["segment_duration_changed"])
        #expect(try codes(start, start.later(1) { $0.durations[104] = "1.999" }) == [])
    }

    @Test func discontinuityChanged() throws {
        let marked = start.later(1) { $0.tags[104] = ["#EXT-X-DISCONTINUITY"] }
        #expect(try codes(start, marked) == ["discontinuity_changed"])
        #expect(try codes(marked, start.later(2)) == ["discontinuity_changed"])
        #expect(try codes(start, start.later(1) { $0.tags[108] = ["#EXT-X-DISCONTINUITY"] }) == [])
    }

    @Test func discontinuitySequenceWrong() throws {
        let counting = start.changed {
            $0.discontinuitySequence = 4
            $0.tags[101] = ["#EXT-X-DISCONTINUITY"]
        }
        #expect(try codes(counting, counting.later(2)) == ["discontinuity_sequence_wrong"])
        #expect(try codes(counting, counting.later(2) { $0.discontinuitySequence = 5 }) == [])
        #expect(try codes(counting, counting.later(1)) == [])
        let early = counting.later(1) { $0.discontinuitySequence = 5 }
        #expect(try codes(counting, early) == ["discontinuity_sequence_wrong"])
    }

    @Test func discontinuitySequenceMissing() throws {
        // Nobody counts: ffmpeg's muxer drops the tag with its segment.
        let uncounted = start.changed { $0.tags[101] = ["#EXT-X-DISCONTINUITY"] }
        #expect(try codes(uncounted, uncounted.later(2)) == ["discontinuity_sequence_missing"])
        // The tag is listed still, or there never was one.
        #expect(try codes(uncounted, uncounted.later(1)) == [])
        #expect(try codes(start, start.later(2)) == [])
        #expect(FindingCode.discontinuitySequenceMissing.severity == .advice)
        let versions = (0..<6).map { uncounted.later($0) }
        #expect(try codes(watching: versions) == ["discontinuity_sequence_missing"])
        // Advice hides nothing of what comes after it.
        let wrong = versions + [uncounted.later(6) { $0.targetDuration = 3 }]
        #expect(try codes(watching: wrong) == ["discontinuity_sequence_missing", "target_duration_changed"])
    }

    static let headers = [
        "#EXT-X-PART-INF:PART-TARGET=%", "#EXT-X-SERVER-CONTROL:HOLD-BACK=%", "#EXT-X-SERVER-CONTROL:PART-HOLD-BACK=%",
        "#EXT-X-SERVER-CONTROL:HOLD-BACK=9,CAN-SKIP-UNTIL=%",
    ]

    @Test(arguments: headers) func headerChanged(_ header: String) throws {
        func version(_ value: String) -> LiveVersion {
            start.changed { $0.header = [header.replacing("%", with: value)] }
        }
        #expect(try codes(version("6.5"), version("7").later(1)) == ["header_changed"])
        #expect(try codes(version("6.5"), version("6.500").later(1)) == [])
        // A channel that begins or ends to deliver so.
        #expect(try codes(start, version("7").later(1)) == [])
        #expect(try codes(version("7"), start.later(1)) == [])
        #expect(
            try codes(watching: [version("6"), version("7").later(1), version("6").later(2)]) == ["header_changed"]
        )
    }

    /// A version's lines before a segment, the same segment's lines in the next version, and whether that is a change.
    static let attributes: [(before: [String], after: [String], isChange: Bool)] = [
        ([], ["#EXT-X-GAP"], true), (["#EXT-X-GAP"], [], true), (["#EXT-X-GAP"], ["#EXT-X-GAP"], false),
        (["#EXT-X-MAP:URI=\"a\""], ["#EXT-X-MAP:URI=\"b\""], true), ([], ["#EXT-X-MAP:URI=\"b\""], true),
        (["#EXT-X-MAP:URI=\"a\""], [], true), (["#EXT-X-MAP:URI=\"a?s=1\""], ["#EXT-X-MAP:URI=\"a?s=2\""], false),
        (["#EXT-X-MAP:URI=\"a\",BYTERANGE=\"9@0\""], ["#EXT-X-MAP:URI=\"a\",BYTERANGE=\"9@9\""], true),
        (["#EXT-X-BYTERANGE:9@0"], ["#EXT-X-BYTERANGE:9@9"], true),
        (["#EXT-X-BYTERANGE:9"], ["#EXT-X-BYTERANGE:9@9"], false),
        (["#EXT-X-KEY:METHOD=AES-128,URI=\"k\""], ["#EXT-X-KEY:METHOD=AES-128,URI=\"l\""], true),
        (["#EXT-X-KEY:METHOD=AES-128,URI=\"k\""], ["#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"k\""], true),
        (["#EXT-X-KEY:METHOD=AES-128,URI=\"k\",IV=0x1"], ["#EXT-X-KEY:METHOD=AES-128,URI=\"k\",IV=0x2"], true),
        (["#EXT-X-KEY:METHOD=AES-128,URI=\"k?t=1\""], ["#EXT-X-KEY:URI=\"k?t=2\",METHOD=AES-128"], false),
        (
            ["#EXT-X-KEY:METHOD=AES-128,URI=\"k\"", "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"s\",KEYFORMAT=\"f\""],
            ["#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"s\",KEYFORMAT=\"f\"", "#EXT-X-KEY:METHOD=AES-128,URI=\"k\""],
            false
        ),
        (
            ["#EXT-X-KEY:METHOD=AES-128,URI=\"k\"", "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"s\",KEYFORMAT=\"f\""],
            ["#EXT-X-KEY:METHOD=AES-128,URI=\"k\"", "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"z\",KEYFORMAT=\"f\""],
            true
        ),
        (["#EXT-X-KEY:METHOD=NONE"], ["#EXT-X-KEY:METHOD=NONE"], false),
    ]

    @Test(arguments: attributes.indices) func segmentAttributesChanged(_ index: Int) throws {
        let (before, after, isChange) = Self.attributes[index]
        let known = start.changed { $0.tags[104] = before }
        let next = start.later(1) { $0.tags[104] = after }
        #expect(try codes(known, next) == (isChange ? ["segment_attributes_changed"] : []))
        // The tags go to the first segment that is left, and what is new has tags of its own.
        let kept = start.later(5) {
            $0.tags[105] = before.filter { $0.hasPrefix("#EXT-X-MAP") || $0.hasPrefix("#EXT-X-KEY") }
            $0.tags[109] = after
        }
        #expect(try codes(known, kept, elapsed: .seconds(10)) == [])
    }

    @Test func segmentsAfterADiscontinuityNeedNoMapOfTheOnesBeforeIt() throws {
        let known = start.changed {
            $0.tags[100] = ["#EXT-X-MAP:URI=\"a\""]
            $0.tags[103] = ["#EXT-X-DISCONTINUITY"]
            $0.discontinuitySequence = 2
        }
        #expect(try codes(known, known.later(3)) == [])
        #expect(try codes(known, known.later(1)) == ["segment_attributes_changed"])
    }

    @Test func publishedPartsKeepTheirURIs() throws {
        func version(_ parts: [String], _ trailing: [String] = []) -> LiveVersion {
            let tags = { (uris: [String]) in uris.map { "#EXT-X-PART:DURATION=1,URI=\"\($0)\"" } }
            return start.changed {
                $0.tags[107] = tags(parts)
                $0.end = tags(trailing)
            }
        }
        let known = version(["a", "b"], ["c"])
        func later(_ parts: [String], _ next: [String]) -> LiveVersion {
            version(parts).later(1) { $0.tags[108] = next.map { "#EXT-X-PART:DURATION=1,URI=\"\($0)\"" } }
        }
        #expect(try codes(known, later(["a", "b"], ["c", "d"])) == [])
        #expect(try codes(known, later(["a?x=1", "b"], ["c?x=2", "d"])) == [])
        #expect(try codes(known, later([], ["c", "d"])) == [])
        #expect(try codes(known, later(["b"], ["c", "d"])) == [])
        #expect(try codes(known, later(["a", "z"], ["c", "d"])) == ["segment_attributes_changed"])
        #expect(try codes(known, later(["a", "b"], ["z", "d"])) == ["segment_attributes_changed"])
    }

    @Test func playlistShrunk() throws {
        #expect(try codes(start, start.changed { $0.count = 6 }) == ["playlist_shrunk"])
        #expect(try codes(start, start.later(1) { $0.count = 4 }) == ["playlist_shrunk"])
        // A window may become shorter at the front.
        #expect(try codes(start, start.later(3) { $0.count = 5 }) == [])
    }

    @Test func windowExplosion() throws {
        #expect(try codes(start, start.changed { $0.count = 13 }) == ["window_explosion"])
        #expect(try codes(start, start.changed { $0.count = 12 }) == [])
        #expect(try codes(start, start.changed { $0.count = 13 }, elapsed: .seconds(10)) == [])
    }

    @Test func endlistOnLive() throws {
        #expect(try codes(start, start.later(1) { $0.end = ["#EXT-X-ENDLIST"] }) == ["endlist_on_live"])
        let event = start.changed { $0.header = ["#EXT-X-PLAYLIST-TYPE:EVENT"] }
        let ended = event.changed {
            $0.count = 9
            $0.end = ["#EXT-X-ENDLIST"]
        }
        #expect(try codes(event, ended) == [])
    }

    @Test func targetDurationChanged() throws {
        #expect(try codes(start, start.later(1) { $0.targetDuration = 3 }) == ["target_duration_changed"])
        #expect(try codes(start, start.later(1)) == [])
    }

    @Test func playlistStale() throws {
        let playlist = try start.playlist
        var watch = PlaylistWatch()
        #expect(watch.loaded(playlist, askedAt: .zero, at: .milliseconds(10)).isEmpty)
        // A server may take three seconds, and a cache may hold what it had for one more.
        #expect(watch.loaded(playlist, askedAt: .seconds(3), at: .milliseconds(3_020)).isEmpty)
        #expect(watch.loaded(playlist, askedAt: .milliseconds(4_009), at: .milliseconds(4_020)).isEmpty)
        let found = watch.loaded(playlist, askedAt: .milliseconds(4_010), at: .milliseconds(4_020))
        #expect(found.map(\.code.code) == ["playlist_stale"])
        // Once for each standstill.
        #expect(watch.loaded(playlist, askedAt: .seconds(5), at: .seconds(5)).isEmpty)
        let next = try start.later(1).playlist
        #expect(watch.loaded(next, askedAt: .seconds(6), at: .seconds(6)).isEmpty)
        #expect(watch.loaded(next, askedAt: .seconds(10), at: .seconds(10)).map(\.code.code) == ["playlist_stale"])
        // What has ended may stay as it is.
        var ended = PlaylistWatch()
        let last = try start.changed { $0.end = ["#EXT-X-ENDLIST"] }.playlist
        _ = ended.loaded(last, askedAt: .zero, at: .zero)
        #expect(ended.loaded(last, askedAt: .seconds(60), at: .seconds(60)).isEmpty)
    }

    /// Edges with copies of different age answer by turns, and none of them goes on.
    @Test func aStreamThatStandsStillOnAlternatingEdgesIsFound() throws {
        let newer = start.later(4)
        let turns = (0..<8).map { $0.isMultiple(of: 2) ? newer : start }
        let found = try codes(watching: turns)
        #expect(Set(found) == ["edge_time_travel", "playlist_stale"])
        #expect(found.count { $0 == "playlist_stale" } == 1)
        // One update apart is as it should be, but for a live edge that stands still.
        let near = (0..<8).map { $0.isMultiple(of: 2) ? start.later(1) : start }
        #expect(try codes(watching: near) == ["playlist_stale"])
        let quick = [start, start.later(1), start, start.later(1), start.later(2)]
        #expect(try codes(watching: quick, every: 1) == [])
        // The same with a live edge that moves.
        let moving = (0..<8).map { start.later($0.isMultiple(of: 2) ? $0 : $0 - 2) }
        #expect(try codes(watching: moving) == [])
        // A channel that was started anew counts from there.
        let anew = LiveVersion(first: 0).changed { $0.hasDates = false }
        let restarted = [start, start.later(1)] + (0..<6).map { anew.later($0) }
        #expect(try codes(watching: restarted) == ["media_sequence_backwards"])
    }

    @Test func playlistUnavailable() throws {
        var watch = PlaylistWatch()
        #expect(watch.failed("status 404").isEmpty)
        _ = try watch.loaded(start.playlist, askedAt: .zero, at: .zero)
        #expect(watch.failed("status 404").map(\.code.code) == ["playlist_unavailable"])
        _ = try watch.loaded(start.later(1) { $0.end = ["#EXT-X-ENDLIST"] }.playlist, askedAt: .zero, at: .zero)
        #expect(watch.failed("status 404").isEmpty)
    }

    @Test func deltaMismatch() throws {
        // What a merge gives is held against the digest that the server says; the digest tells a wrong merge.
        let whole = try start.playlist
        #expect(try start.changed { $0.durations[104] = "1.999" }.playlist.contentDigest != whole.contentDigest)
        #expect(try start.changed { $0.header = ["#EXT-X-UNKNOWN:1"] }.playlist.contentDigest == whole.contentDigest)
    }
}
