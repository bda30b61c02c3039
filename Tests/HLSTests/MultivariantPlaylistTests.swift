import Testing

@testable import HLS

@Suite struct MultivariantPlaylistTests {
    @Test func readsVariantsAndRenditions() throws {
        let playlist = try Samples.multivariantPlaylist(Samples.multivariant)
        #expect(playlist.head.version == 6)
        #expect(playlist.head.isIndependentSegments)
        #expect(
            playlist.variants == [
                MultivariantPlaylist.Variant(
                    uri: "v5/prog_index.m3u8",
                    bandwidth: 2_227_464,
                    averageBandwidth: 2_218_327,
                    codecs: "avc1.640020,mp4a.40.2",
                    width: 960,
                    height: 540,
                    frameRate: 59.94,
                    audioGroup: "aac",
                    otherAttributes: ["CLOSED-CAPTIONS": .quoted("cc"), "VIDEO-RANGE": .enumerated("SDR")]
                ),
                MultivariantPlaylist.Variant(uri: "v9/prog_index.m3u8", bandwidth: 8_178_040),
            ]
        )
        #expect(playlist.iFrameVariants.map(\.uri) == ["v5/iframe_index.m3u8"])
        #expect(
            playlist.renditions == [
                MultivariantPlaylist.Rendition(
                    type: .audio,
                    groupID: "aac",
                    name: "English",
                    uri: "a/en.m3u8",
                    language: "en",
                    isDefault: true,
                    isAutoselect: true,
                    otherAttributes: ["CHANNELS": .quoted("2")]
                ),
                MultivariantPlaylist.Rendition(
                    type: .closedCaptions,
                    groupID: "cc",
                    name: "CC1",
                    otherAttributes: ["INSTREAM-ID": .quoted("CC1")]
                ),
            ]
        )
        #expect(playlist.otherTags == ["#EXT-X-SESSION-DATA:DATA-ID=\"com.example.title\",VALUE=\"Match\""])
        #expect(playlist.contentSteering == ContentSteering(serverURI: "/steering", pathwayID: "CDN-A"))
    }

    @Test func commentsMayStandBetweenAStreamAndItsURI() throws {
        let playlist = try Samples.multivariantPlaylist("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n# note\n\na.m3u8\n")
        #expect(playlist.variants.map(\.uri) == ["a.m3u8"])
    }

    @Test func definitionsAndStartAreRead() throws {
        let playlist = try Samples.multivariantPlaylist(
            """
            #EXTM3U
            #EXT-X-DEFINE:QUERYPARAM="stream_id"
            #EXT-X-STREAM-INF:BANDWIDTH=1
            a.m3u8?stream_id={$stream_id}
            #EXT-X-START:TIME-OFFSET=1.25
            """
        )
        #expect(playlist.head.definitions == [.queryParameter(name: "stream_id")])
        #expect(playlist.head.startPoint == StartPoint(offsetMicroseconds: 1_250_000))
        #expect(playlist.variants.first?.uri == "a.m3u8?stream_id={$stream_id}")
    }
}
