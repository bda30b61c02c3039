import Rulebook
import Testing

@testable import Transport

@Suite(.timeLimit(.minutes(15)), .eachCarrier) struct HarnessFailureTests {
    @Test func aFailedLibraryIsToldOnceAndEndsEverything() async throws {
        let server = try ScriptedServer { request in request.path == "/hold" ? [.hold] : [.send(answer())] }
        defer { server.stop() }
        try await TransportFixture.run { fixture in
            try await fixture.withTransport { fixture, _ in
                for owner in 0..<5 { try fixture.start(PreparedRequest(url: server.url("/hold")), owner: owner) }
            }
            await server.wait { $0.requests.count == 5 }
            try await fixture.withTransport { _, transport in
                transport.fail("planned")
                transport.fail("a second reason")
            }
            let ended = await fixture.results(5)
            #expect(ended.allSatisfy { $0.failure == .other })
            let later = try await fixture.get(server.url("/"))
            #expect(later.failure == .other)
            let reason = try await fixture.withTransport { fixture, _ in fixture.harnessFailure }
            #expect(reason == "planned")
            #expect(server.log.requests.count == 5)
        }
    }
}
