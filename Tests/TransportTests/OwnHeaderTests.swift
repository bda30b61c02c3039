import Rules
import Testing
import Transport

/// Headers and bodies of a profile reach those that it names, whoever else may be asked.
///
/// Over sockets, because what a server reads is what counts.
@Suite(.timeLimit(.minutes(15)), .eachCarrier) struct OwnHeaderTests {
    /// Two servers that may both be asked; the profile names the first alone.
    private final class Servers {
        let own: ScriptedServer
        let other: ScriptedServer

        init(status: Int) throws {
            let other = try ScriptedServer { _ in [.send(answer())] }
            self.other = other
            own = try ScriptedServer { request in
                guard request.path == "/" else { return [.send(answer())] }
                return [.send(answer("\(status) Elsewhere", headers: ["Location: \(other.url("/next"))"]))]
            }
        }

        deinit {
            own.stop()
            other.stop()
        }

        /// Sends a request twice, and returns what the second comes to: with what the first has left behind.
        func send(_ request: PreparedRequest, headersAlsoTo patterns: [String] = []) async throws -> Finished {
            let hosts = AuthorisedHosts(["127.0.0.1"], of: [own.url("/")], headersAlsoTo: patterns)
            return try await TransportFixture.run(.with { $0.authorisedHosts = hosts }) { fixture in
                _ = try await fixture.send(request)
                return try await fixture.send(request)
            }
        }
    }

    private static let headers = [
        ("Authorization", "Bearer secret"), ("X-Api-Key", "secret"), ("User-Agent", "player"),
        ("Accept-Language", "de"),
    ]

    @Test(arguments: [301, 307]) func ownHeadersStayBehindARedirectToOthers(status: Int) async throws {
        let servers = try Servers(status: status)
        let request = PreparedRequest(url: servers.own.url("/"), headers: HeaderList(Self.headers))
        #expect(try await servers.send(request).status == 200)
        let asked = try #require(servers.own.log.requests.first)
        #expect(Self.headers.allSatisfy { asked.header($0.0.lowercased()) == $0.1 })
        try Self.expectOnlyWhatPlayersSay(servers.other)
    }

    @Test func ownHeadersDoNotGoToOthersThatAPlaylistNames() async throws {
        let servers = try Servers(status: 301)
        let request = PreparedRequest(url: servers.other.url("/next"), headers: HeaderList(Self.headers))
        #expect(try await servers.send(request).status == 200)
        try Self.expectOnlyWhatPlayersSay(servers.other)
    }

    @Test func ownHeadersGoToWhomTheProfileNamesForThem() async throws {
        let servers = try Servers(status: 302)
        let request = PreparedRequest(url: servers.own.url("/"), headers: HeaderList(Self.headers))
        let place = "127.0.0.1:\(servers.other.port)"
        #expect(try await servers.send(request, headersAlsoTo: [place]).status == 200)
        let landed = try #require(servers.other.log.requests.first)
        #expect(landed.header("x-api-key") == "secret")
        #expect(landed.header("authorization") == nil, "no player takes it along to another origin")
    }

    @Test(arguments: [307, 308]) func aBodyIsSentToNobodyElse(status: Int) async throws {
        let servers = try Servers(status: status)
        let post = PreparedRequest(.post, url: servers.own.url("/"), body: Array("auth-token=secret".utf8))
        #expect(try await servers.send(post).failure == .unauthorisedHost)
        #expect(servers.other.log.requests.isEmpty)
    }

    private static func expectOnlyWhatPlayersSay(_ server: ScriptedServer) throws {
        #expect(!server.log.requests.isEmpty)
        for request in server.log.requests {
            let told = Self.headers.map { request.header($0.0.lowercased()) }
            #expect(told == [nil, nil, "player", "de"])
        }
    }
}
