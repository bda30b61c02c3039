import EventLoop
import Testing
import Transport

/// How the own exchange opens connections, where many are wanted at once and where something ends meanwhile.
@Suite(.timeLimit(.minutes(1))) struct ExchangeOpeningTests {
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
}
