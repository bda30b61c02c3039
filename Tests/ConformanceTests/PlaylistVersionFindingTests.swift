import Conformance
import HLS
import Measurement
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
        // Nobody counts: ffmpeg's muxer drops the tag with its segment.
        let uncounted = counting.changed { $0.discontinuitySequence = nil }
        #expect(try codes(uncounted, uncounted.later(2)) == [])
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
        #expect(watch.loaded(playlist, askedAt: .seconds(3), at: .milliseconds(3_020)).isEmpty)
        let found = watch.loaded(playlist, askedAt: .milliseconds(3_010), at: .milliseconds(3_020))
        #expect(found.map(\.code.code) == ["playlist_stale"])
        // Once for each standstill.
        #expect(watch.loaded(playlist, askedAt: .seconds(5), at: .seconds(5)).isEmpty)
        let next = try start.later(1).playlist
        #expect(watch.loaded(next, askedAt: .seconds(6), at: .seconds(6)).isEmpty)
        #expect(watch.loaded(next, askedAt: .seconds(9), at: .seconds(9)).map(\.code.code) == ["playlist_stale"])
        // What has ended may stay as it is.
        var ended = PlaylistWatch()
        let last = try start.changed { $0.end = ["#EXT-X-ENDLIST"] }.playlist
        _ = ended.loaded(last, askedAt: .zero, at: .zero)
        #expect(ended.loaded(last, askedAt: .seconds(60), at: .seconds(60)).isEmpty)
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
