import Destinations
import EventLoop
import Rulebook
import TestSupport
import Testing
import Transport

/// How the own exchange opens connections, where many are wanted at once and where something ends meanwhile.
@Suite(.timeLimit(.minutes(15))) struct ExchangeOpeningTests {
    /// A host of two addresses, of which the first has nobody listening.
    private func twoAddresses(_ server: ScriptedServer, _ first: String) -> TransportConfiguration {
        .with {
            $0.resolveOverrides = ["dual.test:\(server.port):\(first),127.0.0.1"]
            $0.authorisedHosts = AuthorisedHosts(["dual.test"])
        }
    }

    @Test func whatWaitsForItsTurnEndsWithTheRest() async throws {
        let server = try ScriptedServer { _ in [.send(answer("200 OK"))] }
        defer { server.stop() }
        try await TransportFixture.run(.with { $0.maximumHandshakes = 2 }) { fixture in
            try await fixture.withTransport { fixture, transport in
                for number in 0..<8 { try fixture.start(PreparedRequest(url: server.url("/")), owner: number) }
                transport.cancelAll()
            }
            let results = await fixture.results(8)
            #expect(results.map(\.failure) == Array(repeating: .abandoned, count: 8))
            #expect(Set(results.map(\.token)).count == 8)
            #expect(try await fixture.withTransport { _, transport in transport.openConnections } == 0)
        }
        #expect(server.log.requests.isEmpty)
    }

    @Test func anOwnerThatLeavesOpensNothingMore() async throws {
        let server = try ScriptedServer { _ in [.send(answer("200 OK"))] }
        defer { server.stop() }
        try await TransportFixture.run(.with { $0.maximumHandshakes = 2 }) { fixture in
            let opened = try await fixture.withTransport { fixture, transport in
                for _ in 0..<8 { try fixture.start(PreparedRequest(url: server.url("/"))) }
                transport.close(try fixture.owner(0))
                return try fixture.owner(0).connectionsOpened
            }
            #expect(await fixture.results(8).allSatisfy { $0.failure == .abandoned })
            #expect(opened == 2)
        }
    }

    @Test func aConnectionMadeWhileOthersExpireHasATimeOfItsOwn() async throws {
        let server = try ScriptedServer { $0.path == "/silent" ? [.hold] : [.send(answer("200 OK"))] }
        defer { server.stop() }
        let results = try await Patience.growing(from: .milliseconds(100)) { limit in
            try await TransportFixture.run(.with { $0.firstByteTimeout = limit }) { fixture in
                try await fixture.withTransport { fixture, _ in
                    fixture.onFinished = { transport, result in
                        guard result.token == 0 || result.token == 1, fixture.finished.count == 1 else { return }
                        // Closes the other connection of the sweep, whose descriptor is then given out again.
                        guard let leaving = try? fixture.owner(0) else { return }
                        transport.close(leaving)
                        for number in 1...8 { try? fixture.start(PreparedRequest(url: server.url("/")), owner: number) }
                    }
                    for _ in 0..<2 { try fixture.start(PreparedRequest(url: server.url("/silent"))) }
                }
                return await fixture.results(10)
            }
        } until: {
            $0.filter { $0.token >= 2 }.allSatisfy { $0.failure == nil }
        }
        #expect(results.filter { $0.token < 2 }.map(\.failure) == [.firstByteTimeout, .abandoned])
        #expect(results.filter { $0.token >= 2 }.allSatisfy { $0.failure == nil })
    }

    @Test(arguments: [1, 2, 5])
    func theAddressThatAnsweredIsTriedFirst(concurrently count: Int) async throws {
        let server = try ScriptedServer { _ in [.send(answer("200 OK"))] }
        defer { server.stop() }
        let url = "http://dual.test:\(server.port)/"
        try await TransportFixture.run(twoAddresses(server, "127.0.0.2")) { fixture in
            try await fixture.withTransport { fixture, _ in
                for number in 0..<count { try fixture.start(PreparedRequest(url: url), owner: number) }
            }
            #expect(await fixture.results(count).allSatisfy { $0.failure == nil })
            _ = try await fixture.get(url, owner: count)
            let opened = try await fixture.withTransport { fixture, _ in try fixture.owner(count).connectionsOpened }
            #expect(opened == 1)
        }
    }

    @Test func anAddressOfAnotherFamilyThanTheSourceIsPassedOver() async throws {
        let server = try ScriptedServer { request in [.send(answer("200 OK", request.peerAddress))] }
        defer { server.stop() }
        var configuration = twoAddresses(server, "[::1]")
        configuration.sourceAddresses = ["127.0.0.3"]
        try await TransportFixture.run(configuration) { fixture in
            _ = try await fixture.withTransport { fixture, _ in
                _ = try fixture.owner(0, sourceAddressIndex: 0)
            }
            let result = try await fixture.get("http://dual.test:\(server.port)/")
            #expect(result.failure == nil)
            #expect(result.body == "127.0.0.3")
        }
    }
}
