import AdServing
import Testing

@Suite struct StatedSessionTests {
    private func ids(_ text: String) -> [String] { Array(text.utf8).withUnsafeBytes { StatedSession.ids(in: $0) } }
    private func cookie(_ text: String) -> String? {
        Array(text.utf8).withUnsafeBytes { StatedSession.id(inCookie: $0) }
    }

    @Test func aTailoredPlaylistNamesItsSession() {
        let text = "#EXTM3U\n../1.m3u8?aws.sessionId=f3c9-1&x=2\nhttps://a/2.m3u8?aws.sessionId=f3c9-1\n"
        #expect(ids(text) == ["f3c9-1"])
        #expect(ids("a?aws.sessionId=a%3Ab\"") == ["a:b"])
        #expect(ids("aws.sessionId=") == [] && ids("") == [] && ids("?sessionId=1") == [])
        #expect(ids((0..<9).map { "?aws.sessionId=\($0)\n" }.joined()).count == 4)
    }

    @Test(arguments: [
        ("PLAY_SESSION=abc; Path=/; HttpOnly", "abc"), ("sessionid=a%3Ab", "a:b"), ("AWSALB=xyz; Path=/", nil),
        ("session=", nil), ("session", nil), ("", nil), ("x=1; session=2", nil),
    ]) func aCookieIsASessionByItsName(field: String, id: String?) { #expect(cookie(field) == id) }

    @Test(arguments: [
        (["ASID", "b"], "asid=abc; Path=/", "abc"), (["ASID"], "PLAY_SESSION=abc", nil), ([], "session=abc", nil),
    ]) func aProfileNamesTheCookiesOfSessions(names: [String], field: String, id: String?) {
        #expect(Array(field.utf8).withUnsafeBytes { StatedSession.id(inCookie: $0, named: names) } == id)
    }
}
