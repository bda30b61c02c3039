import TestSupport
import Testing

@testable import Tools

@Suite struct FormatTests {
    private let names = FieldNames()

    /// Lines of a format in each file of `LogLines`, and below them the request that each of them logs.
    ///
    /// Sources: httpd's manual, "Combined Log Format"; AWS's "Standard logging reference"; "Data set parameters" and "Log
    /// format" of DataStream 2; the default format of Fastly's endpoints, and that of its endpoint for Datadog.
    @Test(arguments: try CaseFile.all(in: "Tests/AudienceLogTests/LogLines"))
    func aLineIsReadAsItsVendorDocumentsIt(_ file: CaseFile) throws {
        let lines = file.text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        try file.expect(lines.flatMap(reader(of: file.testDescription)))
    }

    private func reader(of path: String) -> (Substring) -> [String] {
        var reader = LineReader(LogFormat(rawValue: path.prefix { $0 != "/" }.description), names)
        return { line in LogText.told(line, by: &reader) }
    }

    @Test func fieldsMayBeNamed() {
        let own = FieldNames(adding: [(.time, "at"), (.url, "message.target"), (.address, "who")])
        let line = #"{"at":"1795464263","message":{"target":"/a.m3u8?b"},"who":"192.0.2.1","target":"/no"}"#
        var reader = LineReader(.json, own)
        let told = LogText.told(line[...], by: &reader)
        #expect(told == ["2026-11-23T20:04:23.000Z get /a.m3u8 b", "  address 192.0.2.1"])
    }

    @Test(
        arguments: [
            (#"1.2.3.4 - - [23/Nov/2026:20:04:23 +0000] "GET / HTTP/1.1" 200 5 "-" "-""#, LogFormat.combined),
            ("\n\n#Version: 1.0\n#Fields: date time c-ip cs-uri-stem\n", .cloudfront),
            ("2026-11-23\t20:04:23\tLAX1\t1\t192.0.2.1\tGET\td\t/a.m3u8\t200", .cloudfront),
            (#"{"reqTimeSec":"1795464263","reqPath":"/a.m3u8"}"#, .json), ("\u{FEFF}{ \"log\" : {\"version\":", nil),
            ("nothing\nknown\n", nil), ("", nil), ("{\"log\":1}", nil),
        ] as [(String, LogFormat?)]
    ) func aLogIsRecognisedByItsFirstLines(text: String, format: LogFormat?) {
        var reader = LineReader(nil, names)
        for line in text.utf8.split(separator: UInt8(ascii: "\n")) { _ = reader.read(Array(line)[...]) }
        #expect(reader.format == format)
    }
}
