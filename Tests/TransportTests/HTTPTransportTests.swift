import Testing
import Transport

/// Over sockets, because both carriers are asked alike.
@Suite(.timeLimit(.minutes(15)), .eachCarrier) struct HTTPTransportTests {
    @Test func anAnswerIsHandedOverWithItsFacts() async throws {
        try await withServer(
            script: always(.send(answer("503 Busy", headers: ["Content-Type: text/plain", "Retry-After: 7"], "later")))
        ) { fixture, server in
            let result = try await fixture.get(server.url("/a?b=c"))
            #expect((result.failure, result.status, result.body) == (nil, 503, "later"))
            #expect((result.bodyBytes, result.contentType, result.retryAfter) == (5, "text/plain", "7"))
            #expect((result.effectiveURL, result.newConnections, result.sends) == (server.url("/a?b=c"), 1, 1))
            #expect(result.connectMicroseconds > 0)
            #expect(result.tlsMicroseconds == 0)
            #expect(result.plannedAt <= result.sentAt)
            #expect(result.sentAt < result.firstByteAt)
            #expect(result.firstByteAt <= result.doneAt)
            let request = try #require(server.log.requests.first)
            #expect((request.lines.first, request.peerPort) == ("GET /a?b=c HTTP/1.1", result.localPort))
            #expect(request.header("accept-encoding") == "gzip")
        }
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n",
        "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello",
    ]) func anAnswerInSingleBytesIsPutTogether(text: String) async throws {
        try await withServer(script: always(.dribble(text))) { fixture, server in
            for _ in 0..<2 {
                let result = try await fixture.get(server.url("/"))
                #expect((result.failure, result.status, result.body) == (nil, 200, "hello"))
                #expect(result.bodyBytes == 5)
            }
            #expect(server.log.connectionsAccepted == 1)
        }
    }

    @Test func aBodyThatIsOnlyCountedIsNotHandedOver() async throws {
        let long = answer("200 OK", String(repeating: "x", count: 100_000))
        let result = try await result(of: .send(long), keepBody: false)
        #expect(result.body.isEmpty && result.bodyBytes == 100_000)
    }

    @Test func aLargeBodyIsKeptWholeAndABufferIsNeverMixedUp() async throws {
        try await withServer { request in
            let size = Int(request.path.dropFirst()) ?? 0
            return [.send(answer("200 OK", String(repeating: "\(size % 10)", count: size)))]
        } test: { fixture, server in
            for size in [1, 4095, 4096, 4097, 300_001, 3, 0, 70_000] {
                let result = try await fixture.get(server.url("/\(size)"))
                #expect(result.body == String(repeating: "\(size % 10)", count: size), "size \(size)")
            }
        }
    }

    @Test func aPreparedPostCarriesItsBodyAndHeadersEachTime() async throws {
        try await withServer(.with { $0.userAgent = "agent/1" }) { request in
            [.send(answer("201 Created", String(decoding: request.body, as: UTF8.self)))]
        } test: { fixture, server in
            try await fixture.onLoop {
                let headers = HeaderList([("X-Podswarm-Viewer", "42"), ("X-Empty", "")])
                let post = PreparedRequest(.post, url: server.url("/p"), headers: headers, body: Array("a=1&b=2".utf8))
                let get = PreparedRequest(url: server.url("/g"))
                for _ in 0..<3 {
                    try fixture.start(post)
                    try fixture.start(get)
                }
            }
            let results = await fixture.results(6)
            #expect(results.allSatisfy { $0.failure == nil && $0.status == 201 })
            let requests = server.log.requests
            let posts = requests.filter { $0.method == "POST" }
            #expect(posts.count == 3)
            for post in posts {
                #expect(post.body == Array("a=1&b=2".utf8))
                let headers = ["x-podswarm-viewer", "x-empty", "user-agent"].map(post.header)
                #expect(headers == ["42", "", "agent/1"])
            }
            let gets = requests.filter { $0.method == "GET" }
            #expect(gets.count == 3)
            for name in ["x-podswarm-viewer", "content-length"] { #expect(gets.allSatisfy { $0.header(name) == nil }) }
        }
    }

    @Test(arguments: [[("Bad Name", "x")], [("", "x")], [("A", "b\r\nC: d")], [("A", "b\u{0}")], [("A:", "b")]])
    func aHeaderThatCouldSmuggleIsRefused(headers: [(String, String)]) {
        #expect(HeaderList(headers.map { (name: $0.0, value: $0.1) }) == nil)
    }

    @Test func aPasswordInAURLIsSentThoughTheOriginWasAskedWithoutOneBefore() async throws {
        try await withServer { request in
            let location = "Location: http://a:c@127.0.0.1:\(request.header("x-port") ?? "")/"
            return request.path == "/moved"
                ? [.send(answer("302 Found", headers: [location]))]
                : [.send(answer("200 OK", request.header("authorization") ?? "none"))]
        } test: { fixture, server in
            #expect(try await fixture.get(server.url("/")).body == "none")
            #expect(try await fixture.get("http://a:b@127.0.0.1:\(server.port)/").body == "Basic YTpi")
            #expect(try await fixture.get(server.url("/")).body == "none")
            let headers = HeaderList([("X-Port", String(server.port))])
            let moved = try await fixture.send(PreparedRequest(url: server.url("/moved"), headers: headers))
            #expect((moved.body, moved.redirects, moved.sends) == ("Basic YTpj", 1, 2))
        }
    }

    @Test func aHandlerMayStartTheNextRequest() async throws {
        try await withServer(script: always(.send(answer("200 OK", "x")))) { fixture, server in
            try await fixture.onLoop {
                let request = PreparedRequest(url: server.url("/"))
                fixture.onFinished = { _, result in if result.token < 499 { try? fixture.start(request) } }
                try fixture.start(request)
            }
            let results = await fixture.results(500)
            #expect(results.map(\.token) == Array(0..<500))
            #expect(server.log.connectionsAccepted == 1)
        }
    }
}
