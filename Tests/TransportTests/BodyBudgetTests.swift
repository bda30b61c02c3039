import Rules
import Testing
import Values

@testable import Transport

/// Bodies that are too long are the target's fault, too many together this machine's limit; the others go on.
///
/// Over sockets, because libcurl reads bodies from nothing else.
@Suite(.timeLimit(.minutes(15)), .eachCarrier) struct BodyBudgetTests {
    /// Half of a body, and then silence.
    private static let half = 400_000

    private static func script(_ request: ScriptedServer.Request) -> [ScriptedServer.Step] {
        let body = String(repeating: "x", count: half)
        guard request.path == "/half" else { return [.send(answer("200 OK", body))] }
        return [.send("HTTP/1.1 200 OK\r\nContent-Length: \(2 * half)\r\n\r\n" + body), .hold]
    }

    @Test func anAnswerIsNoLongerThanItsRequestAllows() async throws {
        let short = TransferLimits(connect: nil, firstByte: nil, total: nil, bodyBytes: 100_000)
        try await withServer(script: Self.script) { fixture, server in
            let refused = try await fixture.get(server.url("/"), limits: short)
            #expect(refused.failure == .bodyTooLarge)
            let taken = try await fixture.get(server.url("/"))
            #expect(taken.failure == nil && taken.body.utf8.count == Self.half)
            let again = try await fixture.get(server.url("/"), limits: short)
            #expect(again.failure == .bodyTooLarge)
        }
    }

    @Test func bodiesThatHaveNoRoomTogetherAreRefusedAndGiveTheirRoomBack() async throws {
        let budget = BodyBudget(bytes: 3_000_000)
        try await withServer(.with { $0.bodyBudget = budget }, script: Self.script) { fixture, server in
            try await fixture.startAll(server.url("/half"), owners: 0..<40)
            // Who was taken is still waiting for the other half: nothing else has ended.
            let refused = await fixture.results(30)
            #expect(refused.allSatisfy { $0.failure == .localResources })
            try await fixture.close(owners: 0..<40)
            _ = await fixture.results(40)
            let taken = try await fixture.get(server.url("/"), owner: 99)
            #expect(taken.failure == nil, "what was taken has been given back")
        }
    }
}
