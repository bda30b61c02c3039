import Rules
import Testing

@Suite struct PlaylistAnswerFindingTests {
    private static let mpegURL = "audio/mpegurl"

    private func codes(_ type: String?, _ coding: String? = "gzip", gzip: Bool = true, url: String, bytes: Int = 2_000)
        -> [String]
    {
        ResponseChecks.violations(
            contentType: type,
            contentEncoding: coding,
            acceptedGzip: gzip,
            url: url,
            bodyBytes: bytes
        ).map(\.code.code)
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

    /// The quick look never passes over what the full one finds.
    @Test(arguments: [nil, "", mpegURL, "Audio/MPEGURL ; a=b", "audio/mpegurlx", "text/html"], [true, false])
    func theQuickLookAtAHeadIsNoLaxer(type: String?, gzip: Bool) {
        for coding in [nil, "gzip", "GZIP", "gzipped", "identity", ""] {
            let isPlain = Self.reading(type) { type in
                Self.reading(coding) { coding in
                    ResponseChecks.isPlain(contentType: type, contentEncoding: coding, acceptedGzip: gzip)
                }
            }
            #expect(!isPlain || codes(type, coding, gzip: gzip, url: "http://h/a").isEmpty, "\(coding ?? "nil")")
            if type == Self.mpegURL, coding == "gzip" { #expect(isPlain) }
        }
    }

    private static func reading<Result>(_ text: String?, _ body: (UnsafeRawBufferPointer?) -> Result) -> Result {
        guard let text else { return body(nil) }
        return Array(text.utf8).withUnsafeBytes { body($0) }
    }
}
