import Rules
import TestSupport
import Testing
import Transport
import Values

extension TransportFixture {
    fileprivate func warm(_ urls: String...) async throws {
        try await withTransport { fixture, transport in
            for url in urls { transport.warm(PreparedRequest(url: url), owner: try fixture.owner(0)) }
        }
    }
}

/// What the own exchange alone does with connections: opens them ahead of need, resumes sessions, spreads handshakes.
///
/// Over sockets, because connections are what it is about.
@Suite(.timeLimit(.minutes(15))) struct ExchangeConnectionTests {
    @Test(arguments: [(nil, 2, 2), (Duration.zero, nil, 4), (.seconds(3600), 9, 1)] as [(Duration?, Int?, Int)])
    func aConnectionLivesAsLongAsItMay(longest: Duration?, requests: Int?, connections: Int) async throws {
        let life = ConnectionLife(longest: longest, mostRequests: requests)
        try await withServer(.with { $0.connectionLife = life }, script: always(.send(answer()))) { fixture, server in
            for _ in 0..<4 {
                let result = try await fixture.get(server.url("/"))
                #expect((result.failure, result.status) == (nil, 200))
            }
            #expect(server.log.connectionsAccepted == connections)
        }
    }

    @Test func aConnectionOfHTTP2LivesAsLongAsItMay() async throws {
        try await withNginx {
            ($0.httpVersion, $0.connectionLife) = (.http2, ConnectionLife(longest: nil, mostRequests: 2))
        } test: { fixture, server in
            var opened = 0
            for _ in 0..<4 {
                let result = try await fixture.get("https://127.0.0.1:\(server.securePort)/facts")
                #expect((result.failure, result.status) == (nil, 200))
                opened += result.newConnections
            }
            #expect(opened == 2)
        }
    }

    @Test func aWarmConnectionCarriesTheNextRequest() async throws {
        try await withServer(script: always(.send(answer()))) { fixture, server in
            for _ in 0..<2 {
                try await fixture.warm(server.url("/"))
                // By the time a stranger has its answer the connection is there.
                _ = try await fixture.get(server.url("/"), owner: 1)
            }
            #expect(server.log.connectionsAccepted == 2, "a second one is not needed")
            let result = try await fixture.get(server.url("/"), owner: 0)
            #expect((result.failure, result.newConnections, result.connectMicroseconds) == (nil, 0, 0))
            #expect(server.log.connectionsAccepted == 2)
        }
    }

    @Test func aRequestTakesTheConnectionThatIsBeingOpenedForIt() async throws {
        try await withServer(script: always(.send(answer()))) { fixture, server in
            try await fixture.withTransport { fixture, transport in
                transport.warm(PreparedRequest(url: server.url("/")), owner: try fixture.owner(0))
                for _ in 0..<2 { try fixture.start(PreparedRequest(url: server.url("/"))) }
            }
            let results = await fixture.results(2)
            #expect(results.allSatisfy { $0.failure == nil && $0.newConnections == 1 })
            #expect(server.log.connectionsAccepted == 2, "one for each request, none for the warming alone")
        }
    }

    @Test func aWarmConnectionHasItsHandshakeBehindIt() async throws {
        try await withNginx { fixture, server in
            let url = "https://127.0.0.1:\(server.securePort)/facts"
            try await fixture.warm(url)
            // Nothing tells when it is ready: each of these shakes hands anew, on the same loop and server.
            for other in 1...8 { _ = try await fixture.get(url, owner: other) }
            let result = try await fixture.get(url, owner: 0)
            #expect((result.newConnections, result.tlsMicroseconds) == (0, 0))
            #expect(result.body.split(separator: " ").dropFirst(2).first == "1", "the connection's first request")
        }
    }

    @Test func aWarmConnectionThatFailsIsNotReported() async throws {
        let closed = try LoopbackPort(backlog: nil)
        try await TransportFixture.run { fixture in
            let refused = "http://127.0.0.1:\(closed.number)/"
            try await fixture.warm(refused, "http://192.0.2.1/")
            #expect(try await fixture.get(refused, owner: 0).failure == .connectRefused)
            let counts = try await fixture.withTransport { fixture, transport in
                [transport.inFlight, fixture.open(on: transport), fixture.finished.count]
            }
            #expect(counts == [0, 0, 1])
        }
    }

    @Test func libcurlOpensNothingAhead() async throws {
        try await EachCarrier.$underTest.withValue(.curl) {
            try await withServer(script: always(.send(answer()))) { fixture, server in
                try await fixture.warm(server.url("/"))
                _ = try await fixture.get(server.url("/"), owner: 1)
                #expect(server.log.connectionsAccepted == 1)
            }
        }
    }

    @Test func aSessionIsResumedByItsOwnerOnly() async throws {
        try await withNginx { fixture, server in
            let base = "https://127.0.0.1:\(server.securePort)"
            for round in 0..<3 {
                for owner in 0..<3 {
                    // The server closes after this one, and the next request opens a connection.
                    let last = try await fixture.get(base + "/close", owner: owner)
                    #expect(last.body == "closing")
                    let facts = try await fixture.get(base + "/facts", owner: owner)
                    #expect(facts.newConnections == 1)
                    #expect(facts.body.split(separator: " ").last == "r", "owner \(owner), round \(round)")
                }
            }
            let stranger = try await fixture.get(base + "/facts", owner: 3)
            #expect(stranger.body.split(separator: " ").last == ".")
            // Sessions are kept for each origin.
            let elsewhere = try await fixture.get("https://127.0.0.1:\(server.oldSecurePort)/facts", owner: 0)
            #expect(elsewhere.body.split(separator: " ").last == ".")
        }
    }

    /// The server reads and never answers the handshakes, so they last until they time out.
    @Test func noMoreHandshakesAreUnderWayThanAllowed() async throws {
        let configuration = TransportConfiguration.with {
            ($0.maximumHandshakes, $0.connectTimeout) = (2, .milliseconds(200))
        }
        try await withServer(configuration, script: always(.hold)) { fixture, server in
            try await fixture.startAll("https://127.0.0.1:\(server.port)/", owners: 0..<6)
            let results = await fixture.results(6)
            #expect(results.allSatisfy { $0.failure == .connectTimeout && $0.sends == 0 })
            // Three times two, one after the other; all at once would end together.
            let ends = results.map { $0.doneAt.nanoseconds / 1_000_000 }
            #expect(zip(ends, ends.dropFirst()).allSatisfy(<=) && ends[5] - ends[0] >= 200, "\(ends) ms")
        }
    }

    @Test func anOwnerThatWaitsForAHandshakeMayLeave() async throws {
        try await withServer(.with { $0.maximumHandshakes = 1 }) {
            $0.path == "/plain" ? [.send(answer())] : [.hold]
        } test: { fixture, server in
            try await fixture.withTransport { fixture, transport in
                let request = PreparedRequest(url: "https://127.0.0.1:\(server.port)/")
                for owner in 0..<3 { try fixture.start(request, owner: owner) }
                for owner in 0..<3 { transport.close(try fixture.owner(owner)) }
            }
            let results = await fixture.results(3)
            #expect(results.allSatisfy { $0.failure == .abandoned && $0.sends == 0 })
            #expect(try await fixture.get(server.url("/plain"), owner: 3).failure == nil, "its place is free again")
        }
    }
}
