import Rules
import Testing
import Transport
import Values

/// Which carrier takes what, and what goes from one to the other.
///
/// Over sockets, because each carrier opens connections of its own.
@Suite(.timeLimit(.minutes(15))) struct CarrierChoiceTests {
    /// Nobody can know before the first connection; its owner goes on with it.
    @Test func whereHTTP2WasRefusedTheConnectionGoesOn() async throws {
        try await withNginx {
            $0.httpVersion = .http2
        } test: { fixture, server in
            let url = "https://127.0.0.1:\(server.oldSecurePort)/facts"
            var results: [Finished] = []
            for owner in [0, 0, 1, 1, 2] { results.append(try await fixture.get(url, owner: owner)) }
            #expect(results.allSatisfy { $0.carrier == .exchange })
            #expect(results.map(\.newConnections) == [1, 0, 1, 0, 1])
            #expect(results.allSatisfy { $0.body.hasPrefix("HTTP/1.1 ") })
        }
    }

    @Test func whereHTTP2WasChosenTheExchangeSpeaksIt() async throws {
        try await withNginx {
            $0.httpVersion = .http2
        } test: { fixture, server in
            for place in ["https://127.0.0.1:\(server.securePort)", "http://127.0.0.1:\(server.clearHTTP2Port)"] {
                for owner in [0, 0, 1] {
                    let result = try await fixture.get(place + "/facts", owner: owner)
                    #expect(result.carrier == .exchange)
                    #expect(result.body.hasPrefix("HTTP/2.0 "))
                }
            }
        }
    }

    @Test func aRedirectToWhatOnlyLibcurlKnowsIsHandedOver() async throws {
        try await withServer { request in
            let next = "http://user:word@\(request.header("host") ?? "")/to"
            return [
                .send(
                    request.path == "/to"
                        ? answer("200 OK", "there") : answer("302 Found", headers: ["Location: \(next)"])
                )
            ]
        } test: { fixture, server in
            for path in ["/from", "/from", "/to"] {
                let result = try await fixture.get(server.url(path))
                #expect((result.failure, result.body) == (nil, "there"))
                #expect(result.carrier == (path == "/from" ? .curl : .exchange))
                #expect((result.redirects, result.sends) == ((path == "/from" ? 1 : 0), 1 + result.redirects))
            }
            let credentials = server.log.requests.map { $0.header("authorization") }
            // "user:word" in base64, and on the second hop only.
            #expect(credentials == [nil, "Basic dXNlcjp3b3Jk", nil, "Basic dXNlcjp3b3Jk", nil])
            #expect(try await fixture.inFlight() == 0)
        }
    }

    @Test func aRedirectHandedOverCountsTheConnectionsOfBoth() async throws {
        try await withServer { request in
            let next = "http://user:word@\(request.header("host") ?? "")/to"
            return [.send(request.path == "/to" ? answer() : answer("307 Moved", headers: ["Location: \(next)"]))]
        } test: { fixture, server in
            let post = PreparedRequest(.post, url: server.url("/from"), body: Array("a=1".utf8))
            let result = try await fixture.send(post)
            #expect(result.newConnections == 2)
            #expect((server.log.connectionsAccepted, server.log.requests.map(\.method)) == (2, ["POST", "POST"]))
            #expect(server.log.requests.allSatisfy { $0.body == Array("a=1".utf8) })
        }
    }
}
