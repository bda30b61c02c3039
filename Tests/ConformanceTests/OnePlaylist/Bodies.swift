import Conformance
import Rulebook

/// Bodies for the checks of one playlist, and what is found in them.
enum Bodies {
    /// A live playlist that keeps every rule and recommendation: five segments of 4 s, dated.
    static let live = """
        #EXTM3U
        #EXT-X-VERSION:7
        #EXT-X-TARGETDURATION:4
        #EXT-X-MEDIA-SEQUENCE:10
        #EXT-X-DISCONTINUITY-SEQUENCE:1
        #EXT-X-MAP:URI="init.mp4"
        #EXT-X-PROGRAM-DATE-TIME:2026-11-21T20:00:00.000Z
        #EXTINF:4.000,
        10.m4s
        #EXTINF:4.000,
        11.m4s
        #EXT-X-PROGRAM-DATE-TIME:2026-11-21T20:00:08.000Z
        #EXTINF:4.000,
        12.m4s
        #EXTINF:4.000,
        13.m4s
        #EXTINF:4.000,
        14.m4s
        """

    /// A low-latency playlist that keeps every rule.
    static let lowLatency = """
        #EXTM3U
        #EXT-X-VERSION:9
        #EXT-X-TARGETDURATION:4
        #EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,HOLD-BACK=12,PART-HOLD-BACK=3,CAN-SKIP-UNTIL=24
        #EXT-X-PART-INF:PART-TARGET=1
        #EXT-X-MEDIA-SEQUENCE:10
        #EXT-X-PROGRAM-DATE-TIME:2026-11-21T20:00:00.000Z
        #EXTINF:4,
        10.ts
        #EXTINF:4,
        11.ts
        #EXT-X-PART:DURATION=1,URI="12.0.ts"
        #EXT-X-PART:DURATION=0.9,URI="12.1.ts"
        #EXT-X-PART:DURATION=1,URI="12.2.ts"
        #EXT-X-PART:DURATION=1,URI="12.3.ts"
        #EXT-X-PART:DURATION=0.1,URI="12.4.ts"
        #EXTINF:4,
        12.ts
        #EXT-X-PART:DURATION=1,URI="13.0.ts"
        #EXT-X-PRELOAD-HINT:TYPE=PART,URI="13.1.ts"
        #EXT-X-RENDITION-REPORT:URI="../b.m3u8",LAST-MSN=13,LAST-PART=0
        """

    static let multivariant = """
        #EXTM3U
        #EXT-X-VERSION:7
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="low",NAME="English",CHANNELS="2",DEFAULT=YES,URI="en-low.m3u8"
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="low",NAME="Deutsch",CHANNELS="2",URI="de-low.m3u8"
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="high",NAME="English",CHANNELS="2",DEFAULT=YES,URI="en-high.m3u8"
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="high",NAME="Deutsch",CHANNELS="2",URI="de-high.m3u8"
        #EXT-X-STREAM-INF:BANDWIDTH=900000,AVERAGE-BANDWIDTH=800000,CODECS="avc1.640020,mp4a.40.2",RESOLUTION=640x360,FRAME-RATE=25.000,AUDIO="low"
        360.m3u8
        #EXT-X-STREAM-INF:BANDWIDTH=90000,AVERAGE-BANDWIDTH=80000,CODECS="mp4a.40.2",AUDIO="high"
        audio.m3u8
        """

    /// The live playlist with date ranges (or other lines) before its first segment.
    static func live(with lines: String...) -> String {
        live.replacing("#EXT-X-MAP", with: lines.joined(separator: "\n") + "\n#EXT-X-MAP")
    }

    static func violations(
        _ text: String,
        url: String = "",
        importing imported: [String: String]? = nil
    ) -> [Violation] {
        var text = text
        return text.withUTF8 { bytes in
            PlaylistChecks.violations(in: UnsafeRawBufferPointer(bytes), url: url, importing: imported)
        }
    }

    /// The codes found, in the order of their lines.
    static func codes(_ text: String, url: String = "", importing imported: [String: String]? = nil) -> [String] {
        violations(text, url: url, importing: imported).map(\.code.code)
    }

    /// The codes found in bytes that need not be text.
    static func codes(bytes: [UInt8]) -> [String] {
        bytes.withUnsafeBytes { PlaylistChecks.violations(in: $0) }.map(\.code.code)
    }
}
