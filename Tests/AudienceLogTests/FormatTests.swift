import JSON
import Testing

@testable import AudienceLog

/// Lines as vendors document them.
@Suite struct FormatTests {
    private let names = FieldNames()

    private func combined(_ line: String) -> [String]? {
        var reader = CombinedLine()
        return LogText.told(line) { reader.read($0) }
    }

    private func json(_ line: String, _ names: FieldNames = FieldNames()) -> [String]? {
        let reader = JSONLine(names, longestLine: 1 << 16)
        return LogText.told(line) { reader.read($0) }
    }

    /// The example of httpd's manual, "Combined Log Format".
    @Test func readsTheCombinedFormat() {
        let line = #"""
            127.0.0.1 - frank [10/Oct/2000:13:55:36 -0700] "GET /apache_pb.gif HTTP/1.0" 200 2326 "http://www.example.com/start.html" "Mozilla/4.08 [en] (Win98; I ;Nav)"
            """#
        let expected = [
            "2000-10-10T20:55:36.000Z", "get", "/apache_pb.gif", "", "127.0.0.1", "Mozilla/4.08 [en] (Win98; I ;Nav)",
            "", "",
        ]
        #expect(combined(line) == expected)
    }

    @Test func readsWhatIsAppendedToIt() {
        let line = #"""
            10.0.0.1 - - [23/Nov/2026:20:04:23 +0000] "GET /a.m3u8?x=1 HTTP/2.0" 200 5 "-" "A \"quoted\" agent" "203.0.113.7, 10.0.0.9" "sid=\x226e2f\x22" "session=abc; b=c" 0.003 1795464263.042 "-"
            """#
        let expected = [
            "2026-11-23T20:04:23.042Z", "get", "/a.m3u8", "x=1", "203.0.113.7", #"A \"quoted\" agent"#,
            "session=abc; b=c",
            #"sid=\x226e2f\x22"#,
        ]
        #expect(combined(line) == expected)
    }

    @Test func readsTheCommonFormatAndVirtualHosts() {
        let common = #"2001:db8::7 - - [23/Nov/2026:20:04:23 +0000] "GET /a.m3u8 HTTP/1.1" 200 5"#
        #expect(combined(common)?[4] == "2001:db8::7")
        let virtual =
            #"live.example:443 192.0.2.1 - - [23/Nov/2026:20:04:23 +0000] "GET /a.m3u8 HTTP/1.1" 200 5 "-" "-""#
        #expect(combined(virtual)?[4] == "192.0.2.1")
        #expect(combined(virtual)?[5] == "")
        let absolute =
            #"192.0.2.1 - - [23/Nov/2026:20:04:23 +0000] "GET http://live.example/a.m3u8?b#c HTTP/1.1" 200 5"#
        #expect(combined(absolute)?[2...3] == ["/a.m3u8", "b"])
    }

    @Test(
        arguments: [
            "", "-", "[", #"192.0.2.1 - - [23/Nov/2026:20:04:23 +0000] "GET /a.m3u8"#,
            #"192.0.2.1 - - [23/Nov/2026:20:04:23 +0000] "" 400 0 "-" "-""#,
            #"192.0.2.1 - - [23/Nov/2026:20:04:23] "GET / HTTP/1.1" 200 5 "-" "-""#,
            #"192.0.2.1 - - [23/Nov/2026:20:04:23 +0000] "\x16\x03\x01" 400 0 "-" "-""#,
        ]
    )
    func whatIsNoRequestIsNone(line: String) {
        #expect(combined(line) == nil)
    }

    /// The order of fields is that of the example in AWS's "Standard logging reference"; addresses are of RFC 5737.
    @Test func readsCloudFrontsStandardLogs() {
        var reader = TabbedLine(names)
        func read(_ line: String) -> [String]? {
            LogText.told(line) {
                guard case .request(let request) = reader.read($0) else { return nil }
                return request
            }
        }
        let fields =
            "2026-11-23\t20:04:23\tLAX1\t2390282\t192.0.2.202\tGET\td111111abcdef8.cloudfront.net\t/live/main.m3u8\t200\t"
            + "www.example.com\tMozilla/4.0%20(compatible;%20MSIE%205.0b1;%20Mac_PowerPC)\ta=b&c=d\tzip=98101;%20session=x\t"
            + "Hit\tMRVMF7KydIvxMWfJIglgwHQwZsbG2IhRJ07sn9AkKUFSHS9EXAMPLE==\td111111abcdef8.cloudfront.net\thttp\t-\t0.001\t-\t-"
        let expected = [
            "2026-11-23T20:04:23.000Z", "get", "/live/main.m3u8", "a=b&c=d", "192.0.2.202",
            "Mozilla/4.0%20(compatible;%20MSIE%205.0b1;%20Mac_PowerPC)", "zip=98101;%20session=x", "",
        ]
        #expect(read(fields) == expected, "without its head")
        #expect(read("#Version: 1.0") == nil)
        #expect(read("#Fields: time date cs-uri-stem c-ip x-forwarded-for timestamp(ms)") == nil)
        let reordered = "20:04:24\t2026-11-23\t/b.m3u8\t192.0.2.1\t203.0.113.9, 192.0.2.1"
        #expect(read(reordered)?.prefix(5) == ["2026-11-23T20:04:24.000Z", "get", "/b.m3u8", "", "203.0.113.9"])
        #expect(read("20:04:24\t2026-11-23") == nil)
    }

    /// The names are those of "Data set parameters" and "Log format" of DataStream 2.
    @Test func readsDataStream() {
        let line = """
            {"version":1,"cp":"123456","reqId":"1239f220","reqTimeSec":"1795464263.042","statusCode":"200","cliIP":"192.0.2.68",\
            "reqHost":"live.example","reqMethod":"GET","reqPath":"live/main.m3u8","queryStr":"a=b","reqPort":"443",\
            "UA":"Mozilla%2F5.0+%28Macintosh%3B+Intel+Mac+OS+X+10_14_3%29","cookie":"-","xForwardedFor":"198.51.100.4"}
            """
        let expected = [
            "2026-11-23T20:04:23.042Z", "get", "live/main.m3u8", "a=b", "192.0.2.68",
            "Mozilla%2F5.0+%28Macintosh%3B+Intel+Mac+OS+X+10_14_3%29", "", "",
        ]
        #expect(json(line) == expected)
    }

    /// The default format of Fastly's endpoints, and that of its endpoint for Datadog.
    @Test func readsFastly() {
        let usual = """
            <134>2026-11-23T20:04:23Z cache-fra1 log[1]: {"timestamp":"2026-11-23T20:04:23+0000","time_elapsed":"133",\
            "client_ip":"192.0.2.68","host":"live.example","url":"\\/live\\/main.m3u8?a=b\\u0026c=d","request_method":"GET",\
            "request_user_agent":"ExoPlayer\\"Lib\\"","response_status":200,"cache_status":null,"list":[1,{"url":"no"}]}
            """
        let expected = [
            "2026-11-23T20:04:23.000Z", "get", "/live/main.m3u8", "a=b&c=d", "192.0.2.68", "ExoPlayer\"Lib\"", "", "",
        ]
        #expect(json(usual) == expected)
        let nested = """
            {"ddsource":"fastly","time_start":"2026-11-23T20:04:23UTC","http":{"method":"GET","url":"/a.m3u8",\
            "useragent":"x"},"network":{"destination":{"ip":"10.0.0.1"},"client":{"ip":"192.0.2.68","name":"as"}}}
            """
        #expect(json(nested) == ["2026-11-23T20:04:23.000Z", "get", "/a.m3u8", "", "192.0.2.68", "x", "", ""])
    }

    @Test func readsNginxAndFieldsThatAreNamed() {
        let nginx =
            #"{"msec":1795464263.042,"remote_addr":"10.0.0.1","http_x_forwarded_for":"192.0.2.1","request":"GET /a.m3u8 HTTP/1.1","http_cmcd_session":"sid=\"6e2f\""}"#
        #expect(json(nginx)?[2...4] == ["/a.m3u8", "", "192.0.2.1"])
        #expect(json(nginx)?[7] == #"sid="6e2f""#)
        let own = FieldNames(adding: [(.time, "at"), (.url, "message.target"), (.address, "who")])
        let line = #"{"at":"1795464263","message":{"target":"/a.m3u8?b"},"who":"192.0.2.1","target":"/no"}"#
        #expect(json(line, own)?.prefix(5) == ["2026-11-23T20:04:23.000Z", "get", "/a.m3u8", "b", "192.0.2.1"])
    }

    @Test(
        arguments: [
            "", "{", "}", "{}", "[]", #"{"reqTimeSec":"1795464263""#, #"{"reqTimeSec":"1795464263"}"#, #"{"a":{"b":{"#,
            #"{"reqTimeSec":"1795464263","reqPath":"/a.m3u8"#, #"{"reqTimeSec""1795464263","reqPath":"/a"}"#,
            #"{"reqTimeSec":,"reqPath":"/a.m3u8"}"#, #"{"\u00":"#,
        ]
    )
    func whatIsNoObjectOfARequestIsNone(line: String) {
        #expect(json(line) == nil)
    }

    @Test func readsAnArchive() throws {
        let text = """
            {"log": {"version": "1.2", "creator": {"name": "x", "version": "1"}, "entries": [
              {"startedDateTime": "2026-11-23T20:04:23.042Z", "time": 50, "request": {"method": "GET",
                "url": "https://live.example/a.m3u8?b=c", "headers": [{"name": "User-Agent", "value": "Mozilla/5.0"}]}},
              {"startedDateTime": "never", "request": {"method": "GET", "url": "https://live.example/a.m3u8"}}
            ]}}
            """
        var told: [[String]?] = []
        try Array(text.utf8).withUnsafeBytes { bytes in
            try HTTPArchive(bytes).handOn { request, _ in told.append(LogText.told("x") { _ in request }) }
        }
        #expect(told == [["2026-11-23T20:04:23.042Z", "get", "/a.m3u8", "b=c", "", "Mozilla/5.0", "", ""], nil])
        let other = Array(#"{"log":{"entries":{}}}"#.utf8)
        #expect(throws: AudienceLogError.self) { try other.withUnsafeBytes { _ = try HTTPArchive($0) } }
    }

    @Test(
        arguments: [
            (#"1.2.3.4 - - [23/Nov/2026:20:04:23 +0000] "GET / HTTP/1.1" 200 5 "-" "-""#, LogFormat.combined),
            ("\n\n#Version: 1.0\n#Fields: date time c-ip cs-uri-stem\n", .cloudfront),
            ("2026-11-23\t20:04:23\tLAX1\t1\t192.0.2.1\tGET\td\t/a.m3u8\t200", .cloudfront),
            (#"{"reqTimeSec":"1795464263","reqPath":"/a.m3u8"}"#, .json), ("\u{FEFF}{ \"log\" : {\"version\":", .har),
            ("nothing\nknown\n", nil), ("", nil), ("{\"log\":1}", nil),
        ] as [(String, LogFormat?)]
    )
    func aLogIsRecognisedByItsFirstLines(text: String, format: LogFormat?) {
        let recognised = Array(text.utf8).withUnsafeBytes { LogFormat.recognized(by: $0, names) }
        #expect(recognised == format)
    }
}
