import Testing
import Time

@testable import AudienceLog

@Suite struct StampTests {
    private func read(_ text: String) -> String? {
        Array(text.utf8).withUnsafeBytes { LogStamp.milliseconds($0) }.map { WallTime(microseconds: $0 * 1000).iso8601 }
    }

    @Test(
        arguments: [
            ("1795464263", "2026-11-23T20:04:23.000Z"), ("1795464263.5", "2026-11-23T20:04:23.500Z"),
            ("1795464263.042", "2026-11-23T20:04:23.042Z"), ("1795464263.042999", "2026-11-23T20:04:23.042Z"),
            ("1795464263042", "2026-11-23T20:04:23.042Z"), ("1795464263042999", "2026-11-23T20:04:23.042Z"),
            ("1795464263042999888", "2026-11-23T20:04:23.042Z"), ("2026-11-23T20:04:23Z", "2026-11-23T20:04:23.000Z"),
            ("2026-11-23T21:04:23+0100", "2026-11-23T20:04:23.000Z"),
            ("2026-11-23T20:04:23.042+00:00", "2026-11-23T20:04:23.042Z"),
            ("2026-11-23T20:04:23UTC", "2026-11-23T20:04:23.000Z"), ("2026-11-23 20:04:23", "2026-11-23T20:04:23.000Z"),
            ("23/Nov/2026:21:04:23 +0100", "2026-11-23T20:04:23.000Z"),
            ("Mon, 23 Nov 2026 20:04:23 GMT", "2026-11-23T20:04:23.000Z"),
        ]
    )
    func everyFormIsRead(text: String, expected: String) {
        #expect(read(text) == expected)
    }

    @Test(
        arguments: [
            "", "0", "-", "17954642", "1795464263.", "1795464263.x", "99999999999", "999999999999999999",
            "18446744073709551616",
            "2026-13-23T20:04:23Z", "2026-11-31T20:04:23Z", "23/Nox/2026:20:04:23 +0000", "23/Nov/2026:24:04:23 +0000",
            "23/Nov/2026:20:04:23 +00", "Mon, 23 Nov 2026 20:04:23 CET", "1970-01-01T00:00:00Z", "aaaaaaaaaaaaaaaaaaaa",
        ]
    )
    func whatIsNoneIsNotRead(text: String) {
        #expect(read(text) == nil)
    }

    @Test func aClockThatRemembersTheDayReadsEachDay() {
        var clock = CommonLogClock()
        func read(_ text: String) -> Int64? { Array(text.utf8).withUnsafeBytes { clock.milliseconds($0) } }
        let first = read("28/Feb/2028:23:59:59 +0000")
        #expect(read("29/Feb/2028:00:00:00 +0000") == first.map { $0 + 1000 })
        #expect(read("01/Mar/2028:00:00:00 +0000") == first.map { $0 + 86_401_000 })
        #expect(read("28/Feb/2028:23:59:59 +0000") == first)
        #expect(read("30/Feb/2028:00:00:00 +0000") == nil)
    }
}
