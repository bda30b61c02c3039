import Destinations
import Rulebook
import Testing
import Transport

/// Headers and bodies of a profile reach those that it names, whoever else may be asked.
@Suite(.timeLimit(.minutes(15)), .eachCarrier) struct OwnHeaderTests {
    /// Two servers that may both be asked; the profile names the first alone.
    private struct Servers {
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

        func configuration(headersAlsoTo patterns: [String] = []) -> TransportConfiguration {
            .with {
                $0.authorisedHosts = AuthorisedHosts(
                    ["127.0.0.1"],
                    of: [own.url("/")],
                    headersAlsoTo: patterns
                )
            }
        }

        func stop() {
            own.stop()
            other.stop()
        }
    }

    private static let headers = [
        ("Authorization", "Bearer secret"), ("X-Api-Key", "secret"), ("User-Agent", "player"),
        ("Accept-Language", "de"),
    ]

    @Test(arguments: [301, 307]) func ownHeadersStayBehindARedirectToOthers(status: Int) async throws {
        let servers = try Servers(status: status)
        defer { servers.stop() }
        try await TransportFixture.run(servers.configuration()) { fixture in
            let request = PreparedRequest(url: servers.own.url("/"), headers: HeaderList(Self.headers))
            let result = try await fixture.send(request)
            #expect(result.status == 200)
        }
        let asked = try #require(servers.own.log.requests.first)
        #expect(Self.headers.allSatisfy { asked.header($0.0.lowercased()) == $0.1 })
        try Self.expectOnlyWhatPlayersSay(servers.other)
    }

    @Test func ownHeadersDoNotGoToOthersThatAPlaylistNames() async throws {
        let servers = try Servers(status: 301)
        defer { servers.stop() }
        try await TransportFixture.run(servers.configuration()) { fixture in
            let request = PreparedRequest(url: servers.other.url("/next"), headers: HeaderList(Self.headers))
            for _ in 0..<2 {
                let result = try await fixture.send(request)
                #expect(result.status == 200)
            }
        }
        try Self.expectOnlyWhatPlayersSay(servers.other)
    }

    @Test func ownHeadersGoToWhomTheProfileNamesForThem() async throws {
        let servers = try Servers(status: 302)
        defer { servers.stop() }
        let configuration = servers.configuration(headersAlsoTo: ["127.0.0.1:\(servers.other.port)"])
        try await TransportFixture.run(configuration) { fixture in
            let request = PreparedRequest(url: servers.own.url("/"), headers: HeaderList(Self.headers))
            let result = try await fixture.send(request)
            #expect(result.status == 200)
        }
        let landed = try #require(servers.other.log.requests.first)
        #expect(landed.header("x-api-key") == "secret")
        #expect(landed.header("authorization") == nil, "no player takes it along to another origin")
    }

    @Test(arguments: [307, 308]) func aBodyIsSentToNobodyElse(status: Int) async throws {
        let servers = try Servers(status: status)
        defer { servers.stop() }
        try await TransportFixture.run(servers.configuration()) { fixture in
            let post = PreparedRequest(.post, url: servers.own.url("/"), body: Array("auth-token=secret".utf8))
            let result = try await fixture.send(post)
            #expect(result.failure == .unauthorisedHost)
        }
        #expect(servers.other.log.requests.isEmpty)
    }

    private static func expectOnlyWhatPlayersSay(_ server: ScriptedServer) throws {
        #expect(!server.log.requests.isEmpty)
        for request in server.log.requests {
            #expect(request.header("authorization") == nil)
            #expect(request.header("x-api-key") == nil)
            #expect(request.header("user-agent") == "player")
            #expect(request.header("accept-language") == "de")
        }
    }
}
