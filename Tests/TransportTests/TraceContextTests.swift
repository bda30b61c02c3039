import Rules
import Testing

@testable import Transport

/// What a request carries to be found again, on the wire of either carrier.
///
/// Over sockets, because what a server reads is what counts.
@Suite(.timeLimit(.minutes(15))) struct TraceContextTests {
    @Test(arguments: [
        (UInt64(0), UInt64(0), UInt64(0)), (0, 7, .max), (.max, .max, .max), (0x0af7_6519_16cd_43dd, 0x8448, 1),
    ]) func theHeaderHasItsForm(high: UInt64, low: UInt64, parent: UInt64) throws {
        let context = TraceContext(traceHigh: high, traceLow: low, parent: parent)
        // W3C Trace Context, section 3.2.2.
        let form = #/00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-01/#
        #expect(try form.wholeMatch(in: context.headerValue) != nil)
        #expect(context.headerValue.contains("-\(context.traceID)-"))
    }

    @Test(.eachCarrier, arguments: [nil, Array("a=1&b=2".utf8), []] as [[UInt8]?])
    func itIsOneMoreLineAndNothingElse(body: [UInt8]?) async throws {
        let context = TraceContext(traceHigh: 1, traceLow: 2, parent: 3)
        let requests = try await withServer(script: always(.send(answer()))) { fixture, server in
            try await fixture.onLoop {
                let plain = PreparedRequest(
                    body == nil ? .get : .post,
                    url: server.url("/a?b=c"),
                    headers: HeaderList([("X-A", "b")]),
                    body: body
                )
                // Before the plain one was ever sent, and after.
                try fixture.start(plain.carrying(context), owner: 0)
                try fixture.start(plain, owner: 1)
                try fixture.start(plain.carrying(context), owner: 2)
            }
            let results = await fixture.results(3)
            #expect(results.allSatisfy { $0.failure == nil })
            #expect(Set(results.map { $0.traceID ?? "" }) == ["", context.traceID])
            return server.log.requests
        }
        try #require(requests.count == 3)
        let line = "traceparent: \(context.headerValue)"
        let traced = requests.filter { $0.lines.contains(line) }
        let plain = try #require(requests.first { !$0.lines.contains(line) })
        #expect(traced.count == 2)
        for request in traced {
            #expect(request.lines.first == plain.lines.first)
            #expect(request.lines.filter { $0 != line }.sorted() == plain.lines.sorted())
            #expect(request.body == plain.body && request.body == body ?? [])
        }
    }

    @Test(.eachCarrier) func itGoesAlongARedirect() async throws {
        let context = TraceContext(traceHigh: 1, traceLow: 2, parent: 3)
        try await withServer { request in
            request.path == "/from"
                ? [.send(answer("302 Found", headers: ["Location: /to"]))] : [.send(answer("200 OK", "there"))]
        } test: { fixture, server in
            let result = try await fixture.send(PreparedRequest(url: server.url("/from")).carrying(context))
            #expect((result.body, result.traceID) == ("there", context.traceID))
            let headers = server.log.requests.map { $0.header("traceparent") }
            #expect(headers == [context.headerValue, context.headerValue])
        }
    }
}
