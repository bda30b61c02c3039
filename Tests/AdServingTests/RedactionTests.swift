import Testing

@testable import AdServing

/// No secret survives, in any spelling; what helps to understand a request does.
@Suite struct RedactionTests {
    private let own = StreamID("0a1b2c3d-secret:TUL")

    @Test(arguments: [
        "http://h/p.m3u8?stream_id=0a1b2c3d-secret:TUL&pd=10000",
        "http://h/p.m3u8?stream_id=0a1b2c3d-secret%3ATUL",
        "http://h/p.m3u8?stream_id=0a1b2c3d-secret%3atul%3ATUL",
        "http://h/p.m3u8?stream_id=0a1b2c3d-secret%3aTUL",
        "http://h/p.m3u8?stream_id=0a1b2c3d-secret%253ATUL",
        "http://h/p.m3u8?stream_id=%30a1b2c3d-%73ecret:TUL",
        "http://h/stream/0a1b2c3d-secret:TUL/media.m3u8",
        "http://h/stream/0a1b2c3d-secret%3ATUL",
        "http://h/x/0a1b2c3d-secret%3aTUL/y",
        "http://h/x?url=http%3A%2F%2Fh%2F%3Fstream_id%3D0a1b2c3d-secret%253ATUL",
        "http://h/x?0a1b2c3d-secret:TUL",
        "http://h/x?pd=0a1b2c3d-secret:TUL",
        "http://h/x#0a1b2c3d-secret:TUL",
    ])
    func theOwnStreamIDIsNotShown(url: String) {
        let shown = Redaction.url(url, own: own)
        #expect(!shown.contains("secret"), "\(url) became \(shown)")
        #expect(!Redaction.url(url, own: nil).contains("secret") || url.contains("/x/0a1b") || url.contains("pd="))
    }

    /// Looking through megabytes for what may be a secret takes seconds, and nobody reads them.
    @Test func addressesOfMegabytesAreShownAsWhomTheyAsk() {
        let long = String(repeating: "a", count: 7_000_000)
        #expect(Redaction.url("http://user:SECRET@h:81/p/\(long)", own: own) == "http://…@h:81/…")
        #expect(Redaction.url("/p/\(long)", own: own) == "…")
        #expect(Redaction.url("\(long)//h/SECRET", own: own) == "…")
        #expect(Redaction.url("http://h/\(String(repeating: "a", count: 10_000))", own: own).utf8.count > 10_000)
    }

    @Test(arguments: [
        "http://h/p?auth-token=SECRET", "http://h/p?cust_params=SECRET", "http://h/p?stream_id=SECRET",
        "http://h/p?hdnea=SECRET", "http://h/p?Signature=SECRET&Key-Pair-Id=SECRET", "http://h/p?a=1&token=SECRET=x",
        "http://h/p?SECRET", "http://user:SECRET@h/p", "http://SECRET@h/p", "https://h/stream/SECRET/metadata",
        "http://h/p#SECRET", "http://h/p?%61uth-token=SECRET", "http://h/p?a=SECRET?pd=1",
    ])
    func secretsOfOthersAreNotShown(url: String) {
        let shown = Redaction.url(url, own: own)
        #expect(!shown.contains("SECRET"), "\(url) became \(shown)")
    }

    @Test func whatIsHarmlessStays() {
        let url =
            "http://127.0.0.1:8080/linear/pods/v1/hls/network/1/custom_asset/a/ad_break_id/b.m3u8?stream_id=x&pd=10000"
        let shown =
            "http://127.0.0.1:8080/linear/pods/v1/hls/network/1/custom_asset/a/ad_break_id/b.m3u8?stream_id=…&pd=10000"
        #expect(Redaction.url(url, own: nil) == shown)
        #expect(Redaction.url("http://h/live/main/v0/media.m3u8", own: nil) == "http://h/live/main/v0/media.m3u8")
        #expect(Redaction.url("", own: own) == "")
        #expect(Redaction.url("http://h/p?", own: own) == "http://h/p?")
    }

    @Test func theOwnSessionCanBeToldFromAnother() {
        let shown = Redaction.url("http://h/p?stream_id=0a1b2c3d-secret%3ATUL", own: own)
        #expect(shown == "http://h/p?stream_id=\(own.redacted)")
    }

    /// Each shape in which a playlist, or what is said of it, can hold a secret.
    @Test(arguments: [
        "#EXT-X-DEFINE:NAME=\"tok\",VALUE=\"SECRET\"",
        "#EXT-X-DEFINE:NAME=\"tok\",VALUE=\"a,SECRET\"",
        "#EXT-X-DEFINE:NAME=\"tok\",VALUE=SECRET",
        "#EXT-X-DEFINE:NAME=\"tok\",VALUE=a,SECRET",
        "#EXT-X-SESSION-DATA:DATA-ID=\"d\",VALUE=\"SECRET\"",
        "#EXT-X-KEY:METHOD=AES-128,URI=\"https://k/x?a=1,SECRET\",IV=0x00",
        "#EXT-X-KEY:METHOD=AES-128,URI=\"data:application/octet-stream;base64,SECRET\"",
        "#EXT-X-KEY:METHOD=AES-128,URI=https://k/x?a=1,SECRET",
        "#EXT-X-MAP:URI=\"i.mp4?t=a b SECRET\"",
        "s.ts?token=aaa,SECRET", "12: s.ts?token=aaa,SECRET", "s.ts?token=\"SECRET\"", "s.ts?token=a SECRET",
        "s.ts?SECRET=", "s.ts?a=1&SECRET==", "x.ts#SECRET", "X-FOO=\"SECRET|https://a/b\"",
        "X-FOO=\"SECRET,https://a/b\"",
        "#EXT-X-KEY:METHOD=AES-128,URI=\" data:application/octet-stream;base64,SECRET\"",
        "s.ts?pd=1,SECRET", "s.ts?token=a\tSECRET", "line one\ns.ts?token=SECRET\nline three",
        "https://cdn/tok=SECRET/s.ts", "https://cdn/a/exp=1700000000~hmac=SECRET/s.ts",
        "https://cdn/x;jsessionid=SECRET",
        "/a/tok%3DSECRET/s.ts", "/a/tok=1-SECRET/s.ts", "//user:SECRET@h/s.ts", "https://SECRET@h/s.ts",
        "/session/SECRET/x.ts", "a/Token/SECRET/x.ts", "/a/eyJhbGciOiJIUzI1NiJ9.SECRET/s.ts",
        "#EXT-X-DATERANGE:ID=\"i\",X-SESSION=\"SECRET\"", "ID=\"i\",X-SESSION=\"SECRET\"",
        "ID=\"i\",X-FOO=\"SECRET\"", "ID=\"i\",X-FOO=\"a,SECRET", "ID=\"i\",X-FOO=SECRET,DURATION=1",
        "ID=\"i\",X-FOO=0xSECRET", "ID=\"i\",X-FOO=a,SECRET", "ID=\"i\",X-FOO=a SECRET",
        "ID=\"i\",X-FOO=\"https://t/b?x=SECRET\"", "ID=\"i\",X-SESSION=\"https://t/SECRET\"",
        "X-ASSET-URI=\"rel/pod.m3u8?auth-token=x~hmac=abc SECRET\",X-SNAP=\"OUT\"",
        "X-AD-CREATIVE-SIGNALING=\"{'url':'https://t/?SECRET'}\"",
        "#EXT-X-SESSION-TOKEN:SECRET", "#EXT-X-FOO:SECRET", "#EXT-X-FOO:\"SECRET\"", "#EXT-X-FOO:a,SECRET",
        "#EXT-X-FOO:BAR=SECRET", "# token=SECRET", "#EXTINF:6,https://h/p?x=SECRET",
        "\u{FEFF}s.ts?\u{301}token=SECRET", "X-FOO=\"\u{301}SECRET\"", "auth=SECRET",
    ])
    func aTextHidesTheSecretsOfAPlaylist(_ text: String) {
        let shown = Redaction.text(text, own: nil)
        #expect(!shown.contains("SECRET"), "\(text) became \(shown)")
        #expect(!Redaction.text(text, own: own).contains("SECRET"))
    }

    @Test func uuidsAreHiddenInEveryLine() {
        let id = "0b0e9e3c-1111-2222-3333-444455556666"
        for line in ["/session/\(id)/x.ts", "a/\(id).m3u8", "URI=\"/v/\(id)/x\"", "12: h/\(id)/x.ts, later"] {
            #expect(!Redaction.text(line, own: nil).contains("4444"), "\(line)")
        }
    }

    /// What is no secret is the evidence.
    @Test(arguments: [
        "#EXT-X-TARGETDURATION:6", "#EXTINF:6.006,A title, with a comma", "#EXT-X-MEDIA-SEQUENCE of at most 12",
        "12: #EXT-X-PROGRAM-DATE-TIME:2026-11-21T20:00:00.000Z, without a discontinuity",
        "#EXT-X-DATERANGE:ID=\"b-1\",START-DATE=\"2026-11-21T20:00:00Z\",PLANNED-DURATION=30,SCTE35-OUT=0xFC30AB",
        "ID=\"b-1\",X-RESUME-OFFSET=0,X-SNAP=\"OUT,IN\",X-FOO=12.5,X-BAR=YES,X-DAY=\"2026-11-21T20:00:00Z\"",
        "X-ASSET-URI=\"https://ads.example/pod/1.m3u8\"", "https://h/v1/a.b_c-d/seg-12.ts", "12: ../a/seg-12.m4s",
        "/asset/audio_eng=128000-video=800000-123.ts", "#EXT-X-DEFINE:NAME=\"tok\",QUERYPARAM=\"t\"",
        "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"skd://key-1\",KEYFORMAT=\"com.apple.streamingkeydelivery\"",
        "#EXT-OATCLS-SCTE35:/DAlAAAAAAAAAP/wFAUAAAABf+/+AAAAAH4AKT1gAAEAAAAA==", "#EXT-X-CUE-OUT-CONT:2.5/30",
        "at least 85 % of 1.0 s", "the ID \"b-1\" began at 2026-11-21", "# made from {$template}", "status 404",
        "a/seg.ts?_HLS_msn=12&_HLS_part=3", "",
    ])
    func evidenceStays(_ text: String) {
        #expect(Redaction.text(text, own: nil) == text)
        #expect(Redaction.text(text, own: own) == text)
    }

    @Test func whatStandsBesideASecretStays() {
        #expect(
            Redaction.text("#EXT-X-DATERANGE:ID=\"i\",X-SESSION=\"s\",X-FOO=a b,c,DURATION=1,X-BAR=2", own: nil)
                == "#EXT-X-DATERANGE:ID=\"i\",X-SESSION=\"…\",X-FOO=…,DURATION=1,X-BAR=2"
        )
        #expect(
            Redaction.text("#EXT-X-KEY:METHOD=AES-128,URI=\"https://k/x?a=1,b\",IV=0x00", own: nil)
                == "#EXT-X-KEY:METHOD=AES-128,URI=\"https://k/x?a=…\",IV=0x00"
        )
        #expect(Redaction.text("12: s.ts?token=aaa,b&pd=1", own: nil) == "12: s.ts?token=…&pd=1")
    }

    @Test func theOwnSessionIsNamedInEveryPieceOfAText() {
        let id = own.rawValue
        for text in ["ID=\"\(id)\"", "X-FOO=\(id)", "X-SESSION=\"\(id)\"", "12: /a/\(id)/x.ts", "\(id)"] {
            let shown = Redaction.text(text, own: own)
            #expect(!shown.contains("secret") && shown.contains(own.redacted), "\(text) became \(shown)")
        }
        let wide = StreamID("part one, part two of it")
        #expect(Redaction.text("12: part one, part two of it", own: wide) == "…")
    }

    @Test func hiddenAttributesCanBeToldApart() {
        let known = ["ID": "b-1", "START-DATE": "2026-11-21T20:00:00Z", "X-RESUME-OFFSET": "4.5", "X-NUMBER": "12"]
        #expect(Redaction.attributes(known, own: self.own) == known)
        let one = Redaction.attributes(["X-SESSION": "SECRET1", "X-FOO": "SECRET2"], own: nil)
        let two = Redaction.attributes(["X-SESSION": "SECRET3", "X-FOO": "SECRET2"], own: nil)
        #expect(!"\(one)\(two)".contains("SECRET") && "\(one)".contains("…"))
        #expect(one["X-SESSION"] != two["X-SESSION"] && one["X-FOO"] == two["X-FOO"])
        let own = Redaction.attributes(["X-FOO": self.own.rawValue, "ID": self.own.rawValue], own: self.own)
        #expect(own == ["X-FOO": self.own.redacted, "ID": self.own.redacted])
    }

    /// A line may have megabytes; the square of that would take hours.
    @Test(
        .timeLimit(.minutes(15)),
        arguments: [",", "=", "a=", "a=b,", "#", "#a:", "\"", "/", "/a=1-", "?", "%3D", "X-A=b "]
    )
    func longLinesAreReadInLinearTime(_ piece: String) {
        let text = String(repeating: piece, count: 200_000)
        #expect(Redaction.text(text, own: own).utf8.count <= text.utf8.count &* 4 &+ 16)
    }

    /// Ids and tokens in paths are told from names by how often they turn from letters to digits and to capitals.
    @Test(arguments: [
        "9tQx7Lm2Vr4Zs8Kp1Ny6Wd3", "3f9a1c7e5b2d8f4a6c0e", "dGhpc0lzQVRva2VuMTIz", "sess-9f8e7d6c5b4a3f2e1d",
        "k3j9x0q2m8z7p1w4v6",
        "12345678901234567890", "AKx9_bQ2-mZr7Lp0TvW3",
    ])
    func opaqueWordsOfPathsAreNotShown(word: String) {
        let shown = Redaction.url("http://h/a/\(word)/b.m3u8", own: nil)
        #expect(!shown.contains(word.prefix(8)) && !shown.contains(word.suffix(8)), "\(shown)")
        #expect(shown.hasPrefix("http://h/a/…") && shown.hasSuffix("/b.m3u8"), "\(shown)")
        let other = String(word.dropLast()) + (word.hasSuffix("3") ? "4" : "3")
        #expect(Redaction.url("http://h/a/\(other)/b.m3u8", own: nil) != shown, "two can be told apart")
        #expect(!Redaction.text("line 3: /h/\(word).ts", own: nil).contains(word))
        #expect(!Redaction.name(of: "../\(word)/1.ts", own: nil).contains(word))
    }

    @Test(arguments: [
        "multivariant.m3u8", "segment-1732480000-video-1080p.ts", "2026-11-24T20:04:40.000Z", "20261124T200440Z",
        "break-1795561730",
        "channelOneHighDefinition", "1080p30_h264_aac_5000k.m3u8", "ad_break_id", "21775744923", "custom_asset",
        "init-v1-a2.mp4",
        "com.apple.hls.interstitial", "SportsHDNorthAmerica2026",
    ])
    func namesThatPeopleGiveStay(name: String) {
        #expect(
            Redaction.url("https://d1a2b3c4e5f6g7.cdn.example/a/\(name)", own: nil).hasSuffix("cdn.example/a/\(name)")
        )
    }

    @Test func idsOfRequestsInHeadersStay() {
        let id = "nJ3kdP0qW8zRt5vXbM2cLs7YhG4fEa9U"
        #expect(Redaction.text(id, own: nil) == id)
        #expect(
            Redaction.url("https://d1a2b3c4e5f6g7h8.cdn.example/a", own: nil)
                == "https://d1a2b3c4e5f6g7h8.cdn.example/a"
        )
    }

    @Test(arguments: [
        "x Hush/Key+5512% y", "Hush%2FKey%2B5512%25", "hush%252fkey%252B5512%2525", "http://h/Hush/Key+5512%/a",
        "#X:a=Hush/Key+5512%,b",
        "HUSH/KEY+5512%", "cut: Hush/Key", "cut: Hush/Ke…", "http://h/?u=murmured%20words&x", "murmured+words",
        "murmured words",
    ])
    func knownSecretsAreTakenOutWhereverTheyStand(text: String) {
        let known = KnownSecrets(["Hush/Key+5512%", "murmured words", "short"])
        let shown = known.hidden(in: text)
        #expect(
            !shown.lowercased().contains("hush") && !shown.contains("5512") && !shown.contains("murmured"),
            "\(shown)"
        )
        #expect(shown.contains("…"))
        #expect(known.hidden(in: "short words stay") == "short words stay")
    }

    @Test func aURLOfTheEnvironmentHidesItsPathAndNotItsHost() {
        let known = KnownSecrets([
            "https://user-name:pass-word@live.example/quiet-path/v1/master-list.m3u8?key=whispered"
        ])
        let shown = known.hidden(
            in: "https://live.example/quiet-path/v1/x.ts user-name pass-word whispered master-list.m3u8"
        )
        #expect(shown == "https://live.example/…/v1/x.ts … … … …")
        #expect(KnownSecrets.inAddress("http://h/a?token=abc%20def&channel=one#x") == ["abc def"])
    }

    @Test func anOwnIDThatHoldsASecretIsNamedByItsRedactedForm() {
        let own = StreamID("prefix-network-77-suffix")
        let shown = KnownSecrets(["network-77"]).hidden(in: "/s/prefix-network-77-suffix/network-77", own: own)
        #expect(shown == "/s/\(own.redacted)/…")
    }
}
