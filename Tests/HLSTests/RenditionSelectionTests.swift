import Testing

@testable import HLS

@Suite struct RenditionSelectionTests {
    private func playlist(_ media: String..., variant: String) throws -> (
        MultivariantPlaylist, MultivariantPlaylist.Variant
    ) {
        let lines =
            ["#EXTM3U"] + media.map { "#EXT-X-MEDIA:" + $0 } + ["#EXT-X-STREAM-INF:BANDWIDTH=1,\(variant)", "v.m3u8"]
        let playlist = try Samples.multivariantPlaylist(lines.joined(separator: "\n"))
        return (playlist, try #require(playlist.variants.first))
    }

    @Test func theDefaultOfTheVariantsGroupIsSelected() throws {
        let (playlist, variant) = try playlist(
            "TYPE=AUDIO,GROUP-ID=\"x\",NAME=\"other\",DEFAULT=YES,URI=\"x.m3u8\"",
            "TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"en\",LANGUAGE=\"en\",AUTOSELECT=YES,URI=\"en.m3u8\"",
            "TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"de\",LANGUAGE=\"de\",DEFAULT=YES,URI=\"de.m3u8\"",
            "TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"fr\",LANGUAGE=\"fr\",URI=\"fr.m3u8\"",
            "TYPE=SUBTITLES,GROUP-ID=\"s\",NAME=\"en\",AUTOSELECT=NO,URI=\"s.m3u8\"",
            variant: "AUDIO=\"a\",SUBTITLES=\"s\""
        )
        #expect(playlist.renditions(.audio, of: variant).map(\.name) == ["en", "de", "fr"])
        #expect(playlist.selectedRendition(.audio, of: variant)?.name == "de")
        #expect(playlist.selectedRendition(.audio, of: variant, language: "en")?.name == "en")
        #expect(playlist.selectedRendition(.audio, of: variant, language: "fr")?.name == "de")
        #expect(playlist.selectedRendition(.subtitles, of: variant) == nil)
        #expect(playlist.separateRenditions(of: variant).map(\.uri) == ["de.m3u8"])
        #expect(playlist.renditions(.video, of: variant).isEmpty)
    }

    @Test func somethingIsAlwaysHeard() throws {
        let (playlist, variant) = try playlist(
            "TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"1\",URI=\"1.m3u8\"",
            "TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"2\",URI=\"2.m3u8\"",
            variant: "AUDIO=\"a\""
        )
        #expect(playlist.selectedRendition(.audio, of: variant)?.name == "1")
    }

    @Test func mediaInsideOfTheVariantNeedsNoPlaylistOfItsOwn() throws {
        let (playlist, variant) = try playlist(
            "TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"in\",DEFAULT=YES",
            "TYPE=VIDEO,GROUP-ID=\"v\",NAME=\"main\",DEFAULT=YES,URI=\"v.m3u8\"",
            "TYPE=SUBTITLES,GROUP-ID=\"s\",NAME=\"en\",DEFAULT=YES,URI=\"s.m3u8\"",
            "TYPE=CLOSED-CAPTIONS,GROUP-ID=\"c\",NAME=\"cc\",INSTREAM-ID=\"CC1\"",
            variant: "AUDIO=\"a\",VIDEO=\"v\",SUBTITLES=\"s\",CLOSED-CAPTIONS=\"c\""
        )
        #expect(playlist.separateRenditions(of: variant).map(\.uri) == ["s.m3u8"])
        #expect(playlist.renditions(.closedCaptions, of: variant).map(\.name) == ["cc"])
    }
}
