import Destinations
import Testing

@Suite struct AuthorisedHostsTests {
    @Test(arguments: [
        "http://127.0.0.1/", "https://127.8.9.10:8443/x", "http://localhost/", "http://LOCALHOST.:80/",
        "http://[::1]:8080/x",
        "http://user:secret@127.0.0.1/", "http://0x7f.1/", "http://2130706433/",
    ])
    func loopbackIsPermittedWhereNobodySaysMore(url: String) {
        #expect(AuthorisedHosts().permits(url: url))
    }

    @Test(arguments: [
        "http://example.com/", "http://127.0.0.1.example.com/", "http://localhost.example.com/",
        "http://127.0.0.1@example.com/",
        "http://128.0.0.1/", "http://0.0.0.0/", "http://[::2]/", "http://[::ffff:192.0.2.1]/", "ftp://127.0.0.1/",
        "file:///etc/passwd", "127.0.0.1", "//127.0.0.1/", "", "http://", "http:///x", "http://a b/",
        "javascript:alert(1)",
    ])
    func nothingElseIsPermittedUnasked(url: String) {
        #expect(!AuthorisedHosts().permits(url: url))
    }

    @Test(arguments: [
        ("example.com", "http://example.com/", true),
        ("example.com", "https://EXAMPLE.com:8443/x", true),
        ("example.com", "http://example.com./", true),
        ("example.com.", "http://example.com/", true),
        ("EXAMPLE.com", "http://example.com/", true),
        ("example.com", "http://www.example.com/", false),
        ("example.com", "http://badexample.com/", false),
        ("example.com", "http://example.com.evil.net/", false),
        ("example.com", "http://evil.net/?example.com", false),
        ("example.com", "http://example.com@evil.net/", false),
        // Parsers differ on this one: libcurl would connect to example.com.
        ("example.com", "http://evil.net\\@example.com/", true),
        ("evil.net", "http://evil.net\\@example.com/", false),
        ("example.com:8443", "https://example.com:8443/", true),
        ("example.com:8443", "https://example.com/", false),
        ("example.com:443", "https://example.com/", true),
        ("example.com:80", "http://example.com/", true),
        ("example.com:80", "https://example.com/", false),
        ("*.example.com", "http://www.example.com/", true),
        ("*.example.com", "http://a.b.example.com/", true),
        ("*.example.com", "http://example.com/", false),
        ("*.example.com", "http://badexample.com/", false),
        ("*.example.com:8080", "http://www.example.com:8080/", true),
        ("*.example.com:8080", "http://www.example.com/", false),
        ("192.0.2.1", "http://192.0.2.1:99/", true),
        ("192.0.2.1", "http://192.0.2.10/", false),
        ("[2001:db8::1]", "http://[2001:db8::1]:80/", true),
        ("[2001:db8::1]:81", "http://[2001:db8::1]:80/", false),
        ("2001:db8::1", "http://[2001:db8::1]/", true),
        ("*", "http://example.com/", false),
        ("*.", "http://example.com/", false),
        ("", "http://example.com/", false),
        ("example.com:", "http://example.com/", false),
        ("example.com:99999", "http://example.com/", false),
    ])
    func aPatternPermitsWhatItNamesAndNothingElse(pattern: String, url: String, expected: Bool) {
        #expect(AuthorisedHosts([pattern]).permits(url: url) == expected)
    }

    /// The services of this machine are not the target's to reach.
    @Test(arguments: [
        ("http://127.0.0.1:8080/live.m3u8", "http://127.9.9.9:8080/", true),
        ("http://127.0.0.1:8080/live.m3u8", "https://localhost:8080/", true),
        ("http://127.0.0.1:8080/live.m3u8", "http://[::1]:8080/", true),
        ("http://127.0.0.1:8080/live.m3u8", "http://127.0.0.1:8081/", false),
        ("http://127.0.0.1:8080/live.m3u8", "http://127.9.9.9/", false),
        ("http://127.0.0.1:8080/live.m3u8", "http://2130706433:22/", false),
        ("http://127.0.0.1:8080/live.m3u8", "http://[::1]:9090/", false),
        ("http://127.0.0.1:8080/live.m3u8", "http://127.0.0.1:9000/", true),
        ("https://live.example.com/live.m3u8", "http://127.0.0.1/", false),
        ("https://live.example.com/live.m3u8", "https://127.0.0.1/", false),
        ("https://live.example.com/live.m3u8", "http://localhost:8080/", false),
        ("https://live.example.com/live.m3u8", "http://127.0.0.1:9000/", true),
        ("https://live.example.com/live.m3u8", "https://cdn.example.com/", true),
        ("https://live.example.com/live.m3u8", "https://live.example.com/", false),
    ])
    func aRunReachesOnlyThoseOfLoopbackThatItsProfileNames(own: String, url: String, expected: Bool) {
        let hosts = AuthorisedHosts(["cdn.example.com", "127.0.0.1:9000"], of: [own], headersAlsoTo: [])
        #expect(hosts.permits(url: url) == expected)
    }

    @Test(arguments: ["http://localhost:81/", "http://127.0.0.1/", "http://127.0.0.2/", "http://[::1]:8080/x"])
    func aURLOfThisMachineOpensAllOfIt(url: String) {
        let hosts = AuthorisedHosts(AuthorisedHosts.machine(of: url), of: [url], headersAlsoTo: [])
        for other in ["http://localhost:9/", "http://127.0.0.1:9/", "http://[::1]:9/"] {
            #expect(hosts.permits(url: other))
        }
    }

    @Test(arguments: ["http://a.example/", "http://10.0.0.1/", "localhost"])
    func whatIsElsewhereOpensNothingHere(url: String) {
        #expect(AuthorisedHosts.machine(of: url).isEmpty)
    }

    @Test func onePatternOfSeveralIsEnough() {
        let hosts = AuthorisedHosts(["a.example", "b.example:1"])
        #expect(hosts.permits(url: "http://a.example/"))
        #expect(hosts.permits(url: "http://b.example:1/"))
        #expect(!hosts.permits(url: "http://c.example/"))
    }
}
