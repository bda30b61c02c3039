import Testing

@testable import HLS

@Suite struct VariableExpansionTests {
    private func parse(
        _ text: String,
        url: String = "https://h/p.m3u8?session=s%3A1",
        importing imported: [String: String] = [:]
    ) throws -> Playlist {
        try Array(text.utf8).withUnsafeBytes { try Playlist.parse($0, url: url, importing: imported) }
    }

    private func media(_ lines: String..., importing imported: [String: String] = [:]) throws -> MediaPlaylist {
        let text = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n" + lines.joined(separator: "\n") + "\n"
        guard case .media(let playlist) = try parse(text, importing: imported) else { throw Samples.WrongKind() }
        return playlist
    }

    @Test func referencesAreReplacedInURIsStringsAndHexadecimals() throws {
        let playlist = try media(
            "#EXT-X-DEFINE:NAME=\"host\",VALUE=\"cdn.example.com\"",
            "#EXT-X-DEFINE:QUERYPARAM=\"session\"",
            "#EXT-X-DEFINE:IMPORT=\"token\"",
            "#EXT-X-DEFINE:NAME=\"base\",VALUE=\"https://{$host}/{$token}\"",
            "#EXT-X-DATERANGE:ID=\"{$session}\",START-DATE=\"2026-11-21T20:00:00Z\",SCTE35-OUT=0xFC{$token},X-A=\"{$base}\"",
            "#EXT-X-MAP:URI=\"{$base}/init.mp4\"",
            "#EXTINF:6,{$host}",
            "{$base}/a.m4s?s={$session}",
            "# {$nothing}",
            importing: ["token": "AB", "unused": "x"]
        )
        #expect(playlist.segments.map { playlist.uri(of: $0) } == ["https://cdn.example.com/AB/a.m4s?s=s:1"])
        #expect(playlist.segments[0].mapURI.map { playlist.string(in: $0) } == "https://cdn.example.com/AB/init.mp4")
        #expect(playlist.segments[0].title.map { playlist.string(in: $0) } == "{$host}")
        let range = try #require(playlist.dateRanges.first)
        #expect((range.id, range.scte35Out) == ("s:1", "0xFCAB"))
        #expect(range.attributes == ["X-A": .quoted("https://cdn.example.com/AB")])
        #expect(playlist.head.definitions.count == 4)
    }

    @Test func otherPlacesAreLeftAlone() throws {
        let playlist = try media(
            "#EXT-X-DEFINE:NAME=\"a\",VALUE=\"1\"",
            "#EXT-X-DATERANGE:ID=\"i\",START-DATE=\"2026-11-21T20:00:00Z\",X-E={$a}",
            "#EXTINF:6,",
            "{$a}{b}{$",
            "#EXTINF:6,",
            "{"
        )
        #expect(playlist.dateRanges.first?.attributes == ["X-E": .enumerated("{$a}")])
        #expect(playlist.segments.map { playlist.uri(of: $0) } == ["1{b}{$", "{"])
    }

    @Test func multivariantValuesCanBeImported() throws {
        let text = """
            #EXTM3U
            #EXT-X-DEFINE:QUERYPARAM="session"
            #EXT-X-DEFINE:NAME="path",VALUE="live"
            #EXT-X-STREAM-INF:BANDWIDTH=1
            {$path}/v.m3u8?session={$session}

            """
        guard case .multivariant(let playlist) = try parse(text) else { throw Samples.WrongKind() }
        #expect(playlist.variants.map(\.uri) == ["live/v.m3u8?session=s:1"])
        let exported = playlist.variables(url: "https://h/p.m3u8?session=s%3A1")
        #expect(exported == ["session": "s:1", "path": "live"])
        let child = try media("#EXT-X-DEFINE:IMPORT=\"path\"", "#EXTINF:6,", "{$path}", importing: exported)
        #expect(child.segments.map { child.uri(of: $0) } == ["live"])
    }

    @Test(arguments: ["", "plain", "{a}", "{", "{$", "{$a", "{}", "${a}", "{{"])
    func whatIsNoReferenceStays(_ text: String) throws {
        let definitions = ["#EXT-X-DEFINE:NAME=\"a\",VALUE=\"1\"", "#EXT-X-DEFINE:NAME=\"b\",VALUE=\"\(text)\""]
        let playlist = try media(definitions[0], definitions[1], "#EXTINF:6,", "v/{$b}")
        #expect(playlist.segments.map { playlist.uri(of: $0) } == ["v/\(text)"])
    }

    @Test(arguments: ["=%+1%zz%4": "%+1%zz%4", "": ""]) func malformedEscapesStay(_ query: String, _ value: String) {
        let playlist = MultivariantPlaylist(head: PlaylistHead(definitions: [.queryParameter(name: "a")]))
        #expect(playlist.variables(url: "https://h/?a\(query)") == ["a": value])
    }

    @Test(arguments: ["%0A%23EXT-X-ENDLIST", "%22", "%0D"])
    func aQueryCannotForgeLinesOrStrings(_ value: String) throws {
        let text = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXT-X-DEFINE:QUERYPARAM=\"q\"\n#EXTINF:6,\n{$q}\n"
        let error = try #require(throws: PlaylistError.self) { try parse(text, url: "https://h/?q=a\(value)") }
        #expect(error.code == .badTag)
    }

    @Test func aPlaylistWithoutVariablesIsTheSameAsWithoutThis() throws {
        guard case .media(let playlist) = try parse(Samples.live) else { throw Samples.WrongKind() }
        #expect(playlist.text == Array(Samples.live.utf8))
        #expect(try playlist.contentDigest == Samples.mediaPlaylist(Samples.live).contentDigest)
    }
}
