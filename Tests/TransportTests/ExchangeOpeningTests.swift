import Rules
import Testing
import Transport

/// How the own exchange opens connections, where many are wanted at once and where something ends meanwhile.
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

    @Test(arguments: [1, 2, 5]) func theAddressThatAnsweredIsTriedFirst(concurrently count: Int) async throws {
        try await withTwoAddresses("127.0.0.2") { fixture, url in
            try await fixture.startAll(url, owners: 0..<count)
            #expect(await fixture.results(count).allSatisfy { $0.failure == nil })
            _ = try await fixture.get(url, owner: count)
            let opened = try await fixture.withTransport { fixture, _ in try fixture.owner(count).connectionsOpened }
            #expect(opened == 1)
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
