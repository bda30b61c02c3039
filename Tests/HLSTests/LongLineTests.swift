import Testing

@testable import HLS

/// Lines of a megabyte, and texts that would grow without end.
@Suite(.timeLimit(.minutes(15))) struct LongLineTests {
    struct Line: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let text: String
        var isRead = true
    }

    private static func filled(_ text: String, _ count: Int = 1_000_000) -> String {
        String(repeating: text, count: count)
    }

    static let lines = [
        Line(testDescription: "title", text: "#EXTINF:6,\(filled("x"))\na\n"),
        Line(testDescription: "digits", text: "#EXTINF:\(filled("9")),\na\n", isRead: false),
        Line(testDescription: "fraction", text: "#EXTINF:6.\(filled("9")),\na\n"),
        Line(testDescription: "tag", text: "#EXT\(filled("-X", 500_000))\n"),
        Line(testDescription: "returns", text: "\(filled("\r"))\n"),
        Line(testDescription: "attributes", text: "#EXT-X-DATERANGE:\(filled("A=1,", 250_000))\n"),
        Line(testDescription: "commas", text: "#EXT-X-MAP:URI=\"a\"\(filled(","))\n"),
        Line(testDescription: "spaces", text: "#EXT-X-MAP:URI=\"a\",B=\(filled(" "))\n"),
        Line(testDescription: "cues", text: "#EXT-X-CUE-OUT:\(filled("A=1,", 250_000))\n"),
        Line(testDescription: "section", text: "#EXT-X-SPLICEPOINT-SCTE35:\(filled("A"))\n"),
        Line(testDescription: "open references", text: "#EXTINF:6,\n\(filled("{$a", 333_333))\n"),
    ]

    private func parse(_ text: String) throws(PlaylistError) -> Playlist {
        let body = Array("#EXTM3U\n#EXT-X-TARGETDURATION:6\n\(text)".utf8)
        let result = body.withUnsafeBytes { body in
            Result { () throws(PlaylistError) in try Playlist.parse(body, url: "https://h/p.m3u8") }
        }
        return try result.get()
    }

    @Test(arguments: lines) func aLineOfAMegabyteIsReadInOnePass(_ line: Line) {
        guard case .media(let playlist)? = try? parse(line.text) else {
            #expect(!line.isRead)
            return
        }
        #expect(line.isRead)
        var breaks = StitchedBreaks()
        breaks.read(playlist)
        #expect(breaks.breaks.count <= 1)
    }

    /// The first tag says each attribute once, the second says them all otherwise.
    @Test func attributesThatContradictEachOtherAreNotedInBoundedNumber() throws {
        let tags = ["1", "2"].map { value in
            "#EXT-X-DATERANGE:ID=\"a\",START-DATE=\"2026-11-21T20:00:00Z\","
                + (0..<100_000).map { "X-\($0)=\(value)" }.joined(separator: ",")
        }
        let playlist = try Samples.playlist(tags.joined(separator: "\n"))
        let range = try #require(playlist.dateRanges.first)
        #expect((range.conflictingAttributes.count, range.attributes.count) == (64, 100_000))
    }

    /// Each value refers ten times to the one before it.
    @Test func variablesThatMultiplyEachOtherAreRefused() {
        let definitions = (1...40).map { level in
            "#EXT-X-DEFINE:NAME=\"v\(level)\",VALUE=\"\(Self.filled("{$v\(level - 1)}", 10))\"\n"
        }
        let text = "#EXT-X-DEFINE:NAME=\"v0\",VALUE=\"0123456789\"\n\(definitions.joined())#EXTINF:6,\n{$v40}\n"
        let error = #expect(throws: PlaylistError.self) { try parse(text) }
        #expect(error?.code == .variablesTooLong)
    }

    @Test func referencesThatMakeTheTextEndlessAreRefused() {
        let definition = "#EXT-X-DEFINE:NAME=\"v\",VALUE=\"\(Self.filled("x", 100_000))\"\n"
        let error = #expect(throws: PlaylistError.self) {
            try parse("\(definition)#EXTINF:6,\n\(Self.filled("{$v}", 1_000))\n")
        }
        #expect(error?.code == .variablesTooLong)
    }
}
