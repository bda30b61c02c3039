import Testing

@testable import Tools

@Suite struct StreamAddressTests {
    @Test(arguments: [
        ("https://live.example.com/a.m3u8", "https://live.example.com/a.m3u8"),
        ("  https://live.example.com/a.m3u8#t=3\n", "https://live.example.com/a.m3u8"),
        ("https://live.example.com/a b/ä.m3u8", "https://live.example.com/a%20b/%C3%A4.m3u8"),
        ("https://live.example.com/{viewer}.m3u8", "https://live.example.com/%7Bviewer%7D.m3u8"),
        ("https://live.example.com/a.m3u8?x=${HOME}", "https://live.example.com/a.m3u8?x=$%7BHOME%7D"),
        ("HTTP://127.0.0.1:8080/a.m3u8", "HTTP://127.0.0.1:8080/a.m3u8"),
    ]) func whatAPersonPastesBecomesWhatAProfileTakes(text: String, url: String) throws {
        #expect(try StreamAddress(text).url == url)
    }

    @Test(arguments: [
        ("", "is empty"), ("#a", "is empty"), ("live.example.com/a.m3u8", "is not one of http or https"),
        ("ftp://live.example.com/a", "is not one of http or https"), ("https:///a", "has no host"),
        ("https://user:hunter2@live.example.com/a", "has a user name or password"),
        ("https://-bad-/a", "has no host"), ("https://host:99999/a", "has no host"),
        ("https://live.example.com/" + String(repeating: "a", count: 5_000), "is longer than 4096 bytes"),
    ]) func aMistakeIsToldWithoutRepeatingIt(text: String, message: String) {
        let failure = #expect(throws: StreamFailure.self) { try StreamAddress(text) }
        #expect(failure?.reason == .unusable)
        #expect(failure?.message.contains(message) ?? false, "\(failure?.message ?? "")")
        #expect(!(failure?.message.contains("hunter2") ?? true))
    }

    @Test func parametersAreAsTheURLSpellsThem() throws {
        let address = try StreamAddress("https://live.example.com/v1/master/1/a.m3u8?ads.x=a%20b&flag&token=c=d&")
        #expect((address.path, address.parameters.map(\.name)) == ("/v1/master/1/a.m3u8", ["ads.x", "flag", "token"]))
        #expect(address.parameters.map(\.value) == ["a%20b", nil, "c=d"])
        #expect(try StreamAddress("https://live.example.com?a=b").path == "")
    }
}
