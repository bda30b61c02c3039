@testable import HLS

/// Playlists that the suites share, written by hand and not by the writer under test.
enum Samples {
    /// A live playlist with most tags a media playlist can have.
    static let live = """
        #EXTM3U
        #EXT-X-VERSION:9
        ## a comment
        #EXT-X-INDEPENDENT-SEGMENTS
        #EXT-X-TARGETDURATION:6
        #EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=3.012,HOLD-BACK=18,CAN-SKIP-UNTIL=36.5,CAN-SKIP-DATERANGES=YES
        #EXT-X-PART-INF:PART-TARGET=1.004
        #EXT-X-MEDIA-SEQUENCE:2680
        #EXT-X-DISCONTINUITY-SEQUENCE:4
        #EXT-X-START:TIME-OFFSET=-12.5,PRECISE=YES
        #EXT-X-MAP:URI="init.mp4",BYTERANGE="720@0"

        #EXTINF:6.000,first
        2680.m4s
        #EXT-X-DISCONTINUITY
        #EXT-X-PROGRAM-DATE-TIME:2026-11-21T20:00:00.250Z
        #EXT-X-KEY:METHOD=AES-128,URI="key?a=1,2"
        #EXT-X-BYTERANGE:1000@200
        #EXTINF:5.005333,
        2681.m4s
        #EXT-X-CUE-OUT:30
        #EXT-X-GAP
        #EXTINF:4,
        2682.m4s
        #EXT-X-DATERANGE:ID="break-1",CLASS="com.podswarm.break",START-DATE="2026-11-21T20:00:10Z",PLANNED-DURATION=30,SCTE35-OUT=0xFC302F,X-AD-URL="https://ads/?a=b,c",X-COUNT=-3.5
        #EXT-X-PART:DURATION=1.001,URI="2683.1.m4s",INDEPENDENT=YES
        #EXT-X-PART:DURATION=1.001,URI="2683.2.m4s",BYTERANGE="10@20",GAP=YES
        #EXT-X-PRELOAD-HINT:TYPE=PART,URI="2683.3.m4s",BYTERANGE-START=5,BYTERANGE-LENGTH=7
        #EXT-X-RENDITION-REPORT:URI="../low/media.m3u8",LAST-MSN=2683,LAST-PART=1

        """

    static let multivariant = """
        #EXTM3U
        #EXT-X-VERSION:6
        #EXT-X-INDEPENDENT-SEGMENTS
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="aac",NAME="English",LANGUAGE="en",DEFAULT=YES,AUTOSELECT=YES,CHANNELS="2",URI="a/en.m3u8"
        #EXT-X-MEDIA:TYPE=CLOSED-CAPTIONS,GROUP-ID="cc",NAME="CC1",INSTREAM-ID="CC1"
        #EXT-X-SESSION-DATA:DATA-ID="com.example.title",VALUE="Match"
        #EXT-X-CONTENT-STEERING:SERVER-URI="/steering",PATHWAY-ID="CDN-A"
        #EXT-X-STREAM-INF:BANDWIDTH=2227464,AVERAGE-BANDWIDTH=2218327,CODECS="avc1.640020,mp4a.40.2",RESOLUTION=960x540,FRAME-RATE=59.940,AUDIO="aac",CLOSED-CAPTIONS="cc",VIDEO-RANGE=SDR
        v5/prog_index.m3u8
        #EXT-X-STREAM-INF:BANDWIDTH=8178040
        v9/prog_index.m3u8
        #EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=287207,CODECS="avc1.640020",RESOLUTION=960x540,URI="v5/iframe_index.m3u8"

        """

    /// A small valid playlist with these lines in place of segments.
    static func media(_ lines: String...) -> String {
        "#EXTM3U\n#EXT-X-TARGETDURATION:6\n" + lines.joined(separator: "\n") + "\n"
    }

    static func mediaPlaylist(_ text: String) throws -> MediaPlaylist {
        guard case .media(let playlist) = try Playlist(parsing: text) else {
            throw WrongKind()
        }
        return playlist
    }

    static func multivariantPlaylist(_ text: String) throws -> MultivariantPlaylist {
        guard case .multivariant(let playlist) = try Playlist(parsing: text) else {
            throw WrongKind()
        }
        return playlist
    }

    struct WrongKind: Error {}
}
