import Rules
import Testing

@Suite struct PlaylistAnswerFindingTests {
    private static let mpegURL = "audio/mpegurl"

    private func codes(_ type: String?, _ coding: String? = "gzip", gzip: Bool = true, url: String, bytes: Int = 2_000)
        -> [String]
    {
        let found = ResponseChecks.violations(acceptedGzip: gzip, url: url, bodyBytes: bytes) {
            $0 == "content-type" ? type : coding
        }
        return found.map(\.code.code)
    }

    @Test(arguments: ["text/html", "video/mp2t", "application/json; charset=utf-8", "application/mpegurlx"])
    func contentTypeWrong(_ type: String) { #expect(codes(type, url: "http://h/a.m3u8") == ["content_type_wrong"]) }

    @Test(arguments: ["application/vnd.apple.mpegurl", "Audio/MPEGURL", "application/vnd.apple.mpegurl; charset=utf-8"])
    func theTypeOfAPlaylistNeedsNoExtension(_ type: String) { #expect(codes(type, url: "http://h/a") == []) }

    @Test(arguments: [nil, "application/x-mpegURL", "", "text/plain; charset=utf-8", "Application/Octet-Stream"])
    func theEndOfThePathIdentifiesAPlaylistOfAWeakType(_ type: String?) {
        #expect(codes(type, url: "http://h/a.m3u8?x=1") == [])
        #expect(codes(type, url: "http://h/a.M3U") == [])
        #expect(codes(type, url: "http://h/playlist?name=a.m3u8") == ["content_type_wrong"])
    }

    @Test(
        arguments: [
            (nil, true, 2_000, ["compression_missing"]), ("identity", true, 2_000, ["compression_missing"]),
            ("GZIP", true, 2_000, []), ("br", true, 2_000, []), (nil, false, 2_000, []), (nil, true, 100, []),
        ] as [(String?, Bool, Int, [String])]
    ) func compressionMissing(coding: String?, gzip: Bool, bytes: Int, found: [String]) {
        #expect(codes(Self.mpegURL, coding, gzip: gzip, url: "http://h/a.m3u8", bytes: bytes) == found)
    }
}
