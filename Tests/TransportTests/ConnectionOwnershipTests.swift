import EventLoop
import Glibc
import Rulebook
import TestSupport
import Testing
import Transport

@Suite(.timeLimit(.minutes(15)), .eachCarrier) struct ConnectionOwnershipTests {
    /// The heart of it: shuffled requests of many owners in flight at once, seen from both ends.
    @Test(arguments: [1, 2, 3] as [UInt64])
    func everyOwnerKeepsItsConnectionToItself(seed: UInt64) async throws {
        let owners = 40
        let rounds = 25
        let server = try ScriptedServer { request in [.send(answer("200 OK", String(request.path.dropFirst())))] }
        defer { server.stop() }
        try await TransportFixture.run { fixture in
            try await fixture.withTransport { fixture, _ in
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
        let server = try ScriptedServer { request in [.send(answer("200 OK", request.path))] }
        defer { server.stop() }
        try await TransportFixture.run { fixture in
            for _ in 0..<3 {
                try await fixture.withTransport { fixture, _ in
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
        let server = try ScriptedServer { request in [.send(answer("200 OK", request.path))] }
        defer { server.stop() }
        try await TransportFixture.run { fixture in
            // Owner 1 keeps the group alive, so that the closed owner's connection stays in its cache.
            _ = try await fixture.get(server.url("/1"), owner: 1)
            let first = try await fixture.get(server.url("/0"), owner: 0)
            try await fixture.withTransport { fixture, transport in transport.close(try fixture.owner(0)) }
            await server.wait { $0.closedByPeer == [1] }
            let successor = try await fixture.get(server.url("/2"), owner: 2)
            #expect(successor.newConnections == 1)
            #expect(successor.localPort != first.localPort)
            let neighbour = try await fixture.get(server.url("/1"), owner: 1)
            #expect(neighbour.newConnections == 0)
        }
    }

    @Test func closingTheLastOwnerOfAGroupFreesItsDescriptors() async throws {
        let server = try ScriptedServer { request in [.send(answer("200 OK", request.path))] }
        defer { server.stop() }
        try await TransportFixture.run { fixture in
            for owner in 0..<20 { _ = try await fixture.get(server.url("/\(owner)"), owner: owner) }
            let open = try await fixture.withTransport { _, transport in transport.openConnections }
            #expect(open == 20)
            let left = try await fixture.withTransport { fixture, transport in
                for owner in 0..<20 { transport.close(try fixture.owner(owner)) }
                return transport.openConnections
            }
            #expect(left == 0)
            await server.wait { $0.closedByPeer.count == 20 }
            #expect(fixture.harnessFailure == nil)
        }
    }

    @Test func aClosedOwnersTransfersEndAsAbandoned() async throws {
        let server = try ScriptedServer { request in request.path == "/hold" ? [.hold] : [.send(answer())] }
        defer { server.stop() }
        try await TransportFixture.run { fixture in
            _ = try await fixture.get(server.url("/"), owner: 0)
            try await fixture.withTransport { fixture, _ in
                for _ in 0..<3 { try fixture.start(PreparedRequest(url: server.url("/hold")), owner: 0) }
                try fixture.start(PreparedRequest(url: server.url("/hold")), owner: 1)
            }
            await server.wait { $0.requests.count == 5 }
            try await fixture.withTransport { fixture, transport in
                transport.close(try fixture.owner(0))
                transport.close(try fixture.owner(0))
                try fixture.start(PreparedRequest(url: server.url("/")), owner: 0)
            }
            let results = await fixture.results(5)
            #expect(results.dropFirst().map(\.failure) == Array(repeating: .abandoned, count: 4))
            let inFlight = try await fixture.withTransport { _, transport in transport.inFlight }
            #expect(inFlight == 1, "the neighbour's transfer goes on")
        }
    }

    @Test func anOwnerMayBeClosedByItsOwnResult() async throws {
        let server = try ScriptedServer { request in [.send(answer("200 OK", request.path))] }
        defer { server.stop() }
        try await TransportFixture.run { fixture in
            try await fixture.withTransport { fixture, _ in
                fixture.onFinished = { transport, result in
                    if let owner = try? fixture.owner(Int(result.token)) { transport.close(owner) }
                }
                for owner in 0..<30 { try fixture.start(PreparedRequest(url: server.url("/\(owner)")), owner: owner) }
            }
            let results = await fixture.results(30)
            #expect(results.allSatisfy { $0.failure == nil })
            await server.wait { $0.closedByPeer.count == 30 }
            let open = try await fixture.withTransport { _, transport in transport.openConnections }
            #expect(open == 0)
            #expect(fixture.harnessFailure == nil)
        }
    }

    @Test func churnLeavesNothingOpen() async throws {
        let server = try ScriptedServer { request in [.send(answer("200 OK", request.path))] }
        defer { server.stop() }
        try await TransportFixture.run { fixture in
            for generation in 0..<60 {
                _ = try await fixture.get(server.url("/"), owner: generation)
                guard generation >= 4 else { continue }
                try await fixture.withTransport { fixture, transport in
                    transport.close(try fixture.owner(generation - 4))
                }
            }
            try await fixture.withTransport { fixture, transport in
                for generation in 56..<60 { transport.close(try fixture.owner(generation)) }
            }
            await server.wait { $0.closedByPeer.count == 60 }
            let open = try await fixture.withTransport { _, transport in transport.openConnections }
            #expect(open == 0)
            #expect(server.log.connectionsAccepted == 60)
        }
    }

    @Test func ownersConnectFromTheirSourceAddress() async throws {
        let server = try ScriptedServer { request in [.send(answer("200 OK", request.peerAddress))] }
        defer { server.stop() }
        try await TransportFixture.run(.with { $0.sourceAddresses = ["127.0.0.2", "127.0.0.3"] }) { fixture in
            try await fixture.withTransport { fixture, _ in
                for number in 0..<4 { _ = try fixture.owner(number, sourceAddressIndex: number) }
            }
            for number in 0..<4 {
                let result = try await fixture.get(server.url("/"), owner: number)
                #expect(result.body == "127.0.0.\(2 + number % 2)")
            }
        }
    }

    @Test func cancellingEverythingTellsEachTransferOnce() async throws {
        let server = try ScriptedServer { _ in [.hold] }
        defer { server.stop() }
        try await TransportFixture.run { fixture in
            try await fixture.withTransport { fixture, transport in
                for number in 0..<100 { try fixture.start(PreparedRequest(url: server.url("/")), owner: number) }
            }
            await server.wait { $0.requests.count == 100 }
            try await fixture.withTransport { fixture, transport in
                for number in 0..<10 { try fixture.start(PreparedRequest(url: server.url("/")), owner: number) }
                transport.cancelAll()
            }
            let results = await fixture.results(110)
            #expect(results.allSatisfy { $0.failure == .abandoned })
            #expect(Set(results.map(\.token)).count == 110)
        }
    }

    @Test func shutDownTellsWhatWasInFlightAndClosesEverything() async throws {
        let server = try ScriptedServer { _ in [.hold] }
        defer { server.stop() }
        var kept: TransportFixture?
        try await TransportFixture.run { fixture in
            kept = fixture
            try await fixture.withTransport { fixture, _ in
                for number in 0..<20 { try fixture.start(PreparedRequest(url: server.url("/")), owner: number) }
            }
            await server.wait { $0.requests.count == 20 }
        }
        let fixture = try #require(kept)
        #expect(fixture.finished.map(\.failure) == Array(repeating: .abandoned, count: 20))
        await server.wait { $0.closedByPeer.count == 20 }
    }
}
