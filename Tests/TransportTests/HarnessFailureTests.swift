import Rules
import Testing

@testable import Transport

/// Over sockets, because requests are under way when a library fails.
@Suite(.timeLimit(.minutes(15)), .eachCarrier) struct HarnessFailureTests {
    @Test func aFailedLibraryIsToldOnceAndEndsEverything() async throws {
        try await withServer(script: holding) { fixture, server in
            try await fixture.startAll(server.url("/hold"), owners: 0..<5)
            await server.wait { $0.requests.count == 5 }
            try await fixture.withTransport { _, transport in
                transport.fail("planned")
                transport.fail("a second reason")
            }
            let ended = await fixture.results(5)
            #expect(ended.allSatisfy { $0.failure == .other })
            let later = try await fixture.get(server.url("/"))
            #expect(later.failure == .other)
            #expect(try await fixture.onLoop { fixture.harnessFailure } == "planned")
            #expect(server.log.requests.count == 5)
        }
    }
}
