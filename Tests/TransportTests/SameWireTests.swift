import Rules
import Testing
import Transport
import Values

/// Both carriers ask for the same thing in the same words.
///
/// Over sockets, because what a server reads is what counts.
@Suite(.timeLimit(.minutes(15))) struct SameWireTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var method = PreparedRequest.Method.get
        /// Behind scheme, and with PORT where the server's port belongs.
        var place = "127.0.0.1:PORT/live/main.m3u8?a=1&b=%20c"
        var headers: [(name: String, value: String)] = []
        var body: [UInt8]?
        var compression = true
        var serverAddress = "127.0.0.1"
    }

    static let cases = [
        Case(testDescription: "a poll"),
        Case(testDescription: "without compression", compression: false),
        Case(testDescription: "a name in capitals", place: "LocalHost:PORT/"),
        Case(testDescription: "an IPv6 address", place: "[::1]:PORT/x", serverAddress: "::1"),
        Case(testDescription: "no path", place: "127.0.0.1:PORT"),
        Case(testDescription: "a query without a path", place: "127.0.0.1:PORT?x=1"),
        Case(testDescription: "an empty query", place: "127.0.0.1:PORT/a?"),
        Case(testDescription: "a fragment", place: "127.0.0.1:PORT/a?b#c"),
        Case(testDescription: "dots in the path", place: "127.0.0.1:PORT/a/../b/./c//d"),
        Case(testDescription: "escapes in the path", place: "127.0.0.1:PORT/%7Ea%2fb;c=1/+@!$"),
        Case(testDescription: "letters beyond ASCII", place: "127.0.0.1:PORT/ü/é?titre=été"),
        Case(
            testDescription: "headers of its own",
            headers: [
                ("X-Podswarm-Viewer", "42"), ("X-Empty", ""), ("Accept", "application/json"), ("user-agent", "own/2"),
            ]
        ),
        Case(testDescription: "another Host", headers: [("Host", "live.example")]),
        Case(testDescription: "a form", method: .post, body: Array("cust_params=a%3D1&x=".utf8)),
        Case(testDescription: "every byte", method: .post, body: Array(0...255)),
        Case(testDescription: "an empty form", method: .post, body: []),
        Case(testDescription: "a post without a body", method: .post),
        Case(
            testDescription: "a post with its own type",
            method: .post,
            headers: [("Content-Type", "application/json")],
            body: Array("{}".utf8)
        ),
        Case(testDescription: "a long form", method: .post, body: Array(repeating: UInt8(ascii: "a"), count: 300_000)),
    ]

    @Test(arguments: cases) func bothCarriersSendTheSame(of variant: Case) async throws {
        let server = try ScriptedServer(address: variant.serverAddress) { _ in [.send(answer())] }
        defer { server.stop() }
        let url = "http://" + variant.place.replacing("PORT", with: String(server.port))
        for choice in CarrierChoice.allCases {
            try await EachCarrier.$underTest.withValue(choice) {
                try await TransportFixture.run(.with { $0.acceptEncoding = variant.compression }) { fixture in
                    let headers = variant.headers.isEmpty ? nil : HeaderList(variant.headers)
                    let request = PreparedRequest(variant.method, url: url, headers: headers, body: variant.body)
                    let result = try await fixture.send(request)
                    #expect(result.failure == nil)
                    #expect(result.carrier == (choice == .curl ? .curl : .exchange))
                }
            }
        }
        let requests = server.log.requests
        try #require(requests.count == 2)
        #expect(requests[0].lines.first == requests[1].lines.first)
        #expect(requests[0].lines.dropFirst().sorted() == requests[1].lines.dropFirst().sorted())
        #expect(requests[0].body == requests[1].body)
        #expect(requests[0].body == variant.body ?? [])
    }
}
