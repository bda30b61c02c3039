import TestSupport
import Testing

@testable import Transport

@Suite struct CookieJarTests {
    private static let now: Int64 = 1_764_000_000

    private static func field(_ set: [String], from url: String, to other: String? = nil, now: Int64 = now) throws
        -> String?
    {
        var jar = CookieJar()
        let place = try #require(RequestTarget(url: url))
        for field in set { _ = jar.take(field, from: place, now: Self.now) }
        return jar.field(for: other ?? url, now: now)
    }

    @Test(
        arguments: [
            ("a=1", "http://x.example/live/a.m3u8", "a=1"), ("a=1", "http://x.example/live/sub/b", "a=1"),
            ("a=1", "http://x.example/lively/b", nil), ("a=1", "http://x.example/b", nil),
            ("a=1; Path=/", "http://x.example/b", "a=1"), ("a=1; path=nowhere", "http://x.example/live/b", "a=1"),
            ("a=1; Path=/", "http://y.x.example/", nil),
            ("a=1; Path=/; Domain=x.example", "http://y.x.example/", "a=1"),
            ("a=1; Path=/; Domain=.EXAMPLE", "http://x.example/", nil),
            ("a=1; Path=/; Domain=other.example", "http://other.example/", nil),
            ("a=1; Path=/; Secure", "http://x.example/", nil), ("a=1; Path=/; Secure", "https://x.example/", nil),
            ("a=1; Path=/; Max-Age=0", "http://x.example/", nil), ("a=1; Path=/; Max-Age=-1", "http://x.example/", nil),
            ("a=1; Path=/; Max-Age=99999999999999999999", "http://x.example/", "a=1"),
            ("a=1; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT", "http://x.example/", nil),
            ("a=1; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Max-Age=5", "http://x.example/", "a=1"),
            ("=1; Path=/", "http://x.example/", nil), ("a; Path=/", "http://x.example/", nil),
            (" a = b c ; HttpOnly; Path=/", "http://x.example:8080/", "a=b c"),
            ("a=\u{1}; Path=/", "http://x.example/", nil),
        ] as [(String, String, String?)]
    )
    func aRequestTakesAlongWhatIsForIt(set: String, url: String, field: String?) throws {
        #expect(try Self.field([set], from: "http://x.example/live/a.m3u8", to: url) == field)
    }

    @Test func longerPathsAndEarlierCookiesComeFirst() throws {
        let set = ["a=1; Path=/", "b=2; Path=/live", "c=3; Path=/live", "a=4; Path=/"]
        #expect(try Self.field(set, from: "http://x.example/live/a") == "b=2; c=3; a=4")
    }

    @Test func anAddressIsNobodysPart() throws {
        #expect(try Self.field(["a=1; Domain=0.0.1; Path=/"], from: "http://127.0.0.1:80/") == nil)
        #expect(try Self.field(["a=1; Domain=127.0.0.1; Path=/"], from: "http://127.0.0.1:80/") == "a=1")
        #expect(try Self.field(["a=1; Path=/"], from: "http://[::1]:80/a?b") == "a=1")
        #expect(try Self.field(["a=1; Domain=[::1]; Path=/"], from: "http://[::1]:80/") == "a=1")
    }

    @Test func cookiesGoWhenTheirTimeIsOver() throws {
        let set = ["a=1; Max-Age=5"]
        #expect(try Self.field(set, from: "http://x.example/", now: Self.now + 4) == "a=1")
        #expect(try Self.field(set, from: "http://x.example/", now: Self.now + 5) == nil)
    }

    @Test func whatChangesNothingIsNoChange() throws {
        var jar = CookieJar()
        let place = try #require(RequestTarget(url: "http://x.example/"))
        let fields = ["a=1", "a=1; Max-Age=60", "a=2", "a=; Max-Age=0", "a=; Max-Age=0"]
        let changes = fields.map { jar.take($0, from: place, now: 0) }
        #expect(changes == [true, false, true, true, false] && jar.isEmpty)
    }

    @Test func theRoomIsBounded() throws {
        var jar = CookieJar()
        let place = try #require(RequestTarget(url: "http://x.example/"))
        for index in 0..<1_000 { _ = jar.take("c\(index)=1", from: place, now: 0) }
        #expect(jar.field(for: "http://x.example/", now: 0)?.split(separator: ";").count == 50)
        let isTaken = jar.take("a=" + String(repeating: "x", count: CookieJar.longest), from: place, now: 0)
        #expect(!isTaken)
    }

    @Test(
        arguments: [
            ("Wed, 25 Nov 2026 20:00:00 GMT", 1_795_636_800), ("Wednesday, 25-Nov-26 20:00:00 GMT", 1_795_636_800),
            ("Wed Nov 25 20:00:00 2026", 1_795_636_800), ("1 Jan 1970 00:00:01", 1),
            ("29 Feb 2024 00:00:00", 1_709_164_800),
            ("1 Jan 99 0:0:0", 915_148_800), ("25 Nov 2026", nil), ("32 Nov 2026 20:00:00", nil),
            ("25 Nov 2026 24:00:00", nil), ("", nil), ("é é é", nil),
        ] as [(String, Int64?)]
    )
    func datesAreReadAsBrowsersDo(text: String, seconds: Int64?) {
        #expect(CookieDate.seconds(text) == seconds)
    }

    @Test func garbageIsNeverATrap() throws {
        var generator = SeededGenerator(seed: 6265)
        let pieces = [
            "a", "=", ";", " ", "Domain", "Path", "/", ".", "Expires", "Max-Age", "-9", "25 Nov", ":", "\t", "é",
            "\u{0}",
        ]
        var jar = CookieJar()
        let place = try #require(RequestTarget(url: "https://x.example/live/a"))
        for _ in 0..<5_000 {
            let text = (0..<Int.random(in: 0..<12, using: &generator)).map { _ in
                pieces[Int.random(in: 0..<pieces.count, using: &generator)]
            }
            _ = jar.take(text.joined(), from: place, now: 0)
            _ = RequestTarget(url: "http://" + text.joined())
        }
        _ = jar.field(for: "https://x.example/live/a", now: 0)
    }
}
