import Foundation
import Testing

/// A playlist parser that was not written here, Python's m3u8, reads every playlist the origin serves.
@Suite(.fewAtOnce) struct PlaylistReaderTests {
    private struct Media: Codable {
        var url: String
        var targetDuration: Int
        var isEnded: Bool
        var durations: [Double]
        var programDates: Int
        var dateRanges: [String]
        var discontinuities: Int
    }

    private struct Multivariant: Codable {
        var bandwidths: [Int]
        var media: [Media]
    }

    /// Reads a multivariant playlist and all that it refers to; a playlist the parser refuses ends the script.
    private static let script = """
        import json, sys, m3u8
        from urllib.request import urlopen
        def load(url):
            text = urlopen(url).read().decode("utf-8")
            assert text.startswith("#EXTM3U"), text[:200]
            return m3u8.loads(text, uri=url)
        out = []
        for url in sys.argv[1:]:
            multivariant = load(url)
            assert multivariant.is_variant, url
            medias = []
            for variant in multivariant.playlists:
                media = load(variant.absolute_uri)
                assert not media.is_variant, variant.absolute_uri
                medias.append({
                    "url": variant.absolute_uri, "targetDuration": media.target_duration,
                    "isEnded": media.is_endlist, "durations": [s.duration for s in media.segments],
                    "programDates": sum(1 for s in media.segments if s.current_program_date_time is not None),
                    "dateRanges": [r.id for s in media.segments for r in s.dateranges]
                        + [r.id for r in getattr(media, "dateranges", [])],
                    "discontinuities": sum(1 for s in media.segments if s.discontinuity)})
                for segment in media.segments:
                    assert urlopen(segment.absolute_uri).status == 200, segment.absolute_uri
            out.append({"bandwidths": [v.stream_info.bandwidth for v in multivariant.playlists], "media": medias})
        print(json.dumps(out))
        """

    private func read(_ urls: [String]) async throws -> [Multivariant] {
        try JSONDecoder().decode([Multivariant].self, from: try await ExternalTool.python(Self.script, urls))
    }

    @Test func m3u8ReadsTheLivePlaylists() async throws {
        // Breaks begin so often that the window of 20 s always holds some.
        let arguments = ["--break-interval-milliseconds", "6000", "--break-milliseconds", "2000"]
        try await RunningOrigin.serving(arguments) { origin in
            let live = try #require(try await read(["\(origin.url)/live/main/multivariant.m3u8"]).first)
            #expect(live.bandwidths.count == 2)
            #expect(Set(live.bandwidths).count == 2)
            #expect(live.media.count == 2)
            for media in live.media {
                #expect(!media.isEnded)
                #expect(media.durations.count >= 10, "\(media.url)")
                #expect(media.durations.allSatisfy { $0.rounded() <= Double(media.targetDuration) }, "\(media.url)")
                #expect(media.programDates == media.durations.count, "\(media.url)")
                #expect(media.dateRanges.count >= 2, "\(media.url)")
                #expect(media.dateRanges.allSatisfy { $0.hasPrefix("break-") }, "\(media.url)")
            }
        }
    }

    @Test func theSegmentsOfEveryPodAddUpToWhatWasAskedFor() async throws {
        let durations = [1_000, 5_000, 10_000, 12_500, 30_000]
        try await RunningOrigin.serving(["--ad-milliseconds", "5000"]) { origin in
            let streamID = try await origin.register()
            let identifiers = ["ad_break_id/mid-roll-3", "pod/7"]
            let asked = identifiers.flatMap { identifier in durations.map { (identifier, $0) } }
            let pods = try await read(
                asked.map { origin.podURL($0.0, streamID: streamID, milliseconds: $0.1) }
            )
            try #require(pods.count == asked.count)
            for (pod, (identifier, milliseconds)) in zip(pods, asked) {
                #expect(pod.media.count == 2, "\(identifier) of \(milliseconds) ms")
                for media in pod.media {
                    #expect(media.isEnded, "\(media.url)")
                    let sum = media.durations.reduce(0, +)
                    #expect(abs(sum * 1000 - Double(milliseconds)) < 0.5, "\(media.url)")
                    #expect(media.durations.allSatisfy { $0.rounded() <= Double(media.targetDuration) })
                    // Each ad but the first is announced by a discontinuity.
                    let ads = (milliseconds + 4_999) / 5_000
                    #expect(media.discontinuities >= ads - 1, "\(media.url)")
                }
            }
        }
    }
}
