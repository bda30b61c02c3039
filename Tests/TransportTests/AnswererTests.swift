import Rules
import Testing

@testable import Transport

/// Who answered: the address at the other end, what is noted of a connection, and the head that is kept.
///
/// Over sockets, because it is the kernel that knows the other end.
@Suite(.timeLimit(.minutes(15))) struct AnswererTests {
    @Test(.eachCarrier, arguments: [("127.0.0.1", "127.0.0.1:PORT"), ("::1", "[::1]:PORT")])
    func theAddressThatAnsweredIsTold(address: String, spelt: String) async throws {
        try await withServer(address: address, script: always(.send(answer()))) { fixture, server in
            let place = spelt.replacing("PORT", with: "\(server.port)")
            let result = try await fixture.get("http://\(place)/")
            #expect(result.remoteAddress == place)
        }
    }

    @Test(.eachCarrier) func aConnectionThatBreaksIsOfItsAddressAndNoneIsOfNone() async throws {
        try await withServer(script: always(.reset)) { fixture, server in
            let broken = try await fixture.get(server.url("/"))
            #expect(broken.failure == .reset)
            #expect(broken.remoteAddress == "127.0.0.1:\(server.port)")
            let refused = try await fixture.get("http://unauthorised.example/")
            #expect(refused.failure == .unauthorisedHost)
            #expect(refused.remoteAddress.isEmpty)
        }
    }

    @Test func aNoteStaysWithItsConnection() async throws {
        try await withServer { request in
            request.path == "/last" ? [.send(answer(headers: ["Connection: close"])), .close] : [.send(answer())]
        } test: { fixture, server in
            try await fixture.onLoop { fixture.note = 7 }
            var notes: [UInt16] = []
            for path in ["/", "/", "/last", "/", "/"] { notes.append(try await fixture.get(server.url(path)).note) }
            #expect(notes == [0, 7, 7, 0, 7])
            #expect(try await fixture.get(server.url("/"), owner: 1).note == 0)
        }
    }

    @Test(.eachCarrier) func aHeadIsReadAfterItsAnswerIsGone() async throws {
        try await withServer { request in
            let many = (0..<400).map { "X-Padding-\($0): 0123456789" }
            let named = ["X-Cache: MISS", "Via:  1.1 a ", "X-Cache: HIT"]
            return [.send(answer(headers: request.path == "/long" ? named + many + ["X-Late: 1"] : named))]
        } test: { fixture, server in
            for path in ["/", "/long"] {
                let head = try await fixture.get(server.url(path)).head
                #expect(Self.text("x-cache", head) == "HIT")
                #expect(Self.text("via", head) == "1.1 a")
                #expect(Self.text("x-late", head) == nil)
            }
        }
    }

    private static func text(_ name: StaticString, _ head: AnswerHeadCopy) -> String? {
        var text: String?
        head.read(name) { text = $0.map { String(decoding: $0, as: UTF8.self) } }
        return text
    }

    @Test func addressesHaveOneNumberEach() {
        let addresses = RemoteAddresses()
        #expect(addresses.number(of: "") == 0)
        let numbers = ["a:1", "b:1", "a:1"].map(addresses.number)
        #expect(numbers == [1, 2, 1])
        #expect(numbers.map(addresses.text) == ["a:1", "b:1", "a:1"])
        #expect(addresses.text(0).isEmpty && addresses.text(99).isEmpty)
        for number in 3...70_000 { _ = addresses.number(of: "\(number)") }
        #expect(addresses.number(of: "one too many") == 0)
        #expect(addresses.text(.max) == "65535")
    }
}
