import Conformance
import TestSupport
import Testing

@testable import HLS

/// Playlists made to be slow to check: tens of thousands of everything that is looked up by name.
///
/// The limit of minutes is no measurement: it ends what hangs.
@Suite(.timeLimit(.minutes(15))) struct LinearCheckTests {
    /// A shape and how often its line is repeated at most.
    struct Shape: CustomStringConvertible, Sendable {
        let description: String
        var head = "#EXT-X-TARGETDURATION:6\n"
        /// Of the head as well, behind it, where it grows with the number of lines.
        var growingHead: @Sendable (Int) -> String = { _ in "" }
        let line: @Sendable (Int) -> String
        var count = 16_000
    }

    private static let date = "2026-11-21T20:00:00Z"
    private static let dated = "#EXT-X-TARGETDURATION:6\n#EXT-X-PROGRAM-DATE-TIME:\(date)\n#EXTINF:6,\na\n"

    static let shapes = [
        Shape(description: "segments", line: { "#EXTINF:6,\nsegment-\($0).m4s\n" }),
        Shape(description: "unknown tags", line: { _ in "#EXT-X-X\n" }, count: 64_000),
        Shape(description: "the same tag", line: { _ in "#EXT-X-VERSION:3\n" }, count: 32_000),
        Shape(description: "stray URIs", line: { "a\($0)\n" }, count: 32_000),
        Shape(
            description: "breaks by date range",
            head: dated,
            line: { "#EXT-X-DATERANGE:ID=\"\($0)\",START-DATE=\"\(date)\",SCTE35-OUT=0xFC\n" }
        ),
        Shape(
            description: "ranges of a class",
            head: dated,
            line: { "#EXT-X-DATERANGE:ID=\"\($0)\",CLASS=\"c\",END-ON-NEXT=YES,START-DATE=\"\(date)\"\n" }
        ),
        Shape(
            description: "interstitials",
            head: dated,
            line: {
                "#EXT-X-DATERANGE:ID=\"\($0)\",CLASS=\"com.apple.hls.interstitial\",START-DATE=\"\(date)\","
                    + "X-ASSET-URI=\"a\"\n"
            }
        ),
        Shape(description: "cues", line: { "#EXT-X-CUE-OUT:6\n#EXTINF:6,\n\($0)\n#EXT-X-CUE-IN\n" }),
        Shape(description: "keys", line: { "#EXT-X-KEY:METHOD=AES-128,URI=\"\($0)\"\n#EXTINF:6,\na\n" }),
        // What all segments have in common is compared once, however long it is.
        Shape(
            description: "segments of a long key",
            growingHead: { "#EXT-X-KEY:METHOD=AES-128,URI=\"\(String(repeating: "k", count: 100 * $0))\"\n" },
            line: { _ in "#EXTINF:6,\na\n" }
        ),
        Shape(
            description: "segments of a long map",
            growingHead: { "#EXT-X-MAP:URI=\"\(String(repeating: "m", count: 100 * $0))\"\n" },
            line: { _ in "#EXTINF:6,\na\n" }
        ),
        Shape(description: "maps", line: { "#EXT-X-MAP:URI=\"\($0)\"\n#EXTINF:6,\na\n" }),
        Shape(description: "discontinuities", line: { "#EXT-X-DISCONTINUITY\n#EXTINF:6,\n\($0)\n" }),
        Shape(description: "parts", line: { "#EXT-X-PART:DURATION=6,URI=\"\($0)\"\n#EXTINF:6,\na\n" }),
        Shape(description: "parts at the edge", head: dated, line: { "#EXT-X-PART:DURATION=6,URI=\"\($0)\"\n" }),
        Shape(description: "definitions", line: { "#EXT-X-DEFINE:NAME=\"v\($0)\",VALUE=\"1\"\n" }),
        Shape(description: "variants", head: "", line: { "#EXT-X-STREAM-INF:BANDWIDTH=9,AUDIO=\"g\($0)\"\nv\n" }),
        Shape(
            description: "renditions",
            head: "",
            line: { "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"g\",NAME=\"n\($0)\",URI=\"u\"\n" }
        ),
    ]

    @Test(arguments: shapes) func timeGrowsNoFasterThanThePlaylistAndWhatIsSaidIsBounded(_ shape: Shape) throws {
        LinearTime.expect(of: shape.count) { count in
            var body = Array("#EXTM3U\n\(shape.head)\(shape.growingHead(count))".utf8)
            for index in 0..<count {
                body += shape.line(index).utf8
            }
            return body
        } work: { body in
            let violations = body.withUnsafeBytes { PlaylistChecks.violations(in: $0) }
            #expect(violations.count <= PlaylistChecks.limit)
            guard case .media(let playlist)? = try? Playlist(parsing: body) else {
                return
            }
            var later = playlist
            later.mediaSequence += 5
            #expect(VersionChecks.violations(from: playlist, to: playlist, elapsed: .seconds(6)).isEmpty)
            #expect(VersionChecks.violations(from: playlist, to: later, elapsed: .seconds(6)).count < 64)
            #expect(RenditionChecks.violations(of: playlist, as: .variant, beside: playlist).isEmpty)
            #expect(RenditionChecks.violations(of: later, as: .audio, beside: playlist).count < 64)
        }
    }
}
