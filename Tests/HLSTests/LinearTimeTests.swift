import TestSupport
import Testing

@testable import HLS

/// Playlists made to be slow to read: tens of thousands of tags, lines of a megabyte.
///
/// The limit of minutes is no measurement: it ends what hangs.
@Suite(.timeLimit(.minutes(15))) struct LinearTimeTests {
    /// A shape and how often its line is repeated at most.
    struct Shape: CustomTestStringConvertible, Sendable {
        let name: String
        let head: String
        let line: @Sendable (Int) -> String
        let count: Int

        var testDescription: String { name }

        func body(of count: Int) -> [UInt8] {
            var text = Array("#EXTM3U\n#EXT-X-TARGETDURATION:6\n".utf8)
            text += head.utf8
            for index in 0..<count {
                text += line(index).utf8
            }
            return text
        }
    }

    private static let date = "2026-11-21T20:00:00Z"

    static let shapes = [
        Shape(
            name: "segments",
            head: "",
            line: { "#EXTINF:6,\nsegment-\($0).m4s?session=0123456789\n" },
            count: 20_000
        ),
        Shape(name: "unknown tags", head: "", line: { _ in "#EXT-X-X\n" }, count: 100_000),
        Shape(name: "comments", head: "", line: { _ in "#\n" }, count: 100_000),
        Shape(
            name: "date ranges that mark breaks",
            head: "#EXT-X-PROGRAM-DATE-TIME:\(date)\n#EXTINF:6,\na\n",
            line: { "#EXT-X-DATERANGE:ID=\"\($0)\",START-DATE=\"\(date)\",SCTE35-OUT=0xFC\n" },
            count: 8_000
        ),
        Shape(
            name: "date ranges of one identifier",
            head: "",
            line: { "#EXT-X-DATERANGE:ID=\"a\",START-DATE=\"\(date)\",X-\($0)=\($0)\n" },
            count: 20_000
        ),
        Shape(
            name: "breaks of one segment",
            head: "",
            line: { "#EXT-X-CUE-OUT:6\n#EXTINF:6,\n\($0)\n#EXT-X-CUE-IN\n" },
            count: 8_000
        ),
        Shape(
            name: "a break that never ends",
            head: "#EXT-X-CUE-OUT:31557600000\n",
            line: { "#EXT-X-DISCONTINUITY\n#EXTINF:6,\n\($0)\n" },
            count: 20_000
        ),
        Shape(
            name: "date ranges without a start",
            head: "",
            line: { "#EXT-X-DATERANGE:ID=\"\($0)\"\n" },
            count: 20_000
        ),
        Shape(
            name: "parts",
            head: "#EXT-X-PART-INF:PART-TARGET=1\n",
            line: { "#EXT-X-PART:DURATION=1,URI=\"\($0)\"\n" },
            count: 20_000
        ),
        Shape(
            name: "keys",
            head: "",
            line: { "#EXT-X-KEY:METHOD=AES-128,URI=\"\($0)\"\n#EXTINF:6,\na\n" },
            count: 20_000
        ),
    ]

    @Test(arguments: shapes) func timeGrowsNoFasterThanThePlaylist(_ shape: Shape) throws {
        LinearTime.expect(of: shape.count, make: shape.body) { body in
            let parsed = body.withUnsafeBytes { try? Playlist.parse($0, url: "https://h/p.m3u8") }
            guard case .media(let playlist)? = parsed else {
                Issue.record("\(shape.name) is no playlist")
                return
            }
            var breaks = StitchedBreaks()
            breaks.read(playlist)
            breaks.read(playlist)
            #expect(breaks.breaks.count <= 512)
            #expect(breaks.breaks.allSatisfy { $0.segments.count <= 4_096 })
            #expect(playlist.contentDigest != 0)
            #expect(playlist.interstitials(base: "https://h/p.m3u8").isEmpty)
            #expect(playlist.isUpdate(of: playlist) == false)
        }
    }

    /// Lines of a megabyte, most of them refused.
    @Test(arguments: [
        (name: "title", line: "#EXTINF:6," + String(repeating: "x", count: 1_000_000) + "\na\n", isRead: true),
        (name: "digits", line: "#EXTINF:" + String(repeating: "9", count: 1_000_000) + ",\na\n", isRead: false),
        (name: "fraction", line: "#EXTINF:6." + String(repeating: "9", count: 1_000_000) + ",\na\n", isRead: true),
        (name: "tag", line: "#EXT" + String(repeating: "-X", count: 500_000) + "\n", isRead: true),
        (name: "returns", line: String(repeating: "\r", count: 1_000_000) + "\n", isRead: true),
        (
            name: "attributes", line: "#EXT-X-DATERANGE:" + String(repeating: "A=1,", count: 250_000) + "\n",
            isRead: true
        ),
        (name: "commas", line: "#EXT-X-MAP:URI=\"a\"" + String(repeating: ",", count: 1_000_000) + "\n", isRead: true),
        (
            name: "spaces", line: "#EXT-X-MAP:URI=\"a\",B=" + String(repeating: " ", count: 1_000_000) + "\n",
            isRead: true
        ),
        (name: "cues", line: "#EXT-X-CUE-OUT:" + String(repeating: "A=1,", count: 250_000) + "\n", isRead: true),
        (
            name: "section", line: "#EXT-X-SPLICEPOINT-SCTE35:" + String(repeating: "A", count: 1_000_000) + "\n",
            isRead: true
        ),
        (name: "open references", line: "#EXTINF:6,\n" + String(repeating: "{$a", count: 333_333) + "\n", isRead: true),
    ])
    func aLineOfAMegabyteIsReadInOnePass(_ sample: (name: String, line: String, isRead: Bool)) {
        let body = Array(("#EXTM3U\n#EXT-X-TARGETDURATION:6\n" + sample.line).utf8)
        let parsed = body.withUnsafeBytes { try? Playlist.parse($0, url: "https://h/p.m3u8") }
        guard case .media(let playlist)? = parsed else {
            #expect(!sample.isRead)
            return
        }
        #expect(sample.isRead)
        var breaks = StitchedBreaks()
        breaks.read(playlist)
        #expect(breaks.breaks.count <= 1)
    }

    /// The first tag says each attribute once, the second says them all otherwise.
    @Test func attributesThatContradictEachOtherAreNotedInBoundedNumber() throws {
        func tag(_ value: String) -> String {
            "#EXT-X-DATERANGE:ID=\"a\",START-DATE=\"\(Self.date)\","
                + (0..<100_000).map { "X-\($0)=\(value)" }.joined(separator: ",") + "\n"
        }
        let playlist = try Samples.mediaPlaylist("#EXTM3U\n#EXT-X-TARGETDURATION:6\n" + tag("1") + tag("2"))
        let range = try #require(playlist.dateRanges.first)
        #expect(range.conflictingAttributes.count == 64)
        #expect(range.attributes.count == 100_000)
    }

    /// Each value refers ten times to the one before it.
    @Test func variablesThatMultiplyEachOtherAreRefused() {
        var text = "#EXTM3U\n#EXT-X-DEFINE:NAME=\"v0\",VALUE=\"0123456789\"\n"
        for level in 1...40 {
            let value = String(repeating: "{$v\(level - 1)}", count: 10)
            text += "#EXT-X-DEFINE:NAME=\"v\(level)\",VALUE=\"\(value)\"\n"
        }
        text += "#EXT-X-TARGETDURATION:6\n#EXTINF:6,\n{$v40}\n"
        #expect(code(of: text) == .variablesTooLong)
    }

    @Test func referencesThatMakeTheTextEndlessAreRefused() {
        let value = String(repeating: "x", count: 100_000)
        let text =
            "#EXTM3U\n#EXT-X-DEFINE:NAME=\"v\",VALUE=\"\(value)\"\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\n"
            + String(repeating: "{$v}", count: 1_000) + "\n"
        #expect(code(of: text) == .variablesTooLong)
    }

    private func code(of text: String) -> PlaylistError.Code? {
        let result = Array(text.utf8).withUnsafeBytes { body in
            Result { () throws(PlaylistError) in try Playlist.parse(body, url: "https://h/p.m3u8") }
        }
        switch result {
        case .success: return nil
        case .failure(let error): return error.code
        }
    }
}
