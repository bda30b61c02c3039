import Conformance
import Rulebook
import Testing

extension OnePlaylistFindingTests {
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
    func contentTypeWrong(_ type: String) {
        #expect(codes(type, url: "http://h/a.m3u8") == ["content_type_wrong"])
        for legal in ["application/vnd.apple.mpegurl", "Audio/MPEGURL", "application/vnd.apple.mpegurl; charset=utf-8"]
        {
            #expect(codes(legal, url: "http://h/a") == [])
        }
        // The end of the path identifies a playlist as well, so that no type, an old name, and one that says nothing
        // will do there.
        for weak in [nil, "application/x-mpegURL", "", "text/plain; charset=utf-8", "Application/Octet-Stream"] {
            #expect(codes(weak, url: "http://h/a.m3u8?x=1") == [])
            #expect(codes(weak, url: "http://h/a.M3U") == [])
            #expect(codes(weak, url: "http://h/playlist?name=a.m3u8") == ["content_type_wrong"])
        }
    }

    @Test func compressionMissing() {
        let type = "audio/mpegurl"
        #expect(codes(type, nil, url: "http://h/a.m3u8") == ["compression_missing"])
        #expect(codes(type, "identity", url: "http://h/a.m3u8") == ["compression_missing"])
        #expect(codes(type, "GZIP", url: "http://h/a.m3u8") == [])
        #expect(codes(type, "br", url: "http://h/a.m3u8") == [])
        #expect(codes(type, nil, gzip: false, url: "http://h/a.m3u8") == [])
        #expect(codes(type, nil, url: "http://h/a.m3u8", bytes: 100) == [])
    }

    /// The quick look never passes over what the full one finds.
    @Test func theQuickLookAtAHeadIsNoLaxer() {
        let types = [nil, "", "audio/mpegurl", "Audio/MPEGURL ; a=b", "audio/mpegurlx", "text/html"]
        for type in types {
            for coding in [nil, "gzip", "GZIP", "gzipped", "identity", ""] {
                for gzip in [true, false] {
                    let typeBytes = type.map { Array($0.utf8) }
                    let codingBytes = coding.map { Array($0.utf8) }
                    let isPlain = Self.reading(typeBytes) { type in
                        Self.reading(codingBytes) { coding in
                            ResponseChecks.isPlain(contentType: type, contentEncoding: coding, acceptedGzip: gzip)
                        }
                    }
                    let found = codes(type, coding, gzip: gzip, url: "http://h/a")
                    #expect(!isPlain || found.isEmpty, "\(type ?? "nil") \(coding ?? "nil") \(gzip)")
                    if type == "audio/mpegurl", coding == "gzip" { #expect(isPlain) }
                }
            }
        }
    }

    private static func reading<Result>(_ bytes: [UInt8]?, _ body: (UnsafeRawBufferPointer?) -> Result) -> Result {
        guard let bytes else { return body(nil) }
        return bytes.withUnsafeBytes { body($0) }
    }
}
