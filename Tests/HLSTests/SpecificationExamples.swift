/// The playlists that the specifications and Apple print as examples.
///
/// Of RFC 8216 section 8, bis-22 section 9 and appendix D, Apple's low-latency page and the WWDC21 session 10140. The
/// low-latency ones are shortened, some of the RFC have lines added so that they parse alone, and those of the session
/// follow what it shows.
enum SpecificationExamples {
    static let media: [(name: String, text: String)] = [
        (
            "8.1 simple media playlist",
            """
            #EXTM3U
            #EXT-X-TARGETDURATION:10
            #EXT-X-VERSION:3
            #EXTINF:9.009,
            http://media.example.com/first.ts
            #EXTINF:9.009,
            http://media.example.com/second.ts
            #EXTINF:3.003,
            http://media.example.com/third.ts
            #EXT-X-ENDLIST
            """
        ),
        (
            "8.2 live media playlist using HTTPS",
            """
            #EXTM3U
            #EXT-X-VERSION:3
            #EXT-X-TARGETDURATION:8
            #EXT-X-MEDIA-SEQUENCE:2680

            #EXTINF:7.975,
            https://priv.example.com/fileSequence2680.ts
            #EXTINF:7.941,
            https://priv.example.com/fileSequence2681.ts
            #EXTINF:7.975,
            https://priv.example.com/fileSequence2682.ts
            """
        ),
        (
            "8.3 playlist with encrypted media segments",
            """
            #EXTM3U
            #EXT-X-VERSION:3
            #EXT-X-MEDIA-SEQUENCE:7794
            #EXT-X-TARGETDURATION:15

            #EXT-X-KEY:METHOD=AES-128,URI="https://priv.example.com/key.php?r=52"

            #EXTINF:2.833,
            http://media.example.com/fileSequence52-A.ts
            #EXTINF:15.0,
            http://media.example.com/fileSequence52-B.ts
            #EXTINF:13.333,
            http://media.example.com/fileSequence52-C.ts

            #EXT-X-KEY:METHOD=AES-128,URI="https://priv.example.com/key.php?r=53"

            #EXTINF:15.0,
            http://media.example.com/fileSequence53-A.ts
            """
        ),
        (
            "8.10 date ranges carrying SCTE-35 (with segments around them)",
            """
            #EXTM3U
            #EXT-X-TARGETDURATION:10
            #EXT-X-DATERANGE:ID="splice-6FFFFFF0",START-DATE="2014-03-05T11:15:00Z",PLANNED-DURATION=59.993,SCTE35-OUT=0xFC002F0000000000FF000014056FFFFFF000E011622DCAFF000052636200000000000A0008029896F50000008700000000
            #EXTINF:10,
            segment1.ts
            #EXT-X-DATERANGE:ID="splice-6FFFFFF0",DURATION=59.993,SCTE35-IN=0xFC002A0000000000FF00000F056FFFFFF000401162802E6100000000000A0008029896F50000008700000000
            #EXTINF:10,
            segment7.ts
            """
        ),
        (
            "low-latency playlist",
            """
            #EXTM3U
            # This Playlist is a response to: GET https://example.com/2M/waitForMSN.php?_HLS_msn=273&_HLS_part=2
            #EXT-X-TARGETDURATION:4
            #EXT-X-VERSION:6
            #EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=1.0,CAN-SKIP-UNTIL=12.0
            #EXT-X-PART-INF:PART-TARGET=0.33334
            #EXT-X-MEDIA-SEQUENCE:266
            #EXT-X-PROGRAM-DATE-TIME:2019-02-14T02:13:36.106Z
            #EXT-X-MAP:URI="init.mp4"
            #EXTINF:4.00008,
            fileSequence266.mp4
            #EXTINF:4.00008,
            fileSequence267.mp4
            #EXTINF:4.00008,
            fileSequence268.mp4
            #EXTINF:4.00008,
            fileSequence269.mp4
            #EXTINF:4.00008,
            fileSequence270.mp4
            #EXT-X-PART:DURATION=0.33334,URI="filePart271.0.mp4"
            #EXT-X-PART:DURATION=0.33334,URI="filePart271.4.mp4",INDEPENDENT=YES
            #EXT-X-PART:DURATION=0.33334,URI="filePart271.11.mp4"
            #EXTINF:4.00008,
            fileSequence271.mp4
            #EXT-X-PROGRAM-DATE-TIME:2019-02-14T02:14:00.106Z
            #EXT-X-PART:DURATION=0.33334,URI="filePart272.a.mp4"
            #EXT-X-PART:DURATION=0.33334,URI="filePart272.f.mp4",INDEPENDENT=YES
            #EXTINF:4.00008,
            fileSequence272.mp4
            #EXT-X-PART:DURATION=0.33334,URI="filePart273.0.mp4",INDEPENDENT=YES
            #EXT-X-PART:DURATION=0.33334,URI="filePart273.1.mp4"
            #EXT-X-PART:DURATION=0.33334,URI="filePart273.2.mp4"
            #EXT-X-PRELOAD-HINT:TYPE=PART,URI="filePart273.3.mp4"

            #EXT-X-RENDITION-REPORT:URI="../1M/waitForMSN.php",LAST-MSN=273,LAST-PART=2
            #EXT-X-RENDITION-REPORT:URI="../4M/waitForMSN.php",LAST-MSN=273,LAST-PART=1
            """
        ),
        (
            "playlist delta update",
            """
            #EXTM3U
            # Following the example above, a response to: ?_HLS_msn=273&_HLS_part=3&_HLS_skip=YES
            #EXT-X-TARGETDURATION:4
            #EXT-X-VERSION:9
            #EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=1.0,CAN-SKIP-UNTIL=12.0
            #EXT-X-PART-INF:PART-TARGET=0.33334
            #EXT-X-MEDIA-SEQUENCE:266
            #EXT-X-SKIP:SKIPPED-SEGMENTS=3
            #EXTINF:4.00008,
            fileSequence269.mp4
            #EXTINF:4.00008,
            fileSequence270.mp4
            #EXT-X-PART:DURATION=0.33334,URI="filePart271.0.mp4"
            #EXT-X-PART:DURATION=0.33334,URI="filePart271.4.mp4",INDEPENDENT=YES
            #EXT-X-PART:DURATION=0.33334,URI="filePart271.11.mp4"
            #EXTINF:4.00008,
            fileSequence271.mp4
            #EXT-X-PROGRAM-DATE-TIME:2019-02-14T02:14:00.106Z
            #EXT-X-PART:DURATION=0.33334,URI="filePart272.a.mp4"
            #EXT-X-PART:DURATION=0.33334,URI="filePart272.f.mp4",INDEPENDENT=YES
            #EXTINF:4.00008,
            fileSequence272.mp4
            #EXT-X-PART:DURATION=0.33334,URI="filePart273.0.mp4",INDEPENDENT=YES
            #EXT-X-PART:DURATION=0.33334,URI="filePart273.1.mp4"
            #EXT-X-PART:DURATION=0.33334,URI="filePart273.2.mp4"
            #EXT-X-PART:DURATION=0.33334,URI="filePart273.3.mp4"
            #EXT-X-PRELOAD-HINT:TYPE=PART,URI="filePart273.4.mp4"

            #EXT-X-RENDITION-REPORT:URI="../1M/waitForMSN.php",LAST-MSN=273,LAST-PART=3
            #EXT-X-RENDITION-REPORT:URI="../4M/waitForMSN.php",LAST-MSN=273,LAST-PART=3
            """
        ),
        (
            "byte-range-addressed parts (with a header)",
            """
            #EXTM3U
            #EXT-X-TARGETDURATION:4
            #EXTINF:4.08,
            fs270.mp4
            #EXT-X-PART:DURATION=1.02,URI="fs271.mp4",BYTERANGE="20000@0"
            #EXT-X-PART:DURATION=1.02,URI="fs271.mp4",BYTERANGE="23000@20000"
            #EXT-X-PART:DURATION=1.02,URI="fs271.mp4",BYTERANGE="18000@43000"
            #EXT-X-PART:DURATION=1.02,URI="fs271.mp4",BYTERANGE="19000@61000"
            #EXTINF:4.08,
            fs271.mp4
            #EXT-X-PART:DURATION=1.02,URI="fs272.mp4",BYTERANGE="21000@0"
            #EXT-X-PRELOAD-HINT:TYPE=PART,URI="fs272.mp4",BYTERANGE-START=21000
            """
        ),
        (
            "D.6 interstitial",
            """
            #EXTM3U
            #EXT-X-TARGETDURATION:6
            #EXT-X-PROGRAM-DATE-TIME:2020-01-02T21:55:40.000Z
            #EXTINF:6,
            main1.0.ts
            #EXT-X-ENDLIST
            #EXT-X-DATERANGE:ID="ad1",CLASS="com.apple.hls.interstitial",START-DATE="2020-01-02T21:55:44.000Z",DURATION=15.0,X-ASSET-URI="http://example.com/ad1.m3u8",X-RESUME-OFFSET=0,X-RESTRICT="SKIP,JUMP",X-COM-EXAMPLE-BEACON=123
            """
        ),
        (
            "D.7 skip button control",
            """
            #EXTM3U
            #EXT-X-TARGETDURATION:6
            #EXT-X-PROGRAM-DATE-TIME:2020-01-02T21:55:40.000Z
            #EXTINF:6,
            main1.mp4
            #EXT-X-ENDLIST
            #EXT-X-DATERANGE:ID="ad1",CLASS="com.apple.hls.interstitial",START-DATE="2020-01-02T21:55:44.000Z",DURATION=30.0,X-ASSET-LIST="http://example.com/adv.json",X-RESUME-OFFSET=0,X-SKIP-CONTROL-OFFSET=2,X-SKIP-CONTROL-DURATION=5,X-SKIP-CONTROL-LABEL-ID="Exit-Label"
            """
        ),
        ("WWDC21: two ads at two dates", session("ad1", 5, "ad2", 10)),
        ("WWDC21: two ads at one date", session("ad1", 5, "ad2", 5)),
        ("WWDC21: early return, a 15 s ad cut to 12 s", live(",X-PLAYOUT-LIMIT=12")),
        ("WWDC21: an asset list in a live playlist of six segments", live("", "X-ASSET-LIST=\"/adpod?id=1\"")),
    ]

    /// The session's video on demand: dates in seconds after the start, the primary resumed where it was left.
    private static func session(_ first: String, _ start: Int, _ second: String, _ next: Int) -> String {
        func tag(_ id: String, _ second: Int) -> String {
            "#EXT-X-DATERANGE:ID=\"\(id)\",CLASS=\"com.apple.hls.interstitial\",START-DATE=\"2021-06-08T07:00:"
                + (second < 10 ? "0" : "")
                + "\(second).000Z\",DURATION=15.0,X-ASSET-URI=\"http://example.com/\(id).m3u8\","
                + "X-RESUME-OFFSET=0,X-RESTRICT=\"SKIP,JUMP\""
        }
        return """
            #EXTM3U
            #EXT-X-TARGETDURATION:10
            #EXT-X-PLAYLIST-TYPE:VOD
            #EXT-X-PROGRAM-DATE-TIME:2021-06-08T07:00:00.000Z
            \(tag(first, start))
            \(tag(second, next))
            #EXTINF:10,
            segment1.ts
            #EXTINF:10,
            segment2.ts
            #EXT-X-ENDLIST
            """
    }

    /// The session's live playlist: the tag comes before the segment in which it fires.
    private static func live(
        _ limit: String,
        _ content: String = "X-ASSET-URI=\"http://example.com/ad1.m3u8\""
    ) -> String {
        let segments = (1...6).map { "#EXTINF:6,\nsegment\($0).ts\n" }.joined()
        return """
            #EXTM3U
            #EXT-X-TARGETDURATION:6
            #EXT-X-MEDIA-SEQUENCE:1
            #EXT-X-PROGRAM-DATE-TIME:2021-06-08T07:00:00.000Z
            #EXT-X-DATERANGE:ID="ad1",CLASS="com.apple.hls.interstitial",START-DATE="2021-06-08T07:00:40.000Z",DURATION=15.0,\(content)\(limit)
            \(segments)
            """
    }

    static let multivariant: [(name: String, text: String)] = [
        (
            "8.4 multivariant playlist",
            """
            #EXTM3U
            #EXT-X-STREAM-INF:BANDWIDTH=1280000,AVERAGE-BANDWIDTH=1000000
            http://example.com/low.m3u8
            #EXT-X-STREAM-INF:BANDWIDTH=2560000,AVERAGE-BANDWIDTH=2000000
            http://example.com/mid.m3u8
            #EXT-X-STREAM-INF:BANDWIDTH=7680000,AVERAGE-BANDWIDTH=6000000
            http://example.com/hi.m3u8
            #EXT-X-STREAM-INF:BANDWIDTH=65000,CODECS="mp4a.40.5"
            http://example.com/audio-only.m3u8
            """
        ),
        (
            "8.5 with I-frames",
            """
            #EXTM3U
            #EXT-X-STREAM-INF:BANDWIDTH=1280000
            low/audio-video.m3u8
            #EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=86000,URI="low/iframe.m3u8"
            #EXT-X-STREAM-INF:BANDWIDTH=2560000
            mid/audio-video.m3u8
            #EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=150000,URI="mid/iframe.m3u8"
            #EXT-X-STREAM-INF:BANDWIDTH=7680000
            hi/audio-video.m3u8
            #EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=550000,URI="hi/iframe.m3u8"
            #EXT-X-STREAM-INF:BANDWIDTH=65000,CODECS="mp4a.40.5"
            audio-only.m3u8
            """
        ),
        (
            "8.6 with alternative audio",
            """
            #EXTM3U
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="aac",NAME="English",DEFAULT=YES,AUTOSELECT=YES,LANGUAGE="en",URI="main/english-audio.m3u8"
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="aac",NAME="Deutsch",DEFAULT=NO,AUTOSELECT=YES,LANGUAGE="de",URI="main/german-audio.m3u8"
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="aac",NAME="Commentary",DEFAULT=NO,AUTOSELECT=NO,LANGUAGE="en",URI="commentary/audio-only.m3u8"
            #EXT-X-STREAM-INF:BANDWIDTH=1280000,CODECS="...",AUDIO="aac"
            low/video-only.m3u8
            #EXT-X-STREAM-INF:BANDWIDTH=2560000,CODECS="...",AUDIO="aac"
            mid/video-only.m3u8
            #EXT-X-STREAM-INF:BANDWIDTH=7680000,CODECS="...",AUDIO="aac"
            hi/video-only.m3u8
            #EXT-X-STREAM-INF:BANDWIDTH=65000,CODECS="mp4a.40.5",AUDIO="aac"
            main/english-audio.m3u8
            """
        ),
        (
            "8.7 with alternative video",
            """
            #EXTM3U
            #EXT-X-MEDIA:TYPE=VIDEO,GROUP-ID="low",NAME="Main",DEFAULT=YES,URI="low/main/audio-video.m3u8"
            #EXT-X-MEDIA:TYPE=VIDEO,GROUP-ID="low",NAME="Centerfield",DEFAULT=NO,URI="low/centerfield/audio-video.m3u8"
            #EXT-X-MEDIA:TYPE=VIDEO,GROUP-ID="low",NAME="Dugout",DEFAULT=NO,URI="low/dugout/audio-video.m3u8"

            #EXT-X-STREAM-INF:BANDWIDTH=1280000,CODECS="...",VIDEO="low"
            low/main/audio-video.m3u8

            #EXT-X-MEDIA:TYPE=VIDEO,GROUP-ID="mid",NAME="Main",DEFAULT=YES,URI="mid/main/audio-video.m3u8"
            #EXT-X-MEDIA:TYPE=VIDEO,GROUP-ID="mid",NAME="Centerfield",DEFAULT=NO,URI="mid/centerfield/audio-video.m3u8"
            #EXT-X-MEDIA:TYPE=VIDEO,GROUP-ID="mid",NAME="Dugout",DEFAULT=NO,URI="mid/dugout/audio-video.m3u8"

            #EXT-X-STREAM-INF:BANDWIDTH=2560000,CODECS="...",VIDEO="mid"
            mid/main/audio-video.m3u8

            #EXT-X-MEDIA:TYPE=VIDEO,GROUP-ID="hi",NAME="Main",DEFAULT=YES,URI="hi/main/audio-video.m3u8"
            #EXT-X-MEDIA:TYPE=VIDEO,GROUP-ID="hi",NAME="Centerfield",DEFAULT=NO,URI="hi/centerfield/audio-video.m3u8"
            #EXT-X-MEDIA:TYPE=VIDEO,GROUP-ID="hi",NAME="Dugout",DEFAULT=NO,URI="hi/dugout/audio-video.m3u8"

            #EXT-X-STREAM-INF:BANDWIDTH=7680000,CODECS="...",VIDEO="hi"
            hi/main/audio-video.m3u8
            """
        ),
        (
            "8.8 session data (with a stream)",
            """
            #EXTM3U
            #EXT-X-SESSION-DATA:DATA-ID="com.example.lyrics",URI="lyrics.json"

            #EXT-X-SESSION-DATA:DATA-ID="com.example.title",LANGUAGE="en",VALUE="This is an example"
            #EXT-X-SESSION-DATA:DATA-ID="com.example.title",LANGUAGE="es",VALUE="Este es un ejemplo"
            #EXT-X-STREAM-INF:BANDWIDTH=7680000
            hi/main/audio-video.m3u8
            """
        ),
        (
            "8.9 several characteristics (with a group and a stream)",
            """
            #EXTM3U
            #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="subs",NAME="English",CHARACTERISTICS="public.accessibility.transcribes-spoken-dialog,public.easy-to-read",URI="subs.m3u8"
            #EXT-X-STREAM-INF:BANDWIDTH=7680000,SUBTITLES="subs"
            hi/main/audio-video.m3u8
            """
        ),
        (
            "content steering",
            """
            #EXTM3U
            #EXT-X-CONTENT-STEERING:SERVER-URI="/steering?video=00012",PATHWAY-ID="CDN-A"
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="A",NAME="English",DEFAULT=YES,URI="eng.m3u8",LANGUAGE="en"
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="B",NAME="ENGLISH",DEFAULT=YES,URI="https://b.example.com/content/videos/video12/eng.m3u8",LANGUAGE="en"
            #EXT-X-STREAM-INF:BANDWIDTH=1280000,AUDIO="A",PATHWAY-ID="CDN-A"
            low/video.m3u8
            #EXT-X-STREAM-INF:BANDWIDTH=7680000,AUDIO="A",PATHWAY-ID="CDN-A"
            hi/video.m3u8
            #EXT-X-STREAM-INF:BANDWIDTH=1280000,AUDIO="B",PATHWAY-ID="CDN-B"
            https://backup.example.com/content/videos/video12/low/video.m3u8
            #EXT-X-STREAM-INF:BANDWIDTH=7680000,AUDIO="B",PATHWAY-ID="CDN-B"
            https://backup.example.com/content/videos/video12/hi/video.m3u8
            """
        ),
    ]
}
