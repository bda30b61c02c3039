import Rules
import Testing
import Transport
import Values

/// Over sockets, because a redirect leads from one server to another.
@Suite(.timeLimit(.minutes(15)), .eachCarrier) struct RedirectTests {
    @Test(arguments: [301, 302, 303, 307, 308])
    func aRedirectIsFollowedOnTheOwnersConnection(status: Int) async throws {
        try await withServer { request in
            request.path == "/from/here"
                ? [.send(answer("\(status) Moved", headers: ["Location: ../to?x=1"], "elsewhere"))]
                : [.send(answer("200 OK", "there"))]
        } test: { fixture, server in
            let result = try await fixture.get(server.url("/from/here"))
            #expect((result.failure, result.status, result.body) == (nil, 200, "there"))
            #expect((result.bodyBytes, result.redirects, result.sends) == (5, 1, 2))
            #expect((result.newConnections, result.effectiveURL) == (1, server.url("/to?x=1")))
        }
    }

    @Test(arguments: [(301, "GET"), (302, "GET"), (303, "GET"), (307, "POST"), (308, "POST")])
    func aPostStaysAPostOnlyWhereTheStatusSaysSo(status: Int, method: String) async throws {
        try await withServer { request in
            request.path == "/" ? [.send(answer("\(status) Moved", headers: ["Location: /next"]))] : [.send(answer())]
        } test: { fixture, server in
            let post = PreparedRequest(.post, url: server.url("/"), body: Array("abc".utf8))
            for _ in 0..<2 {
                let result = try await fixture.send(post)
                #expect(result.status == 200)
            }
            let requests = server.log.requests
            let second = requests.filter { $0.path == "/next" }
            #expect(second.map(\.method) == [method, method])
            #expect(second.allSatisfy { String(decoding: $0.body, as: UTF8.self) == (method == "POST" ? "abc" : "") })
            #expect(requests.filter { $0.path == "/" }.map(\.method) == ["POST", "POST"])
        }
    }

    @Test func aHandleIsItselfAgainAfterARedirect() async throws {
        try await withServer { request in
            request.path == "/from"
                ? [.send(answer("302 Found", headers: ["Location: /to"]))] : [.send(answer("200 OK", request.path))]
        } test: { fixture, server in
            for path in ["/from", "/a", "/from", "/from", "/b"] {
                let result = try await fixture.get(server.url(path))
                #expect(result.body == (path == "/from" ? "/to" : path))
            }
        }
    }

    /// As one that waits for a preflight does.
    @Test(arguments: [302, 307]) func aHeldTransferGoesOnAsOne(status: Int) async throws {
        try await withServer { request in
            request.path == "/" ? [.send(answer("\(status) Moved", headers: ["Location: /next"]))] : [.send(answer())]
        } test: { fixture, server in
            try await fixture.onLoop { fixture.holdsHops = true }
            let headers = HeaderList([("Content-Type", "application/json"), ("X-Kept", "yes")])
            let post = PreparedRequest(.post, url: server.url("/"), headers: headers, body: Array("{}".utf8))
            let result = try await fixture.send(post)
            #expect((result.failure, result.status, result.redirects, result.sends) == (nil, 200, 1, 2))
            #expect(result.effectiveURL == server.url("/next"))
            let hop = try #require(server.log.requests.last)
            #expect((hop.method, hop.header("x-kept")) == (status == 307 ? "POST" : "GET", "yes"))
            #expect(hop.header("content-type") == (status == 307 ? "application/json" : nil))
            #expect(try await fixture.inFlight() == 0)
        }
    }

    @Test func aRedirectToAnUnauthorisedHostIsNotFollowed() async throws {
        let result = try await result(of: .send(answer("302 Found", headers: ["Location: http://192.0.2.1/x"])))
        #expect((result.failure, result.status) == (.unauthorisedHost, 302))
        #expect((result.newConnections, result.redirects) == (1, 0))
    }

    @Test func aCircleEndsAtTheLimit() async throws {
        try await withServer(
            .with { $0.maximumRedirects = 3 },
            script: always(.send(answer("302 Found", headers: ["Location: /"])))
        ) { fixture, server in
            let result = try await fixture.get(server.url("/"))
            #expect((result.failure, result.redirects) == (.redirectLimit, 3))
            #expect(server.log.requests.count == 4)
        }
    }

    @Test(arguments: ["localhost", "127.0.0.1"]) func anotherNameOfTheHostIsAnotherHost(name: String) async throws {
        try await withServer { request in
            guard request.path == "/" else { return [.send(answer())] }
            let port = request.header("host")?.split(separator: ":").last ?? ""
            return [.send(answer("302 Found", headers: ["Location: http://\(name):\(port)/next"]))]
        } test: { fixture, server in
            let result = try await fixture.get(server.url("/"))
            #expect((result.status, result.redirects, result.leftHost) == (200, 1, (name == "localhost")))
        }
    }

    @Test func withoutRedirectsAllowedTheAnswerStands() async throws {
        let moved = answer("302 Found", headers: ["Location: /"], "see there")
        let result = try await result(of: .send(moved), with: .with { $0.maximumRedirects = 0 })
        #expect((result.failure, result.status, result.body) == (nil, 302, "see there"))
    }

    @Test(arguments: [true, false]) func credentialsStayWithTheirOrigin(sameOrigin: Bool) async throws {
        let other = try ScriptedServer { _ in [.send(answer())] }
        let first = try ScriptedServer { request in
            guard request.path == "/" else { return [.send(answer())] }
            return [.send(answer("302 Found", headers: ["Location: \(sameOrigin ? "/next" : other.url("/next"))"]))]
        }
        defer {
            first.stop()
            other.stop()
        }
        try await TransportFixture.run { fixture in
            let headers = HeaderList([("Authorization", "Bearer secret"), ("Cookie", "a=b"), ("X-Kept", "yes")])
            #expect(try await fixture.send(PreparedRequest(url: first.url("/"), headers: headers)).status == 200)
            let landed = try #require((first.log.requests + other.log.requests).first { $0.path == "/next" })
            #expect(landed.header("x-kept") == "yes")
            #expect(landed.header("authorization") == (sameOrigin ? "Bearer secret" : nil))
            #expect(landed.header("cookie") == (sameOrigin ? "a=b" : nil))
        }
    }

    /// Fetch standard, "redirect-tainted origin".
    @Test(
        arguments: [
            ("https://player.example", "localhost", true, true), ("https://player.example", "127.0.0.1", true, false),
            ("https://player.example", "localhost", false, false), (nil, "localhost", true, false),
        ] as [(String?, String, Bool, Bool)]
    )
    func originOfAPageIsNullAfterARedirectBetweenForeignOrigins(
        page: String?,
        name: String,
        isPage: Bool,
        isHidden: Bool
    ) async throws {
        try await withServer { request in
            guard request.path == "/" else { return [.send(answer())] }
            let port = request.header("host")?.split(separator: ":").last ?? ""
            return [.send(answer("302 Found", headers: ["Location: http://\(name):\(port)/next"]))]
        } test: { fixture, server in
            let origin = page ?? String(server.url("/").dropLast())
            try await fixture.onLoop { fixture.isPage = isPage }
            _ = try await fixture.send(PreparedRequest(url: server.url("/"), headers: HeaderList([("Origin", origin)])))
            #expect(server.log.requests.map { $0.header("origin") } == [origin, isHidden ? "null" : origin])
        }
    }

    /// Cookies are those of the place that a redirect leads to, and the profile's own stay with their origin.
    @Test(arguments: [(true, "own=1; session=2"), (false, nil)] as [(Bool, String?)])
    func cookiesThatARedirectSetsGoToTheirServer(sameHost: Bool, sent: String?) async throws {
        try await withServer { request in
            guard request.path == "/" else { return [.send(answer())] }
            let port = request.header("host")?.split(separator: ":").last ?? ""
            let next = "http://\(sameHost ? "127.0.0.1" : "localhost"):\(port)/next"
            let cookies = ["Set-Cookie: old=; Max-Age=0", "Set-Cookie: session=2"]
            return [.send(answer("302 Found", headers: ["Location: \(next)"] + cookies))]
        } test: { fixture, server in
            var jar = CookieJar()
            _ = jar.take("old=1", from: try #require(RequestTarget(url: server.url("/"))), now: 0)
            try await fixture.onLoop { [jar] in fixture.jar = jar }
            let headers = HeaderList([("Cookie", "own=1")], cookies: "old=1")
            _ = try await fixture.send(PreparedRequest(url: server.url("/"), headers: headers))
            let cookies = server.log.requests.map { $0.header("cookie") }
            #expect(cookies == ["own=1; old=1", sent])
        }
    }

    @Test(arguments: [(302, false), (307, true)]) func aRefusedRedirectSaysWhatItWouldHaveSent(
        status: Int,
        hasBody: Bool
    ) {
        let result = TransferResult(
            failure: .unauthorisedHost,
            status: status,
            plannedAt: .zero,
            doneAt: .zero,
            headers: ["location": "//ads2.example.com/x"],
            url: "https://ads.example.com/session",
            request: PreparedRequest(.post, url: "https://ads.example.com/session", body: [])
        )
        #expect(result.refused?.target?.hostInProfile == "ads2.example.com")
        #expect(result.refused?.redirect == status && result.refused?.hasBody == hasBody)
    }
}
