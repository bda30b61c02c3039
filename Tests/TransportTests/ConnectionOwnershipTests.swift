import Rules
import TestSupport
import Testing
import Transport

/// Over sockets, because connections are what it is about.
@Suite(.timeLimit(.minutes(15)), .eachCarrier) struct ConnectionOwnershipTests {
    private static let echo: ScriptedServer.Script = { request in
        [.send(answer("200 OK", String(request.path.dropFirst())))]
    }

    /// The heart of it: shuffled requests of many owners in flight at once, seen from both ends.
    @Test(arguments: [1, 2, 3] as [UInt64]) func everyOwnerKeepsItsConnectionToItself(seed: UInt64) async throws {
        let owners = 40
        let rounds = 25
        try await withServer(script: Self.echo) { fixture, server in
            try await fixture.onLoop {
                var generator = SeededGenerator(seed: seed)
                // One request of an owner at a time, as a player asks: the next one starts when one has ended.
                var left = Array(repeating: rounds, count: owners)
                var idle = Set(0..<owners)
                let next = { (generator: inout SeededGenerator) in
                    guard let owner = idle.filter({ left[$0] > 0 }).sorted().randomElement(using: &generator) else {
                        return
                    }
                    idle.remove(owner)
                    left[owner] -= 1
                    try? fixture.start(PreparedRequest(url: server.url("/\(owner)")), owner: owner)
                }
                fixture.onFinished = { _, result in
                    idle.insert(Int(result.body) ?? 0)
                    next(&generator)
                }
                for _ in 0..<owners { next(&generator) }
            }
            let results = await fixture.results(owners * rounds)
            var ports: [String: Set<UInt16>] = [:]
            for result in results {
                #expect(result.status == 200, "seed \(seed)")
                ports[result.body, default: []].insert(result.localPort)
            }
            #expect(ports.count == owners)
            #expect(ports.values.allSatisfy { $0.count == 1 }, "seed \(seed)")
            #expect(Set(ports.values.flatMap(\.self)).count == owners, "seed \(seed)")
            #expect(results.map(\.newConnections).reduce(0, +) == owners)
            let connections = Dictionary(grouping: server.log.requests, by: \.connection)
            #expect(connections.count == owners)
            #expect(connections.values.allSatisfy { Set($0.map(\.path)).count == 1 }, "seed \(seed)")
        }
    }

    @Test func anOwnersParallelRequestsOpenFurtherConnectionsOfItsOwn() async throws {
        try await withServer(script: Self.echo) { fixture, server in
            for _ in 0..<3 {
                try await fixture.onLoop {
                    for owner in 0..<8 {
                        for _ in 0..<3 {
                            try fixture.start(PreparedRequest(url: server.url("/\(owner)")), owner: owner)
                        }
                    }
                }
            }
            _ = await fixture.results(72)
            let connections = Dictionary(grouping: server.log.requests, by: \.connection)
            #expect(connections.values.allSatisfy { Set($0.map(\.path)).count == 1 })
        }
    }

    @Test func aClosedOwnersConnectionsCloseAndNobodyGetsThem() async throws {
        try await withServer(script: Self.echo) { fixture, server in
            // Owner 1 keeps the group alive, so that the closed owner's connection stays in its cache.
            _ = try await fixture.get(server.url("/1"), owner: 1)
            let first = try await fixture.get(server.url("/0"), owner: 0)
            try await fixture.close(owners: [0])
            await server.wait { $0.closedByPeer == [1] }
            let successor = try await fixture.get(server.url("/2"), owner: 2)
            #expect(successor.newConnections == 1)
            #expect(successor.localPort != first.localPort)
            #expect(try await fixture.get(server.url("/1"), owner: 1).newConnections == 0)
        }
    }

    @Test func aClosedOwnersTransfersEndAsAbandoned() async throws {
        try await withServer(script: holding) { fixture, server in
            _ = try await fixture.get(server.url("/"), owner: 0)
            try await fixture.startAll(server.url("/hold"), owners: [0, 0, 0, 1])
            await server.wait { $0.requests.count == 5 }
            try await fixture.withTransport { fixture, transport in
                transport.close(try fixture.owner(0))
                transport.close(try fixture.owner(0))
                try fixture.start(PreparedRequest(url: server.url("/")), owner: 0)
            }
            let results = await fixture.results(5)
            #expect(results.dropFirst().map(\.failure) == Array(repeating: .abandoned, count: 4))
            #expect(try await fixture.inFlight() == 1, "the neighbour's transfer goes on")
        }
    }

    @Test func anOwnerMayBeClosedByItsOwnResult() async throws {
        try await withServer(script: Self.echo) { fixture, server in
            try await fixture.onLoop {
                fixture.onFinished = { transport, result in
                    if let owner = try? fixture.owner(Int(result.token)) { transport.close(owner) }
                }
            }
            try await fixture.startAll(server.url("/"), owners: 0..<30)
            #expect(await fixture.results(30).allSatisfy { $0.failure == nil })
            await server.wait { $0.closedByPeer.count == 30 }
            #expect(try await fixture.openConnections() == 0)
            #expect(fixture.harnessFailure == nil)
        }
    }

    @Test func churnLeavesNothingOpen() async throws {
        try await withServer(script: Self.echo) { fixture, server in
            for generation in 0..<60 {
                _ = try await fixture.get(server.url("/"), owner: generation)
                if generation >= 4 { try await fixture.close(owners: [generation - 4]) }
            }
            #expect(try await fixture.close(owners: 56..<60) == 0)
            await server.wait { $0.closedByPeer.count == 60 }
            #expect(try await fixture.openConnections() == 0)
            #expect(server.log.connectionsAccepted == 60 && fixture.harnessFailure == nil)
        }
    }

    @Test func ownersConnectFromTheirSourceAddress() async throws {
        try await withServer(.with { $0.sourceAddresses = ["127.0.0.2", "127.0.0.3"] }) { request in
            [.send(answer("200 OK", request.peerAddress))]
        } test: { fixture, server in
            for number in 0..<4 {
                try await fixture.onLoop { _ = try fixture.owner(number, sourceAddressIndex: number) }
                #expect(try await fixture.get(server.url("/"), owner: number).body == "127.0.0.\(2 + number % 2)")
            }
        }
    }

    @Test func cancellingEverythingTellsEachTransferOnce() async throws {
        try await withServer(script: holding) { fixture, server in
            try await fixture.startAll(server.url("/hold"), owners: 0..<100)
            await server.wait { $0.requests.count == 100 }
            try await fixture.withTransport { fixture, transport in
                for number in 0..<10 { try fixture.start(PreparedRequest(url: server.url("/hold")), owner: number) }
                transport.cancelAll()
            }
            let results = await fixture.results(110)
            #expect(results.allSatisfy { $0.failure == .abandoned })
            #expect(Set(results.map(\.token)).count == 110)
        }
    }

    @Test func shutDownTellsWhatWasInFlightAndClosesEverything() async throws {
        let server = try ScriptedServer(script: holding)
        defer { server.stop() }
        let fixture = try await TransportFixture.run { fixture in
            try await fixture.startAll(server.url("/hold"), owners: 0..<20)
            await server.wait { $0.requests.count == 20 }
            return fixture
        }
        #expect(fixture.finished.map(\.failure) == Array(repeating: .abandoned, count: 20))
        await server.wait { $0.closedByPeer.count == 20 }
    }
}
