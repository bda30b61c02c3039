import Testing
import Values

@Suite struct ListeningAddressTests {
    @Test(arguments: [
        ("127.0.0.1:9464", "127.0.0.1", 9464, true), ("[::1]:0", "::1", 0, true),
        ("localhost:65535", "localhost", 65535, true),
        ("0.0.0.0:80", "0.0.0.0", 80, false), ("[::]:80", "::", 80, false), ("[fe80::1]:1", "fe80::1", 1, false),
        ("load-1.example:9464", "load-1.example", 9464, false), ("127.8.8.8:1", "127.8.8.8", 1, true),
        ("127.0.0.1.example:1", "127.0.0.1.example", 1, false),
    ])
    func readsHostAndPort(text: String, host: String, port: Int, isLoopback: Bool) throws {
        let address = try ListeningAddress(parsing: text)
        #expect(address.host == host)
        #expect(address.port == port)
        #expect(address.isLoopback == isLoopback)
        #expect(address.description == text)
    }

    @Test(arguments: [
        "", ":", "9464", ":9464", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1", "127.0.0.1:+1",
        "127.0.0.1: 1",
        "::1:9464", "[::1]", "[::1]9464", "[127.0.0.1]:1", "[::1:1", "http://127.0.0.1:1", "a b:1", "host/:1",
        "h\u{f6}st:1",
        "127.0.0.1:٣", "[]:1", "user@host:1",
    ])
    func refusesAnythingElse(text: String) {
        #expect(throws: ListeningAddress.Mistake.self) { try ListeningAddress(parsing: text) }
    }

    @Test func aMistakeSaysWhatToWrite() {
        let mistake = #expect(throws: ListeningAddress.Mistake.self) { try ListeningAddress(parsing: "9464") }
        #expect(
            mistake?.description
                == "'9464' is not a listening address: it has no port; write HOST:PORT, such as 127.0.0.1:9464 or [::1]:9464"
        )
    }

    @Test func aURLForAnyAddressLeadsToThisMachine() throws {
        #expect(try ListeningAddress(parsing: "0.0.0.0:0").url(port: 81) == "http://127.0.0.1:81/")
        #expect(try ListeningAddress(parsing: "[::]:0").url(port: 81) == "http://[::1]:81/")
        #expect(try ListeningAddress(parsing: "[::1]:0").url(port: 81) == "http://[::1]:81/")
        #expect(try ListeningAddress(parsing: "me.example:0").url(port: 81) == "http://me.example:81/")
    }

    @Test(arguments: [
        ("127.0.0.1:80", true), ("127.0.0.1", true), ("[::1]:80", true), ("localhost:1", true), ("LOCALHOST", true),
        ("load-1.example", true), ("Load-1.Example:80", true), ("192.0.2.1:80", true), ("evil.example", false),
        ("localhost.evil.example", false), ("127.0.0.1.evil.example:80", false), ("", false), (":80", false),
        ("[::1", false),
        ("evil.example:80:127.0.0.1", false), ("[evil.example]:80", false), ("127.0.0.1@evil.example", false),
    ])
    func answersOnlyToItsOwnNamesAndToAddresses(authority: String, isAllowed: Bool) throws {
        #expect(try ListeningAddress(parsing: "load-1.example:9464").answers(authority) == isAllowed)
    }

    @Test func answersNobodyWithoutAHost() throws {
        #expect(!(try ListeningAddress(parsing: "127.0.0.1:1").answers(nil)))
    }
}
