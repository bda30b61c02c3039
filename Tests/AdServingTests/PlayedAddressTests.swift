import AdServing
import Testing

@Suite struct PlayedAddressTests {
    private static let own = ["8f5e2a50-0a3c-4d8e-9a53-7b0c5d3c1a2b:TUL", "0d3c1a2b-aaaa-4d8e-9a53-7b0c5d3c1a2b"]

    private func isSame(_ first: String, _ second: String, ignoring: [String] = []) -> Bool {
        let played = PlayedAddress(ignoring: ignoring.compactMap { AddressPattern($0) })
        return played.hash(of: first, own: Self.own) == played.hash(of: second, own: Self.own)
    }

    /// What each server signs, dates or personalises its addresses with.
    @Test(arguments: [
        "https://cdn-b.example/ads/7/1.ts", "//a/b?x#fragment", "https://a.example/ads/7/1.ts?sig=1&exp=2",
        "https://a.example/ads/7/1.ts?hdnea=st=1~exp=2~acl=%2f*~hmac=3",
        "https://a.example/hdntl=exp=2~acl=%2f*~hmac=3/ads/7/1.ts",
        "https://a.example/ads/7/1.ts?Policy=a&Signature=b&Key-Pair-Id=c",
        "https://a.example/ads/7/1.ts?X-Amz-Date=a&x-amz-signature=b",
        "https://a.example/ads/7/1.ts?aws.sessionId=1234", "https://a.example/ads/7/1.ts?st=a&e=2",
        "https://a.example/ads/7/1.ts?CMCD=bl%3D1",
        "https://a.example/ads/7/1.ts?stream_id=\(own[0])", "https://a.example/ads/7/1.ts#t=3",
    ])
    func whatIsAMomentsOwnMakesNoOtherAddress(_ address: String) {
        let plain = "https://a.example/ads/7/1.ts"
        guard address.contains("ads/7") else { return }
        let withPath = address.contains("hdntl=") ? "https://a.example/*/ads/7/1.ts" : plain
        #expect(isSame(address, withPath))
    }

    @Test(arguments: [
        "https://a.example/ads/8/1.ts", "https://a.example/ads/7/2.ts", "https://a.example/ads/7/1.ts?ad=8",
        "https://a.example/ads/7",
    ])
    func anotherCreativeIsAnotherAddress(_ address: String) {
        #expect(!isSame(address, "https://a.example/ads/7/1.ts"))
    }

    /// What is signed, dated or personalised beside what is played.
    @Test(arguments: [
        "sv=2022-11-02&sr=b&st=2026-11-24T00%3A00%3A00Z&se=2026-11-25T00%3A00%3A00Z&sp=r&spr=https&sig=a%2Fb%3D",
        "sv=2022-11-02&ss=b&srt=o&sp=r&se=2026-11-25&sip=10.0.0.1&SIG=a",
        "md5=_e4Nc3iduzkWRm01TBBNYw&expires=2147483647",
        "st=_e4Nc3iduzkWRm01TBBNYw&e=2147483647", "md5=_e4Nc3iduzkWRm01TBBNYw&e=2147483647",
        "token=1441307151_4492f25946a2e8e1414a8bb53dab8a6ba1cf4615",
        "token=aiDhHXZGHidb&token_path=%2Fads%2F&expires=1598024587",
        "Policy=a&Signature=b&Key-Pair-Id=c&Hash-Algorithm=SHA256", "exp=2&sig=1", "exp=1732406400", "ts=1732406400123",
        "cb=12345678", "sid=8f5e2a500a3c4d8e9a53", "sign=9e107d9d372bb6826bd81d3542a419d6&ts=1732406400",
    ])
    func aShortNameIsASignaturesBesideWhatMakesItOne(query: String) {
        #expect(isSame("/ads/7/1.ts?\(query)", "/ads/7/1.ts"))
        #expect(isSame("/ads/7/1.ts?ad=9&\(query)", "/ads/7/1.ts?ad=9"))
        #expect(!isSame("/ads/7/1.ts?ad=9&\(query)", "/ads/7/1.ts"))
    }

    /// `ad.mp4?sid=7` and `ad.mp4?sid=8` are two ads.
    @Test(arguments: [
        "sid", "e", "st", "se", "sp", "sv", "sr", "si", "ss", "ts", "sign", "cb", "exp", "md5", "policy",
        "hash-algorithm", "srt",
    ])
    func aShortNameAloneNamesAnAd(name: String) {
        #expect(!isSame("/ad.mp4?\(name)=7", "/ad.mp4?\(name)=8"))
        #expect(!isSame("/ad.mp4?\(name)=7", "/ad.mp4"))
        #expect(isSame("/ad.mp4?\(name)=7", "/ad.mp4?\(name)=8", ignoring: ["?\(name)"]))
    }

    @Test func theViewersOwnIDsAreLeftOutWhereverTheyStand() {
        for id in Self.own {
            let colons = [":", "%3A", "%3a", "%253A", "%253a", "%25253A"]
            for spelling in colons.map({ id.replacing(":", with: $0) }) {
                #expect(isSame("/v1/\(spelling)/ads/1.ts", "/v1/*/ads/1.ts"))
                #expect(isSame("/v1/x-\(spelling)-y/ads/1.ts?q=\(spelling)", "/v1/x-*-y/ads/1.ts?q=*"))
            }
        }
    }

    @Test func anIDThatBeginsWithWhatIsEncodedIsLeftOutToo() {
        let played = PlayedAddress()
        for spelling in ["/1+2=", "%2F1%2B2%3D", "%2f1%2b2%3d", "%252F1%252b2%253D", "/1%2B2="] {
            #expect(played.text(of: "/a?q=x\(spelling)y%2F1", own: ["/1+2="]) == "/a&q=x*y%2F1", "\(spelling)")
        }
        #expect(played.text(of: "/a%2F%31?q=100%", own: ["/1+2="]) == "/a%2F%31&q=100%")
    }

    /// A leak is one finding, and makes no second one of the comparison.
    @Test func anothersIDWhereSessionsStandIsLeftOutToo() {
        let other = "1c2d3e4f-0a3c-4d8e-9a53-7b0c5d3c1a2b:TUL"
        #expect(isSame("/linear/stream/\(other)/1.ts", "/linear/stream/\(Self.own[0])/1.ts"))
        #expect(!isSame("/linear/stream/main/1.ts", "/linear/stream/\(Self.own[0])/1.ts"))
    }

    @Test(arguments: [
        (["?who"], "/a/1.ts?who=me", "/a/1.ts", true), (["?who"], "/a/1.ts?WHO=me", "/a/1.ts", true),
        (["?who"], "/a/1.ts?whom=me", "/a/1.ts", false), (["/s/*"], "/x/s/one/1.ts", "/x/s/two/1.ts", true),
        (["/s/*"], "/x/t/one/1.ts", "/x/t/two/1.ts", false), (["/v-*-z"], "/v-1-z/1.ts", "/v-2-z/1.ts", true),
        (["/v-*-z"], "/v-1-y/1.ts", "/v-2-y/1.ts", false), (["/*/ads"], "/one/ads/1.ts", "/two/ads/1.ts", true),
        (["/*/ads"], "/one/ad/1.ts", "/two/ad/1.ts", false), (["/a*b*c"], "/a1b2c/x", "/a3b4c/x", true),
    ])
    func aProfileNamesMore(ignoring: [String], first: String, second: String, isSame: Bool) {
        #expect(self.isSame(first, second, ignoring: ignoring) == isSame)
    }

    @Test func aProfileKeepsWhatItsAdsAreNamedBy() {
        let played = PlayedAddress(keeping: ["token", "x-amz-ad"])
        for (first, second) in [
            ("/a.ts?Token=7", "/a.ts?Token=8"), ("/a?x-amz-ad=7", "/a"), ("/token=7/a", "/token=8/a"),
        ] {
            #expect(played.text(of: first, own: []) != played.text(of: second, own: []), "\(first)")
            #expect(isSame(first, second), "\(first)")
        }
        #expect(played.text(of: "/a?sig=1&token=7", own: []) == "/a&token=7")
    }

    @Test(arguments: ["", "?", "?a=b", "/session", "session", "/a*?b", "?a b"])
    func whatIsNoPatternIsRefused(_ text: String) { #expect(AddressPattern(text) == nil) }

    @Test(arguments: ["?who", "/session/*", "/v-*-z/x"])
    func aPatternIsSpelledAsItWasWritten(_ text: String) { #expect(AddressPattern(text)?.text == text) }

    @Test(arguments: [
        ("https://a.example/v1/session/8f5e2a500a3c4d8e9a53/media.m3u8", ["8f5e2a500a3c4d8e9a53"]),
        (
            "https://a.example/v1/media.m3u8?aws.sessionId=8f5e2a500a3c4d8e9a53&x=8f5e2a500a3c4d8e9a54",
            ["8f5e2a500a3c4d8e9a53"]
        ),
        ("https://8f5e2a500a3c4d8e9a53/live/main/media.m3u8", []), ("live/segment-000000000001.ts", []),
    ])
    func aPlaylistsAddressTellsWhatMayBeItsSession(url: String, ids: [String]) {
        #expect(PlayedAddress.sessionIDs(in: url) == ids)
    }
}
