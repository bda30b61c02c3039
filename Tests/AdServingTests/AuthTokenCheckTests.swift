import AdServing
import HLS
import Testing
import Values

@Suite struct AuthTokenCheckTests {
    private let now = WallTime(microseconds: 1_800_000_000_000_000)

    private func url(_ fields: [String: String], path: String = "/linear/pods/v1/hls/pod/7.m3u8") -> String {
        let token = PercentEncoding.encode(AuthToken.sign(fields: fields, key: "key"))
        return "https://ads.example\(path)?stream_id=a&auth-token=\(token)&pd=1000"
    }

    @Test(arguments: [
        ("1799999999", [AuthTokenMistake.expired(bySeconds: 1)]), ("1800000000", []), ("1800000060", []),
        ("1800000060000", [.expiryInMilliseconds(1_800_000_060_000)]), ("99999999999", []),
        ("100000000000", [.expiryInMilliseconds(100_000_000_000)]), ("soon", []), ("", []),
        ("-9223372036854775808", [.expired(bySeconds: .min &+ 1_800_000_000)]),
    ]) func theExpiryIsHeldAgainstTheClock(expiry: String, mistakes: [AuthTokenMistake]) {
        #expect(AuthTokenCheck.mistakes(in: url(["exp": expiry]), at: now) == mistakes)
    }

    @Test(arguments: [
        ("/pod/7.m3u8", ["pod_id": "7"], false), ("/pod/7/profile/a/1.ts", ["pod_id": "6"], true),
        ("/ad_break_id/mid-roll-3.m3u8", ["ad_break_id": "mid-roll-3"], false),
        ("/ad_break_id/mid-roll-3/token/360p.m3u8", ["ad_break_id": "mid-roll-2"], true),
        ("/ad_break_id/mid%2Froll.m3u8", ["ad_break_id": "mid/roll"], false),
        ("/ad_break_id/mid-roll-3.m3u8", ["pod_id": "3"], false), ("/pod/seven.m3u8", ["pod_id": "6"], false),
        ("/podcast/8.m3u8", ["pod_id": "7"], false), ("/pod/7.m3u8", [:], false),
    ]) func theTokensBreakIsHeldAgainstTheAddress(path: String, fields: [String: String], isWrong: Bool) {
        let mistakes = AuthTokenCheck.mistakes(in: url(fields, path: path), at: now)
        #expect(mistakes.count == (isWrong ? 1 : 0), "\(mistakes)")
        #expect(mistakes.allSatisfy { if case .anotherBreak = $0 { true } else { false } })
    }

    @Test func allMistakesOfATokenAreNamedOnce() {
        let fields = ["exp": "1", "pod_id": "8"]
        let twice = url(fields) + "&again=" + PercentEncoding.encode(AuthToken.sign(fields: fields, key: "other"))
        #expect(
            AuthTokenCheck.mistakes(in: twice, at: now)
                == [.expired(bySeconds: 1_799_999_999), .anotherBreak(token: "pod/8", address: "pod/7")]
        )
    }

    @Test(arguments: [
        "", "https://ads.example/pod/7.m3u8", "https://ads.example/pod/7.m3u8?exp=1", "?hmac", "a?b=~hmac=",
        "https://ads.example/hmac?exp=1~pod_id=8", "https://ads.example/?t=exp=1~exp=2~hmac=00#auth-token=exp=1~hmac=0",
    ]) func whatIsNoTokenIsNotJudged(url: String) { #expect(AuthTokenCheck.mistakes(in: url, at: now).isEmpty) }

    @Test func theSecretIsInNoMistake() throws {
        let fields = ["exp": "1", "pod_id": "8", "ad_break_id": "x"]
        let signature = try #require(AuthToken.sign(fields: fields, key: "key").split(separator: "hmac=").last)
        #expect(!"\(AuthTokenCheck.mistakes(in: url(fields), at: now))".contains(signature))
    }
}
