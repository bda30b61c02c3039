import Rules
import Testing
import Transport

/// A server may close a kept connection at the very moment at which it is used again (RFC 9112 section 9.3.1).
///
/// Over sockets, because it is the kernel that tells of a close.
@Suite(.timeLimit(.minutes(15)), .eachCarrier) struct KeepAliveRaceTests {
    @Test(arguments: [PreparedRequest.Method.get, .post], [false, true])
    func aRequestIsRepeatedWhereNothingWasAnswered(method: PreparedRequest.Method, isReset: Bool) async throws {
        try await withServer {
            $0.index == 0 ? [.send(answer("200 OK", "x"))] : [isReset ? .reset : .close]
        } test: { fixture, server in
            for ordinal in 0..<6 {
                let body = method == .post ? Array("a=1".utf8) : nil
                let result = try await fixture.send(PreparedRequest(method, url: server.url("/"), body: body))
                #expect(result.failure == nil)
                #expect(result.sends == (ordinal == 0 ? 1 : 2), "the repetition is counted")
                #expect(result.newConnections == 1)
            }
            #expect(server.log.requests.count == 11, "what the server saw is what was counted")
        }
    }

    @Test func aRequestWithTheBeginningOfAnAnswerIsNotRepeated() async throws {
        try await withServer {
            $0.index == 0
                ? [.send(answer("200 OK", "x"))] : [.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab"), .close]
        } test: { fixture, server in
            _ = try await fixture.get(server.url("/"))
            let result = try await fixture.get(server.url("/"))
            #expect(result.failure != nil)
            #expect(result.sends == 1)
            #expect(server.log.requests.count == 2)
        }
    }
}
