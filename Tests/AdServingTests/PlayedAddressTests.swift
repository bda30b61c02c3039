import AdServing
import TestSupport
import Testing

@Suite struct PlayedAddressTests {
    private static let own = ["8f5e2a50-0a3c-4d8e-9a53-7b0c5d3c1a2b:TUL", "0d3c1a2b-aaaa-4d8e-9a53-7b0c5d3c1a2b"]

    private func isSame(_ first: String, _ second: String, ignoring: [String] = []) -> Bool {
        let played = PlayedAddress(ignoring: ignoring.compactMap { AddressPattern($0) })
        return played.hash(of: first, own: Self.own) == played.hash(of: second, own: Self.own)
    }

    /// Addresses, and below them the part of each by which ads are compared.
    @Test(arguments: try CaseFile.all(in: "Tests/AdServingTests/PlayedAddresses"))
    func momentsPlacesAndSessionsAreLeftOut(_ file: CaseFile) throws {
        try file.expect(file.text.split(separator: "\n").map { PlayedAddress().text(of: String($0), own: Self.own) })
    }

    @Test func addressesWithOneTextHaveOneHash() {
        #expect(isSame("https://a.example/ads/7/1.ts?sig=1&exp=2", "https://b.example/ads/7/1.ts"))
        #expect(!isSame("https://a.example/ads/8/1.ts", "https://a.example/ads/7/1.ts"))
    }

    @Test func anIDThatBeginsWithWhatIsEncodedIsLeftOutToo() {
        let played = PlayedAddress()
        for spelling in ["/1+2=", "%2F1%2B2%3D", "%2f1%2b2%3d", "%252F1%252b2%253D", "/1%2B2="] {
            #expect(played.text(of: "/a?q=x\(spelling)y%2F1", own: ["/1+2="]) == "/a&q=x*y%2F1", "\(spelling)")
        }
        #expect(played.text(of: "/a%2F%31?q=100%", own: ["/1+2="]) == "/a%2F%31&q=100%")
    }

    @Test(arguments: [
        (["?who"], "/a/1.ts?who=me", "/a/1.ts", true), (["?who"], "/a/1.ts?WHO=me", "/a/1.ts", true),
        (["?who"], "/a/1.ts?whom=me", "/a/1.ts", false), (["?sid"], "/ad.mp4?sid=7", "/ad.mp4?sid=8", true),
        (["/s/*"], "/x/s/one/1.ts", "/x/s/two/1.ts", true), (["/s/*"], "/x/t/one/1.ts", "/x/t/two/1.ts", false),
        (["/v-*-z"], "/v-1-z/1.ts", "/v-2-z/1.ts", true), (["/v-*-z"], "/v-1-y/1.ts", "/v-2-y/1.ts", false),
        (["/*/ads"], "/one/ads/1.ts", "/two/ads/1.ts", true), (["/*/ads"], "/one/ad/1.ts", "/two/ad/1.ts", false),
        (["/a*b*c"], "/a1b2c/x", "/a3b4c/x", true),
    ]) func aProfileNamesMore(ignoring: [String], first: String, second: String, isSame: Bool) {
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

    @Test(
        arguments: [
            ("/l?b=1&exp=1790000000&sig=a", "/l?b=1&exp=1790000002&sig=c", ["exp", "sig"]), ("/l?b=1", "/l?b=2", nil),
            ("/l?b=1&sig=a", "/l?b=2&sig=c", nil), ("/l?sig=a", "/l?sig=a", nil), ("/l", "/l?sig=a", ["sig"]),
            ("https://a.example/l?sig=a", "https://b.example/l?sig=c", nil), ("l?sig=a", "/l?sig=c", nil),
            ("/hdntl=exp=1~hmac=2/l", "/hdntl=exp=3~hmac=4/l", ["its path"]),
            ("/tok_AAAAAAAAAAAAAAAA/l", "/tok_BBBBBBBBBBBBBBBB/l", [PlayedAddress.tokenFolder]),
            ("/eyJhbGciOiJ9.eyJzdWIiOjF9.c2ln/l", "/eyJhbGciOiJ9.eyJzdWIiOjJ9.c2ln/l", [PlayedAddress.tokenFolder]),
            ("/session/one/l", "/session/two/l", [PlayedAddress.tokenFolder]),
            ("/3f9a1c7e5b2d8f4a6c0e/l", "/4f9a1c7e5b2d8f4a6c0e/k", nil),
            ("/l/3f9a1c7e5b2d8f4a6c0e", "/l/4f9a1c7e5b2d8f4a6c0e", nil),
        ] as [(String, String, [String]?)]
    )
    func whatOnlyTheSignatureChangesIsNamed(known: String, next: String, names: [String]?) {
        #expect(PlayedAddress().ownNames(changedFrom: known, to: next) == names)
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
