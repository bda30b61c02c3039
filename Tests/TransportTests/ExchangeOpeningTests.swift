import Rules
import Testing
import Transport

/// How the own exchange opens connections, where many are wanted at once and where something ends meanwhile.
///
/// Over sockets, because connections are what it is about.
@Suite(.timeLimit(.minutes(15))) struct ExchangeOpeningTests {
    /// Runs a test with a host of two addresses, of which nothing listens at the first.
    private func withTwoAddresses(
        _ first: String,
        sources: [String] = [],
        test: (TransportFixture, String) async throws -> Void
    ) async throws {
        let server = try ScriptedServer { request in [.send(answer("200 OK", request.peerAddress))] }
        defer { server.stop() }
        let configuration = TransportConfiguration.with {
            $0.resolve = ["dual.test:\(server.port):\(first),127.0.0.1"]
            ($0.authorisedHosts, $0.sourceAddresses) = (AuthorisedHosts(["dual.test"]), sources)
        }
        try await TransportFixture.run(configuration) { fixture in
            try await test(fixture, "http://dual.test:\(server.port)/")
        }
    }

    @Test func whatWaitsForItsTurnEndsWithTheRest() async throws {
        try await withServer(.with { $0.maximumHandshakes = 2 }, script: always(.send(answer()))) { fixture, server in
            try await fixture.withTransport { fixture, transport in
                for number in 0..<8 { try fixture.start(PreparedRequest(url: server.url("/")), owner: number) }
                transport.cancelAll()
            }
            let results = await fixture.results(8)
            #expect(results.map(\.failure) == Array(repeating: .abandoned, count: 8))
            #expect(Set(results.map(\.token)).count == 8)
            #expect(try await fixture.openConnections() == 0)
            #expect(server.log.requests.isEmpty)
        }
    }

    @Test func anOwnerThatLeavesOpensNothingMore() async throws {
        try await withServer(.with { $0.maximumHandshakes = 2 }, script: always(.send(answer()))) { fixture, server in
            let opened = try await fixture.withTransport { fixture, transport in
                for _ in 0..<8 { try fixture.start(PreparedRequest(url: server.url("/"))) }
                transport.close(try fixture.owner(0))
                return try fixture.owner(0).connectionsOpened
            }
            #expect(await fixture.results(8).allSatisfy { $0.failure == .abandoned })
            #expect(opened == 2)
        }
    }

    /// Two requests expire together; the first closes the other's connection, whose descriptor is then given out again.
    @Test func aConnectionMadeWhileOthersExpireHasATimeOfItsOwn() async throws {
        try await withServer {
            $0.path == "/silent" ? [.hold] : [.send(answer())]
        } test: { fixture, server in
            try await fixture.onLoop {
                fixture.onFinished = { transport, result in
                    guard result.token < 2, fixture.finished.count == 1 else { return }
                    guard let leaving = try? fixture.owner(0) else { return }
                    transport.close(leaving)
                    for number in 1...8 { try? fixture.start(PreparedRequest(url: server.url("/")), owner: number) }
                }
                let limits = TransferLimits(connect: nil, firstByte: .milliseconds(100), total: nil)
                for _ in 0..<2 { try fixture.start(PreparedRequest(url: server.url("/silent")), limits: limits) }
            }
            let results = await fixture.results(10)
            #expect(results.filter { $0.token < 2 }.map(\.failure) == [.firstByteTimeout, .abandoned])
            #expect(results.filter { $0.token >= 2 }.allSatisfy { $0.failure == nil })
        }
    }

    /// Whichever of them each viewer tries first.
    @Test(arguments: [1, 2, 5]) func anAddressThatRefusesIsFollowedByTheOther(concurrently count: Int) async throws {
        try await withTwoAddresses("127.0.0.2") { fixture, url in
            try await fixture.startAll(url, owners: 0..<count)
            #expect(await fixture.results(count).allSatisfy { $0.failure == nil })
            #expect(try await fixture.openConnections() == count)
        }
    }

    /// RFC 8305 section 5: an address of one family is silent, and the other family's is tried without waiting for its end.
    @Test(arguments: [1, 3]) func familiesAreRaced(concurrently count: Int) async throws {
        let silent = try FullListener(address: "::1")
        defer { silent.stop() }
        let server = try ScriptedServer(port: silent.port, script: always(.send(answer("200 OK", "fine"))))
        defer { server.stop() }
        let configuration = TransportConfiguration.with {
            $0.resolve = ["dual.test:\(server.port):[::1],127.0.0.1"]
            ($0.authorisedHosts, $0.connectTimeout) = (AuthorisedHosts(["dual.test"]), .seconds(100))
        }
        try await TransportFixture.run(configuration) { fixture in
            try await fixture.startAll("http://dual.test:\(server.port)/", owners: 0..<count)
            for result in await fixture.results(count) {
                #expect((result.failure, result.body, result.newConnections) == (nil, "fine", 1))
                #expect(result.connectMicroseconds < 50_000_000, "half of the time to connect is one address's share")
            }
            #expect(try await fixture.openConnections() == count, "the slower attempt is closed")
        }
    }

    /// The attempt that is under way still has the rest of the time when the address it races refuses.
    @Test func aRaceIsLostByWhatRefuses() async throws {
        let silent = try FullListener(address: "::1")
        defer { silent.stop() }
        let configuration = TransportConfiguration.with {
            $0.resolve = ["dual.test:\(silent.port):[::1],127.0.0.1"]
            ($0.authorisedHosts, $0.connectTimeout) = (AuthorisedHosts(["dual.test"]), .milliseconds(700))
        }
        try await TransportFixture.run(configuration) { fixture in
            let result = try await fixture.get("http://dual.test:\(silent.port)/")
            #expect((result.failure, result.remoteAddress) == (.connectTimeout, "[::1]:\(silent.port)"))
            #expect(try await fixture.openConnections() == 0)
        }
    }

    @Test func anAddressOfAnotherFamilyThanTheSourceIsPassedOver() async throws {
        try await withTwoAddresses("[::1]", sources: ["127.0.0.3"]) { fixture, url in
            try await fixture.onLoop { _ = try fixture.owner(0, sourceAddressIndex: 0) }
            let result = try await fixture.get(url)
            #expect((result.failure, result.body) == (nil, "127.0.0.3"))
        }
    }
}
