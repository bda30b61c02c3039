import Rules
import TestSupport
import Testing

@testable import HLS

/// Playlists made to be slow to read or to check: tens of thousands of everything that is looked up by name.
///
/// The limit of minutes is no measurement: it ends what hangs.
@Suite(.timeLimit(.minutes(15))) struct LinearTimeTests {
    /// Lines that are repeated.
    struct Shape: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// A `%` stands for the number of the repetition.
        let lines: String
        let head: String
        /// The largest number of repetitions.
        let count: Int
        /// Repeated a hundred times as often inside of an attribute of the head.
        let letter: Character?

        init(
            _ name: String,
            _ lines: String,
            after head: String = target,
            letter: Character? = nil,
            count: Int = 16_000
        ) {
            testDescription = name
            self.lines = lines
            self.head = head
            self.letter = letter
            self.count = count
        }

        func body(of count: Int) -> [UInt8] {
            let long = letter.map { String(repeating: $0, count: 100 * count) } ?? ""
            var body = Array("#EXTM3U\n\(head.replacing("%", with: long))".utf8)
            let pieces = lines.split(separator: "%", omittingEmptySubsequences: false).map { Array($0.utf8) }
            for number in 0..<count { body += pieces.joined(separator: String(number).utf8) }
            return body
        }
    }

    private static let target = "#EXT-X-TARGETDURATION:6\n"
    private static let date = "2026-11-21T20:00:00Z"
    private static let dated = "\(target)#EXT-X-PROGRAM-DATE-TIME:\(date)\n#EXTINF:6,\na\n"
    private static let segment = "#EXTINF:6,\na\n"
    private static let range = "#EXT-X-DATERANGE:ID=\"%\",START-DATE=\"\(date)\""

    static let shapes = [
        Shape("segments", "#EXTINF:6,\nsegment-%.m4s?session=0123456789\n", count: 20_000),
        Shape("segments of a thousand years", "#EXTINF:31557600000,\n%\n"), Shape("empty lines", "\n", count: 100_000),
        Shape("unknown tags", "#EXT-X-X\n", count: 100_000), Shape("comments", "#\n", count: 100_000),
        Shape("the same tag", "#EXT-X-VERSION:3\n", count: 32_000), Shape("stray URIs", "a%\n", count: 32_000),
        Shape("breaks by date range", "\(range),SCTE35-OUT=0xFC\n", after: dated),
        Shape("ranges of a class", "\(range),CLASS=\"c\",END-ON-NEXT=YES\n", after: dated),
        Shape("ranges of one ID", "#EXT-X-DATERANGE:ID=\"a\",START-DATE=\"\(date)\",X-%=%\n", count: 20_000),
        Shape("ranges without a start", "#EXT-X-DATERANGE:ID=\"%\"\n", count: 20_000),
        Shape("interstitials", "\(range),CLASS=\"com.apple.hls.interstitial\",X-ASSET-URI=\"a\"\n", after: dated),
        Shape("cues", "#EXT-X-CUE-OUT:6\n#EXTINF:6,\n%\n#EXT-X-CUE-IN\n"),
        Shape(
            "a break that never ends",
            "#EXT-X-DISCONTINUITY\n#EXTINF:6,\n%\n",
            after: "\(target)#EXT-X-CUE-OUT:31557600000\n",
            count: 20_000
        ),
        Shape("keys", "#EXT-X-KEY:METHOD=AES-128,URI=\"%\"\n\(segment)", count: 20_000),
        // Facts that all segments share are compared once, however long they are.
        Shape("a long key", segment, after: "\(target)#EXT-X-KEY:METHOD=AES-128,URI=\"%\"\n", letter: "k"),
        Shape("a long map", segment, after: "\(target)#EXT-X-MAP:URI=\"%\"\n", letter: "m"),
        Shape("maps", "#EXT-X-MAP:URI=\"%\"\n\(segment)"),
        Shape("discontinuities", "#EXT-X-DISCONTINUITY\n#EXTINF:6,\n%\n"),
        Shape("parts", "#EXT-X-PART:DURATION=6,URI=\"%\"\n\(segment)"),
        Shape("parts at the edge", "#EXT-X-PART:DURATION=6,URI=\"%\"\n", after: dated, count: 20_000),
        Shape("definitions", "#EXT-X-DEFINE:NAME=\"v%\",VALUE=\"1\"\n"),
        Shape("variants", "#EXT-X-STREAM-INF:BANDWIDTH=9,AUDIO=\"g%\"\nv\n", after: ""),
        Shape("renditions", "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"g\",NAME=\"n%\",URI=\"u\"\n", after: ""),
    ]

    @Test(arguments: shapes) func timeGrowsNoFasterThanThePlaylistAndWhatIsFoundIsBounded(_ shape: Shape) throws {
        LinearTime.expect(of: shape.count, make: shape.body) { body in
            let violations = body.withUnsafeBytes { PlaylistChecks.violations(in: $0) }
            #expect(violations.count <= PlaylistChecks.limit)
            guard case .media(let playlist)? = try? Playlist(parsing: body) else { return }
            #expect(playlist.durationMicroseconds >= 0)
            var breaks = StitchedBreaks()
            breaks.read(playlist)
            breaks.read(playlist)
            #expect(breaks.breaks.count <= 512)
            #expect(breaks.breaks.allSatisfy { $0.segments.count <= 4_096 })
            // It says the map again for each segment.
            if shape.letter == nil { #expect(playlist.contentDigest != 0) }
            #expect(playlist.interstitials(base: "https://h/p.m3u8").count <= shape.count)
            #expect(!playlist.isUpdate(of: playlist))
            var later = playlist
            later.mediaSequence += 5
            #expect(VersionChecks.transition(from: playlist, to: playlist, elapsed: .seconds(6)).violations.isEmpty)
            #expect(VersionChecks.transition(from: playlist, to: later, elapsed: .seconds(6)).violations.count < 64)
            #expect(RenditionChecks.violations(of: playlist, as: .variant, beside: playlist).isEmpty)
            #expect(RenditionChecks.violations(of: later, as: .audio, beside: playlist).count < 64)
        }
    }
}
