import Testing

@testable import Tools

@Suite struct SessionTraceTests {
    @Test(arguments: [
        ("https://a.example/s/123/m.m3u8", "https://a.example/s/456/m.m3u8", [], ["s"]),
        ("https://a.example/123/m.m3u8", "https://a.example/456/m.m3u8", [], [""]),
        (
            "https://a.example/m.m3u8?aws.sessionId=1&x=2", "https://a.example/m.m3u8?aws.sessionId=3&x=2",
            ["aws.sessionId"], []
        ),
        ("https://a.example/m.m3u8", "https://a.example/m.m3u8?new=1", ["new"], []),
    ])
    func whatDiffersIsASessionsOwn(one: String, other: String, parameters: [String], pieces: [String]) {
        let trace = SessionTrace.between(one, other)
        #expect(trace == SessionTrace(parameters: parameters, piecesAfter: pieces))
    }

    @Test(arguments: [
        ("https://a.example/m.m3u8", "https://a.example/m.m3u8"),
        // Another edge, and another place altogether.
        ("https://a.example/m.m3u8", "https://b.example/m.m3u8"),
        ("https://a.example/m.m3u8", "https://a.example/other/path/m.m3u8"), ("", "?"), ("a?b", "a?b"), ("://", "/"),
    ]) func theRestSaysNothing(one: String, other: String) { #expect(SessionTrace.between(one, other) == nil) }
}
